"""The figures of every attack as blocks: rates, where it breaks, accuracies and noise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from botattack.model import CONTROL
from botattack.report.escape import visible
from botattack.report.figures.figure_values import SPLITS, Figures
from botattack.report.figures.figure_values import Row as FigureRow
from botattack.report.figures.gates import TOO_FEW
from botattack.report.figures.withheld import FAIL_FAST, cut_short
from botattack.report.numbers import NONE, count, percent
from botattack.report.statistics.intervals import MIN_QUESTIONS
from botattack.report.story.blocks import Bar, Block, Fact, Facts, Listing, Row, Section, Sentence, Table
from botattack.report.wording import headlines, measure_words, reader_words, words
from botattack.report.wording.words import TableLine

COLUMNS = ("attack", "broken", "share", "likely range", CONTROL)
RANKED = 3
"""Attacks that are named with what they do."""


def most_broken(figures: Figures) -> Iterator[Block]:
    """The attacks that broke most, each with what it does."""
    found = headlines.ranked(figures)
    if len(found) > 1 and found[0].row.success:
        rows = tuple(
            Row((one.name, one.of_all, headlines.does(one.label)), bar=_bar(one.row, None))
            for one in found[:RANKED]
            if one.row.success
        )
        table = Table(("attack", "broken", "what it does"), rows, numbers=9)
        yield Section("What broke most", (table,), shown="page")


def every_attack(figures: Figures) -> Iterator[Block]:
    """A row for each attack, those that count questions in a table of their own, and where the figures come from."""
    lines, note = words.lines(figures), " ".join(f"{legend}." for legend in words.legends(figures))
    began = any(attack.coverage.asked for attack in figures.attacks.values()) or not cut_short(figures)
    if not lines or not figures.questions.kept or not began:
        return
    sources = words.details(figures)
    details = tuple(fact for name, detail, note in sources for fact in _detail(name, detail, _but_few(note)))
    details += tuple(Fact(name, says) for name, says in words.corrections(figures))
    rated = any(row.success_rate is not None for row in _rows(figures))
    if not rated:
        fast = any(row.note == FAIL_FAST for row in _rows(figures))
        need = f"each needs versions of {MIN_QUESTIONS} questions that the bot answers correctly"
        few = f"No rates: {FAIL_FAST}" if fast else f"Too few questions for rates: {need}"
        few += (
            f", and the run has not come to its end: continue it. {note}"
            if cut_short(figures)
            else f", however many versions of fewer are counted here. {note}"
        )
        shown = Sentence(few.strip(), "note"), Listing(tuple(_counted(lines))), Facts(details)
        yield Section("Every attack", shown, id="attacks")
        return
    tables = [
        Table(tuple(columns), tuple(_row(line, figures) for line in found))
        for columns, found in words.tables(figures, COLUMNS)
    ]
    means = (words.terms("notes")["every attack"], note, reader_words.brief(figures))
    told = Sentence(" ".join(filter(None, means)), "note")
    yield Section("Every attack", (*tables, told, Facts(details)), id="attacks")


def _counted(lines: Sequence[TableLine]) -> Iterator[str]:
    """`Typing mistakes: 10/10 broken (similar 5/5, typo 5/5)`, of each attack."""
    for number, line in enumerate(lines):
        if not line.depth:
            parts = takewhile(lambda one: one.depth, lines[number + 1 :])
            each = ", ".join(f"{one.name} {words.share(one.row)}" for one in parts)
            yield f"{line.plain or line.name}: {words.share(line.row)} broken{f' ({each})' if each else ''}"


def _row(line: words.TableLine, figures: Figures) -> Row:
    name = f"{line.plain} ({line.name})" if line.plain else line.name
    cells = name, words.share(line.row), percent(line.row.success_rate), line.interval, line.control
    compared = line.control not in ("", NONE) and not line.by_question
    return Row(cells, line.depth, _bar(line.row, figures.control if compared else None))


def _detail(name: str, detail: str, note: str) -> Iterator[Fact]:
    yield Fact(name, detail)
    if note:
        yield Fact(name, note, "warning")


def _but_few(note: str) -> str:
    """A note without that its attack has too few questions, which is said once for all of them."""
    return "; ".join(part for part in note.split("; ") if not part.startswith(TOO_FEW))


def _rows(figures: Figures) -> Iterator[FigureRow]:
    return (row for attack in figures.attacks.values() for row in (attack.gold, attack.own))


def _bar(row: FigureRow, noise: FigureRow | None) -> Bar | None:
    if row.success_rate is None or row.interval is None:
        return None
    return Bar(row.success_rate, row.interval, noise.success_rate if noise else None)


def splits(figures: Figures) -> Iterator[Block]:
    """Of each attack that was split into several parts, what each part broke."""
    blocks: list[Block] = []
    for name, attack in figures.attacks.items():
        for split in SPLITS:
            rows = attack.splits.get(split, {})
            rated = {value: row for value, row in rows.items() if row.success_rate is not None}
            if name == CONTROL or len(rows) < 2 or not rated:
                continue
            shown = tuple(
                Row((visible(str(value)), words.share(row), percent(row.success_rate)), bar=_bar(row, None))
                for value, row in rated.items()
            )
            few = [f"{visible(str(value))} {words.share(row)}" for value, row in rows.items() if value not in rated]
            note = f"{count(len(few), 'row')} with too few questions, of altered ones: {', '.join(few)}" if few else ""
            title = f"{visible(name)} by {split}"
            blocks.append(Section(title, (Table((split, "broken", "rate"), shown, note=note),), folded=True))
    if blocks:
        yield Section("Where it breaks", tuple(blocks), shown="page")


def accuracies(figures: Figures) -> Iterator[Block]:
    """Accuracies over all attacks, what each attack breaks over the control, and all figures of each."""
    if not any(row.interval for row in _rows(figures)):
        return
    overall: list[tuple[str, ...]] = [
        (_explained(name), value, sure) for name, value, sure in measure_words.overall(figures)
    ]
    overall += [(f"{name} over unchanged", *rest) for name, *rest in measure_words.against_control(figures)]
    table = Table.of(("over all attacks", "value", "95 % interval"), overall, after=2)
    folded = [
        Section(
            f"All figures of {visible(name)}",
            (
                Table.of(
                    ("figure", "value", "95 % interval"),
                    [(_explained(what), value, sure) for what, value, sure in measure_words.measures(attack.measures)],
                    after=2,
                ),
            ),
            folded=True,
        )
        for name, attack in figures.attacks.items()
        if any(measure.value is not None for measure in attack.measures.values())
    ]
    note = Sentence(words.terms("notes")["intervals"], "note")
    yield Section("Accuracies and noise", (note, table, *folded), shown="files")


def _explained(name: str) -> str:
    means = measure_words.explained(name)
    return f"{name} ({means})" if means else name

"""What a run found, as a story: how bad it is, what to do, the worst examples, then every figure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from botattack.cases import QuestionCase
from botattack.report.escape import flowing, visible
from botattack.report.figures.causes import examples as by_cause
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.findings import KEPT, Finding
from botattack.report.figures.heat import Heat, Troubles
from botattack.report.numbers import count
from botattack.report.stories import first_screen
from botattack.report.stories.asked import caused, example_of, fragile_question, shrunk_example
from botattack.report.stories.assistant import assistant
from botattack.report.stories.attack_figures import accuracies, every_attack, most_broken, splits
from botattack.report.story import blocks
from botattack.report.wording import cautions, diagnoses, headlines, reader_words, verdict_words, words
from botattack.report.wording.advice import advice
from botattack.report.wording.commands import command
from botattack.report.wording.outcomes import reproduce, usual

SHOWN_TROUBLES = 50
AT_ONCE = 3
"""Examples that are open on a page, and marks that a terminal names."""
GATES: dict[str, blocks.Tone] = {"held": "good", "undecided": "warning", "FAILED": "bad"}


@dataclass(frozen=True)
class Read:
    """What only reading every question again tells; a terminal does without."""

    heat: Heat = field(default_factory=Heat)
    troubles: Troubles = field(default_factory=Troubles)

    @classmethod
    def of(cls, questions: Iterable[QuestionCase]) -> Read:
        read = cls()
        for question in questions:
            read.add(question)
        return read

    def add(self, question: QuestionCase) -> None:
        self.heat.add(question)
        self.troubles.add(question)


def story(
    figures: Figures,
    findings: tuple[Finding, ...],
    recording: str,
    since: blocks.Story | None = None,
    read: Read | None = None,
) -> blocks.Story:
    """`recording` is what commands name, `since` what became of a night since its baseline."""
    headline = since.headline if since else headlines.headline(figures)
    if since and (why := words.unsaid(figures.run.why, headline)):
        headline = f"{headline} {words.ended(figures.run.exit, why)}".rstrip()
    told = _blocks(figures, findings, recording, since, read)
    return blocks.Story(visible(figures.run.target), headline, tuple(told), first_screen.tested(figures))


def _blocks(
    figures: Figures, findings: tuple[Finding, ...], recording: str, since: blocks.Story | None, read: Read | None
) -> Iterator[blocks.Block]:
    rang = since.first if since else ()
    yield from rang
    if since:
        yield blocks.Sentence(headlines.headline(figures, failure=False), "strong")
    yield from _first(figures, recording, read, rang=bool(rang))
    if since and not read:
        yield from since.brief
        ran = [fact for fact in _about(figures) if fact.label in ("questions", "requests")]
        held = [] if figures.run.exit else [blocks.Fact("run", words.run_line(figures))]
        yield blocks.Facts((*held, *ran))
        return
    yield from since.blocks if since else ()
    yield from most_broken(figures)
    yield from _diagnoses(figures, recording)
    yield from assistant(figures.assistant, recording)
    yield from _examples(figures, findings, recording)
    todo = list(advice(figures, recording))
    if todo and read:
        # One block a piece of advice, as its command belongs to it.
        told = tuple(
            part for says, line in todo for part in (blocks.Sentence(says), *((blocks.Command(line),) if line else ()))
        )
        yield blocks.Section("What to do about attacks" if rang else "What to do", told, id="todo", shown="files")
    yield from _people(figures)
    known = usual(figures.run.boilerplate)
    if read and (hot := read.heat.value()):
        yield _fragile(figures.broken.questions, tuple(fragile_question(one, recording, known) for one in hot))
    yield from every_attack(figures)
    yield from splits(figures)
    yield from accuracies(figures)
    if read:
        yield from _failed(figures, read.troubles)
    about = (blocks.Facts(tuple(_about(figures))), *_shown(figures, recording))
    yield blocks.Section("About this run", about, id="about")
    yield blocks.Section("The judge", (blocks.Sentence(verdict_words.judge(figures.run.judge), "note"),), shown="files")


def _first(figures: Figures, recording: str, read: Read | None, *, rang: bool) -> Iterator[blocks.Block]:
    """What is seen without scrolling; on a night that `rang`, what the attacks broke is no figure to remember."""
    if read and not rang and (cards := tuple(first_screen.cards(figures))):
        yield blocks.FigureRow(cards)
    marks = verdict_words.SHOWN if read else AT_ONCE
    alarms = [
        *(blocks.Fact("gates", f"{state:<6}  {gate}", GATES[state]) for state, gate in words.gates(figures)),
        *(blocks.Fact("warning", silent, "bad") for silent in filter(None, (words.silence(figures),))),
        *(blocks.Fact("faults", sentence, "bad") for sentence in words.faults(figures)),
        *(blocks.Fact("weaker", sentence, "warning") for sentence in words.weaker(figures.run.weaker)),
        *(
            blocks.Fact("caution", sentence, "warning")
            for sentence in cautions.cautions(figures, chance=not headlines.only_chance(figures))
        ),
        *(
            blocks.Fact("marked", sentence)
            for sentence in verdict_words.mark_lines(
                figures.marks if _judged(figures) else (), figures.run.flags, most=marks
            )
        ),
    ]
    if alarms:
        yield blocks.Facts(tuple(alarms))
    if read and not rang and (todo := next(advice(figures, recording), None)):
        yield blocks.Sentence(f"What to do: {todo[0].rstrip(':')}", "strong")


def _diagnoses(figures: Figures, recording: str) -> Iterator[blocks.Block]:
    if figures.why:
        yield from caused(figures.why, usual(figures.run.boilerplate))
    if shrunk := figures.shrunk:
        known = usual(figures.run.boilerplate)
        told: tuple[blocks.Block, ...] = (blocks.Listing(tuple(diagnoses.became(shrunk, figures)), tone="note"),)
        if any(one.smallest for one in shrunk.shrunk):
            told += (blocks.Sentence(words.terms("notes")["smallest edits"], "note"),)
        less, others = (
            tuple(shrunk_example(one, recording, known) for one in shrunk.shrunk if (one.became == "as small") is same)
            for same in (False, True)
        )
        examples = (blocks.Examples(less[: diagnoses.SHOWN]),) if less else ()
        yield blocks.Section("Smallest edits that break the bot", (*told, *examples), id="smallest")
        if others and (kept := others[: max(diagnoses.SHOWN - len(less), 0)]):
            title = f"Nothing smaller breaks it: {count(len(others), 'finding')}"
            yield blocks.Section(title, (blocks.Examples(kept),), folded=True)


def _examples(figures: Figures, findings: tuple[Finding, ...], recording: str) -> Iterator[blocks.Block]:
    known, found = usual(figures.run.boilerplate), by_cause(figures.causes, findings, KEPT)
    every = [example_of(cause, one, recording, known) for cause, one in found]
    if not every:
        return
    doubted = any(cause and cause.doubt for cause, _ in found)
    unsure = diagnoses.unconfirmed(figures, decided=headlines.only_chance(figures))
    again = command("shrink", recording, flags=figures.run.flags)
    title = "Failures" if all(cause.doubt for cause in figures.causes) else "Failures by cause"
    told = (blocks.Sentence(unsure, "note"), blocks.Command(again)) if doubted else ()
    first = any(cause and cause.doubt for cause, _ in found[:AT_ONCE])
    yield blocks.Section(title, (*(told if first else ()), blocks.Examples(tuple(every[:AT_ONCE]))), id="examples")
    if others := tuple(every[AT_ONCE:]):
        title = (
            f"{count(len(others), 'more example')} ({len(every)} of {count(headlines.failures(figures), 'failure')})"
        )
        notes = words.terms("notes")
        order = blocks.Sentence(f"{notes['like this']} Then come other failures. {notes['order']}", "note")
        yield blocks.Section(
            title, (order, *(() if first else told), blocks.Examples(others)), folded=True, shown="files"
        )


def _people(figures: Figures) -> Iterator[blocks.Block]:
    if lines := tuple(reader_words.lines(figures)):
        tables = (blocks.Table.of(header, rows) for header, rows in reader_words.by_trait(figures))
        yield blocks.Section(
            "What people say", (blocks.Listing(lines, tone="note"), *tables), id="readers", shown="files"
        )


def _fragile(broken: int, shown: tuple[blocks.Section, ...]) -> blocks.Section:
    more = f"; these {len(shown)} broke most often" if broken > len(shown) else ""
    means = words.terms("notes")["fragile"].format(f"{count(broken, 'question')} broke at least once{more}")
    return blocks.Section("Fragile questions", (blocks.Sentence(means, "note"), *shown), id="fragile", shown="page")


def _failed(figures: Figures, troubles: Troubles) -> Iterator[blocks.Block]:
    kinds = [f"{number} × {why}" for why, number in troubles.kinds.most_common(SHOWN_TROUBLES)]
    records = [f"line {one.line}: {visible(one.why)}" for one in figures.skipped]
    found: list[blocks.Block] = [blocks.Listing(tuple(kinds))] if kinds else []
    if records:
        bad = count(figures.questions.bad_records, "record")
        found += [blocks.Sentence(f"{bad} of the question file could not be read:"), blocks.Listing(tuple(records))]
    if found:
        yield blocks.Section("What failed", tuple(found), shown="page")


def _judged(figures: Figures) -> bool:
    """Whether any reply came that could be judged: of a bot that is down there is nothing to say."""
    return figures.questions.asked > figures.questions.error


def _shown(figures: Figures, recording: str) -> Iterator[blocks.Block]:
    """The first unchanged question of each kind that is not right, and how to see, or settle, it."""
    for standing, (unit, question) in figures.questions.first.items():
        is_what, text = words.terms("standings")[standing], flowing(question, verdict_words.TEXT)
        yield blocks.Sentence(f"The first {is_what}: {text}", "note")
        settle = command("nightly", "baseline", "settle", recording)
        yield blocks.Command(settle if standing == "unsure" else reproduce(unit, recording))


def _about(figures: Figures) -> Iterator[blocks.Fact]:
    run = figures.run
    yield blocks.Fact("run", visible(run.id))
    yield blocks.Fact("run", words.run_line(figures))
    yield blocks.Fact("questions", words.questions_line(figures))
    if _judged(figures):
        yield blocks.Fact("judge", verdict_words.judging(run.judge))
        yield from (blocks.Fact("left out", sentence) for sentence in words.boilerplate(run))
    yield blocks.Fact("requests", words.requests_line(figures))

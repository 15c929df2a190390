"""Two runs of one bot compared, as a story; a night tells it with its own run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from botattack.report.comparison.diff import ORIGINALS, Change, RunComparison, broken
from botattack.report.comparison.sides import MISDEEDS
from botattack.report.comparison.trend import Bisect
from botattack.report.escape import visible
from botattack.report.numbers import count
from botattack.report.stories.comparison_words import (
    FIRST,
    HEADER,
    cells,
    detail,
    first_line,
    groups,
    name_of,
    needed,
    verdict,
)
from botattack.report.stories.first_screen import day_of
from botattack.report.story.blocks import (
    Block,
    Example,
    Examples,
    Fact,
    Facts,
    Figure,
    FigureRow,
    Section,
    Sentence,
    Story,
    Table,
)
from botattack.report.wording.advice import nightly
from botattack.report.wording.alterations import marked
from botattack.report.wording.outcomes import expected_of, reproduce
from botattack.report.wording.words import broke_once, terms


def story(comparison: RunComparison) -> Story:
    """What got worse and by how much."""
    target = visible(comparison.new.target)
    return Story(
        f"{target}, two runs", verdict(comparison), tuple(_blocks(comparison, Bisect(), "Older and newer run"))
    )


def since(comparison: RunComparison, nights: Bisect) -> Story:
    """The same as the reports of a night tell it, with what became of each change in the `nights` before; these have
    the gates already."""
    blocks = _blocks(replace(comparison, gates=()), nights, "Compared with the baseline")
    title = f"{visible(comparison.new.target)} against its baseline"
    return Story(title, first_line(comparison), tuple(blocks), first=tuple(_rang(comparison)))


def _rang(comparison: RunComparison) -> Iterator[Block]:
    """What raised the alarm, as the figure of a page, and what to do about it; nothing if nothing did."""
    day = day_of(comparison.old.started, comparison.new.started)
    lost, worse = comparison.lost.confirmed, comparison.regressions
    if comparison.lost.ring:
        number, what, small = len(lost), "lost", tuple(map(name_of, comparison.originals(lost)[:FIRST]))
    elif worse:
        number, small = broken(worse), (f"in {', '.join(visible(row.name) for row in worse)}",)
        what = "newly broken"
        if any(row.name in MISDEEDS for row in worse):
            number, what = sum(row.broken for row in worse), "or other replies newly wrong"
    else:
        return
    answers = count(number, "answer").partition(" ")[2]
    yield FigureRow((Figure(f"{number:,}", f"{answers} {what} since {day}", small, bad=True),))
    todo = f"What to do: find what changed in the bot since {day}, fix it, then run {nightly(comparison.new)}."
    yield Sentence(todo, "strong")


def _blocks(comparison: RunComparison, nights: Bisect, title: str) -> Iterator[Block]:
    runs = [
        Fact(name, visible(f"{run.id}, {day_of(run.started, other.started)}: {broke_once(broken)}"))
        for name, run, other, broken in (
            ("older", comparison.old, comparison.new, comparison.old_broken),
            ("newer", comparison.new, comparison.old, comparison.new_broken),
        )
    ]
    yield Facts((*runs, *(Fact("gate", visible(gate), "bad") for gate in comparison.gates)))
    yield from (Sentence(f"note: {visible(note)}", "note") for note in comparison.notes)
    for sort, changes in groups(comparison):
        shown = Examples(tuple(example(change, comparison.recording, nights) for change in changes))
        yield Section(f"{sort[0].upper()}{sort[1:]}", (shown,))
    table = Table.of(HEADER, map(cells, comparison.rows), after=len(HEADER) - 1)
    means = (Sentence(terms("notes")["comparison"], "note"),) if any(row.interval for row in comparison.rows) else ()
    apart = f"{count(comparison.unstable, 'question')} left out: right only sometimes in the same run"
    unstable = (Sentence(apart, "note"),) if comparison.unstable else ()
    power = (Sentence(enough, "note"),) if (enough := needed(comparison.rows)) else ()
    details = Facts(tuple(Fact(visible(row.name), told) for row in comparison.rows if (told := detail(row))))
    yield Section(title, (table, *means, *power, *unstable, *([details] if details.rows else [])))


def example(change: Change, recording: str, nights: Bisect | None = None) -> Example:
    """A unit that changed: what was sent, what is right, what came before and now, and how it went back and forth."""
    history = (nights or Bisect()).history((change.row, change.question_id, change.unit))
    row = "" if change.row == ORIGINALS else visible(change.row)
    title = " ".join(filter(None, (row, history.signs, history.told)))
    before = (Fact("before", visible(change.before)),) if change.before else ()
    # What is wrong with a misdeed is no missing answer.
    right = () if change.row in MISDEEDS else (Fact("expected", expected_of(change.expected, change.expect)),)
    answers = *right, *before, Fact("got", visible(change.got) or "(nothing)")
    lines = tuple(marked(change.alteration))
    return Example(title, lines, answers, reproduce(change.unit, recording), change.unit)

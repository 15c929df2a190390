"""Two runs of one bot compared, as a story."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from botattack.report.comparison.diff import Change, RunComparison
from botattack.report.escape import visible
from botattack.report.numbers import count
from botattack.report.stories.comparison_words import (
    HEADER,
    INTERVAL,
    NAMED,
    cells,
    detail,
    expected_by,
    groups,
    name_of,
    newly_broken,
    verdict,
)
from botattack.report.story.blocks import (
    Block,
    Example,
    Examples,
    Fact,
    Facts,
    Listing,
    Section,
    Sentence,
    Story,
    Table,
)
from botattack.report.wording.alterations import marked
from botattack.report.wording.finding_words import reproduce


def story(comparison: RunComparison, recording: str, gates: Sequence[str] = ()) -> Story:
    """What got worse and by how much; `gates` are those that failed, `recording` is the newer run."""
    title = f"{visible(comparison.new.target)} against its baseline"
    return Story(title, verdict(comparison), tuple(_blocks(comparison, recording, gates)))


def _blocks(comparison: RunComparison, recording: str, gates: Sequence[str]) -> Iterator[Block]:
    runs = Fact("older", visible(comparison.old.id)), Fact("newer", visible(comparison.new.id))
    yield Facts((*runs, *(Fact("gate", visible(gate), "bad") for gate in gates)))
    yield from (Sentence(f"note: {visible(note)}", "note") for note in comparison.notes)
    for title, changes in groups(comparison):
        yield Section(f"{title[0].upper()}{title[1:]}", (Listing(tuple(map(name_of, changes))),))
    table = Table.of(HEADER, map(cells, comparison.rows), after=len(HEADER) - 1)
    means = (Sentence(INTERVAL, "note"),) if any(row.interval for row in comparison.rows) else ()
    details = Facts(tuple(Fact(visible(row.name), detail(row)) for row in comparison.rows))
    yield Section("Every row", (table, *means, details))
    if comparison.unstable:
        apart = f"{count(comparison.unstable, 'question')} set apart: right only sometimes in the same run"
        yield Sentence(apart, "note")
    if broke := newly_broken(comparison):
        shown = Examples(tuple(_example(change, recording) for change in broke[:NAMED]))
        yield Section("What newly broke", (shown,))


def _example(change: Change, recording: str) -> Example:
    before = (Fact("before", visible(change.before)),) if change.before else ()
    answers = Fact("expected", expected_by(change)), *before, Fact("got", visible(change.got) or "(nothing)")
    lines = tuple(marked(change.alteration))
    return Example(visible(change.row), lines, answers, reproduce(change.unit, recording), change.unit)

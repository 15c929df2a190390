"""A comparison in words: the same lines on a terminal, in Markdown and in a message."""

from __future__ import annotations

from collections.abc import Iterator

from botattack.report.comparison.diff import Change, DiffRow, RunComparison
from botattack.report.escape import visible
from botattack.report.numbers import NONE, count
from botattack.report.writers.alterations import marked
from botattack.report.writers.marks import join
from botattack.report.writers.measure_words import p_value, point_span, points
from botattack.report.writers.words import expected_of, reproduce

NAMED = 10
"""Broken units that are shown in full."""
HEADER = ("row", "broken before", "now", "change", "change's interval", "q", "verdict")
INTERVAL = (
    "The interval is of the change (newly broken minus newly fixed), not of a rate; a rate's own interval is in the "
    "report of its run. Both are at 95 %."
)


def verdict(comparison: RunComparison) -> str:
    """The whole comparison in one sentence."""
    worse = [visible(row.name) for row in comparison.regressions]
    if worse:
        return f"Regression in {', '.join(worse)}."
    drifting = [visible(row.name) for row in comparison.rows if row.tier == "drift"]
    if drifting:
        return f"No regression; {', '.join(drifting)} may be getting worse."
    if all(row.tier == "not enough data" for row in comparison.rows):
        return "Not enough questions are in both runs to say anything."
    return "No regression."


def cells(row: DiffRow) -> tuple[str, ...]:
    """One line of the table, below HEADER."""
    change = NONE if row.change is None else points(row.change)
    between = NONE if row.interval is None else point_span(row.interval)
    sure = NONE if row.q is None else p_value("q", row.q).removeprefix("q ").removeprefix("= ")
    shares = (f"{row.old:,}/{row.units:,}", f"{row.new:,}/{row.units:,}")
    return (visible(row.name), *shares, change, between, sure, row.tier)


def detail(row: DiffRow) -> str:
    """What the table leaves out: how the change came about, what is in one run only, and what the row can show."""
    parts = [f"{row.broken:,} newly broken, {row.mended:,} newly fixed, {count(row.questions, 'question')}"]
    others = (
        (row.missing, "missing"),
        (row.added, "added"),
        (row.undecided, "undecided"),
        (row.set_apart, "set apart"),
    )
    parts += [f"{number:,} {what}" for number, what in others if number]
    if row.needed is not None:
        parts.append(f"about {row.needed:,} questions would show a drop of 5 points")
    return "; ".join(parts)


def lines(comparison: RunComparison) -> Iterator[str]:
    """The comparison as plain text."""
    old, new = comparison.old, comparison.new
    yield f"older  {visible(old.id)}"
    yield f"newer  {visible(new.id)}"
    yield ""
    yield verdict(comparison)
    yield from (f"note: {visible(note)}" for note in comparison.notes)
    yield ""
    yield from _table([HEADER, *map(cells, comparison.rows)])
    if any(row.interval for row in comparison.rows):
        yield INTERVAL
    yield ""
    for row in comparison.rows:
        yield f"{visible(row.name)}: {detail(row)}"
    if comparison.unstable:
        yield f"{count(comparison.unstable, 'question')} disagreed with themselves and are set apart"


def named(comparison: RunComparison, recording: str, most: int = NAMED) -> Iterator[list[str]]:
    """The newly broken units, those of regressions first, each as its lines."""
    worse = {row.name for row in comparison.regressions}
    broken = [change for change in comparison.changes if change.broke]
    for change in sorted(broken, key=lambda change: change.row not in worse)[:most]:
        yield list(change_lines(change, recording))


def change_lines(change: Change, recording: str) -> Iterator[str]:
    for number, shown in enumerate(marked(change.alteration)):
        yield (f"{visible(change.row)}: " if number == 0 else "  ") + join(shown)
    yield f"  expected  {'another answer than ' if change.expect == 'different' else ''}{expected_of(change.expected)}"
    yield f"  got       {visible(change.got) or '(nothing)'}"
    yield f"  {reproduce(change.unit, recording)}"


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        shown = [
            cell.ljust(width) if column in (0, 6) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(shown).rstrip()

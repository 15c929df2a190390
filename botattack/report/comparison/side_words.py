"""Bots side by side in words: the same tables on a terminal, in Markdown and on a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from botattack.report.comparison.diff import DiffRow
from botattack.report.comparison.diff_words import aligned, cells
from botattack.report.comparison.side_by_side import Breaks, Pair, SharedAdversary, SideBySide, differs
from botattack.report.escape import visible
from botattack.report.numbers import NONE, count, percent, span
from botattack.report.wording.alterations import marked
from botattack.report.wording.finding_words import expected_of, reproduce
from botattack.report.wording.marks import join

LISTED = 20
"""Shared adversaries that a terminal and Markdown show."""
ON_PAGE = 200
"""Those that a page shows."""


@dataclass(frozen=True)
class Table:
    """A table with what it means; of each row the first cell is its name. All text is harmless to print."""

    title: str
    note: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def headline(found: SideBySide) -> str:
    """`12 variants of 5 questions break several of 3 bots; of 40 questions.`"""
    several = f"{count(found.shared_units, 'variant')} of {count(found.shared_questions, 'question')}"
    verb = "breaks" if found.shared_units == 1 else "break"
    shared = (
        f"{several} {verb} more than one of {len(found.bots)} bots" if found.shared_units else "No variant breaks two"
    )
    return f"{shared}; {count(found.questions, 'question')} in every run."


def tables(found: SideBySide) -> Iterator[Table]:
    """Those that have a row."""
    every = (_originals(found), _each(found), _matrix(found), _transfers(found), _paired(found), _spread(found))
    yield from (table for table in every if table.rows)


def _originals(found: SideBySide) -> Table:
    note = "Of those that brought a reply that the judge was sure of."
    rows = zip(_names(found), (f"{bot.right:,}/{bot.decided:,}" for bot in found.bots), strict=True)
    return Table("Originals answered correctly", note, ("bot", "correct"), tuple(rows))


def _each(found: SideBySide) -> Table:
    note = "Variants with a verdict on every bot, of originals that every bot answered correctly."
    rows = [(visible(name), *map(_share, breaks)) for name, breaks in found.rows.items()]
    return Table("What breaks each bot", note, ("attack", *_names(found)), tuple(rows))


def _matrix(found: SideBySide) -> Table:
    note = "Of the variants that break the bot of the line, the share that breaks the bot of the column, too."
    share = {(one.source, one.to): percent(one.both.rate) for one in found.transfers}
    numbers = range(len(found.bots))
    names = _names(found)
    rows = ((names[i], *(share.get((i, j), "") for j in numbers)) for i in numbers)
    return Table("Transfer", note, ("breaks", *names), tuple(rows))


def _transfers(found: SideBySide) -> Table:
    note = "By chance is what it would be if the two bots broke independently of each other within each attack."
    header = ("what breaks", "also breaks", "share", "95 % interval", "by chance")
    names = _names(found)
    rows = (
        (names[one.source], names[one.to], _share(one.both), _between(one.both), percent(one.chance))
        for one in found.transfers
    )
    return Table("Transfer in figures", note, header, tuple(rows))


def _paired(found: SideBySide) -> Table:
    note = (
        "Exact McNemar test if a question has one variant, else a permutation of signs over questions; q is adjusted "
        "over all pairs. The interval is of the difference."
    )
    header = ("bots", "row", "first broken", "second broken", "difference", "95 % interval", "q", "verdict")
    rows = (_pair(found, pair, row) for pair in found.pairs for row in pair.rows)
    return Table("Paired tests", note, header, tuple(rows))


def _pair(found: SideBySide, pair: Pair, row: DiffRow) -> tuple[str, ...]:
    names = _names(found)
    first, second = names[pair.first], names[pair.second]
    worse, (*figures, _) = differs(row), cells(row)
    verdict = "not enough data" if row.q is None else "no difference shown"
    if worse is not None:
        verdict = f"{(first, second)[worse]} breaks more"
    return (f"{first}, {second}", *figures, verdict)


def _spread(found: SideBySide) -> Table:
    note = "Of the variants that were decided on every bot."
    rows = ((count(number, "bot"), f"{units:,}") for number, units in found.spread.items())
    return Table("Variants by how many bots they break", note, ("breaks", "variants"), tuple(rows))


def _names(found: SideBySide) -> tuple[str, ...]:
    return tuple(visible(bot.name) for bot in found.bots)


def _share(breaks: Breaks) -> str:
    return f"{breaks.broken:,}/{breaks.units:,}" + (f" ({percent(breaks.rate)})" if breaks.units else "")


def _between(breaks: Breaks) -> str:
    return NONE if breaks.interval is None else span(breaks.interval)


def adversary(one: SharedAdversary, found: SideBySide) -> list[str]:
    """A shared adversary as its lines: what was sent, what is right, what each bot said, and the command that shows
    more."""
    names = _names(found)
    shown = [
        ("" if number else f"{visible(one.row)}: ") + join(line) for number, line in enumerate(marked(one.alteration))
    ]
    shown.append(f"  expected  {expected_of(one.expected, one.expect)}")
    for number, reply in sorted(one.replies.items()):
        state = "broke" if number in one.broke else "held"
        shown.append(f"  {state:<5}  {names[number]}: {visible(reply) or '(nothing)'}")
    return [*shown, f"  {reproduce(one.unit, found.bots[one.broke[0]].recording)}"]


def lines(found: SideBySide) -> Iterator[str]:
    """The comparison as plain text."""
    yield headline(found)
    yield from (f"note: {visible(note)}" for note in found.notes)
    for table in tables(found):
        yield from ("", table.title, table.note, "")
        yield from aligned([table.header, *table.rows], range(len(table.header)))
    for one in found.shared[:LISTED]:
        yield ""
        yield from adversary(one, found)
    if found.shared_units > LISTED:
        yield ""
        yield f"and {found.shared_units - LISTED:,} more; -o FILE.html or FILE.json lists them"

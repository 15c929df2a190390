"""What people marked, in words: the same lines in every report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from botattack.report.escape import flowing, visible
from botattack.report.figures.marks import MarkFigures
from botattack.report.numbers import count

SHOWN = 20
"""Marks that are named one by one."""
TEXT = 120
"""Characters of a text that are shown."""


def summary(marks: Sequence[MarkFigures]) -> str:
    """`3 marked findings are left out of all figures: 2 accepted, 1 wrong-verdict`; empty if none is."""
    kinds = Counter(each.mark.mark for each in marks if each.left_out)
    if not kinds:
        return ""
    are = "is" if kinds.total() == 1 else "are"
    named = ", ".join(f"{number:,} {kind}" for kind, number in sorted(kinds.items()))
    return f"{count(kinds.total(), 'marked finding')} {are} left out of all figures: {named}"


def lines(marks: Sequence[MarkFigures]) -> list[str]:
    """How many findings are left out, each by name, and which marks no longer hold or fit nothing."""
    told = [*filter(None, [summary(marks)]), *map(_line, marks[:SHOWN])]
    more = [f"and {count(len(marks) - SHOWN, 'mark')} more: botattack mark --list"] if len(marks) > SHOWN else []
    return told + more


def _line(one: MarkFigures) -> str:
    named = "; ".join(_named(one))
    if one.changed:
        now = " and ".join(one.now)
        was = f"was {visible(one.mark.verdict)}, and is {now} here"
        other = "the bot says something else" if [one.mark.verdict] == [*one.now] else was
        return f"{named}; it is counted {'in part ' * bool(one.left_out)}again, since {other} ({_undo(one)})"
    if one.settled:
        return f"{named}; counted as {one.mark.label}"
    if not one.left_out:
        return f"{named}; it fits nothing that was judged in this run ({_undo(one)})"
    return named


def _named(one: MarkFigures) -> Iterator[str]:
    mark = one.mark
    yield f"{mark.mark}: {flowing(mark.sent or mark.question, TEXT) or one.of}"
    by = f" ({visible(mark.by)})" if mark.by else ""
    yield f"{flowing(mark.why, TEXT)}{by}"


def _undo(one: MarkFigures) -> str:
    return f"botattack mark {one.of} --undo"

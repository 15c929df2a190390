"""How the pieces of a reply become one text: joined, the last of a growing one, or messages of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from botattack.targets.proving.behaviour import Said, goes_on, squeezed, steady
from botattack.targets.proving.replies import Form

Parts = Sequence[Sequence[str]]
"""The texts of the pieces, for each reply."""
_ENDS = (".", "!", "?", "…", "。", "؟", "！", "？", ":")


@dataclass(frozen=True)
class Joined:
    """How pieces are put together, and why that may be wrong."""

    pieces: str = ""
    several: str = ""
    doubt: str = ""
    glued: bool = False
    """Whether nothing is between members of a list: they have their spaces themselves."""
    reason: str = ""


def joined(form: Form, messages: Sequence[str], parts: Parts) -> Joined:
    """The hypothesis that all replies agree with."""
    rows = [[part for part in row if part] for row in parts]
    if form not in ("sse", "ndjson", "socket"):
        return _members(messages, rows)
    if max(map(len, rows)) > 1:
        if all(map(grows, rows)):
            return Joined("cumulative", reason="each piece repeats what came before")
        if all(map(_repeats, rows)):
            return Joined("cumulative", reason="the last piece repeats the whole")
        if any(map(_repeats, rows)) or any(map(grows, (row for row in rows if len(row) > 2))):
            return Joined(
                "incremental", doubt="the pieces of some replies repeat what came before, those of others do not"
            )
    if all(_are_messages(row) for row in rows):
        found = _members(messages, rows)
        pieces = "messages" if form == "socket" or max(map(len, rows)) > 1 else "incremental"
        return replace(found, pieces=pieces)
    return _incremental(rows)


def grows(row: Sequence[str]) -> bool:
    """Whether each text begins as the one before, but for its end: a cursor, or a word that was corrected."""
    return all(
        after.startswith(before if len(before) < 4 else before[: len(before) * 6 // 10])
        for before, after in pairwise(row)
    )


def _repeats(row: Sequence[str]) -> bool:
    return len(row) > 2 and squeezed("".join(row[:-1])) == squeezed(row[-1])


def _are_messages(row: Sequence[str]) -> bool:
    """Whether every piece is something said as a whole."""
    return all(len(before) > 3 and _apart(before, after) for before, after in pairwise(row))


def _apart(before: str, after: str) -> bool:
    """Whether a sentence ends between two texts, and nothing else stands there."""
    spaced = before[-1:].isspace() or after[:1].isspace()
    return before.endswith(_ENDS) and not spaced and not after[:1].islower()


def _members(messages: Sequence[str], rows: Parts) -> Joined:
    """Of several messages those that are always the same, or the question, are left out if one remains."""
    if max(map(len, rows)) < 2:
        return Joined()
    if _are_tokens(rows):
        return replace(_incremental(rows), pieces="", glued=True)
    whole = [row for row in rows if len(row) > 1]
    asked = [message for message, row in zip(messages, rows, strict=True) if len(row) > 1]
    first, last = (Said(tuple(asked), tuple(row[at] for row in whole)) for at in (0, -1))
    if not first.fault and not last.fault:
        return _together(asked, rows)
    if first.fault and last.fault:
        return Joined(doubt=f"of several messages the first and the last are no answer ({first.fault}; {last.fault})")
    if all(len(row) == 2 for row in whole):
        which, why = ("last", first.fault) if first.fault else ("first", last.fault)
        return Joined(several=which, reason=f"of several messages the {which} is the answer, another is {why}")
    return Joined(doubt=f"of several messages one is no answer: {first.fault or last.fault}")


def _are_tokens(rows: Parts) -> bool:
    """Whether members are the tokens of one text: many, most of them with a space at one end or next to such a one."""
    edges = [(before, after) for row in rows for before, after in pairwise(row)]
    spaced = sum(before[-1:].isspace() or after[:1].isspace() for before, after in edges)
    return max(map(len, rows)) > 4 and 3 * spaced > len(edges)


def _together(asked: Sequence[str], rows: Parts) -> Joined:
    """Several messages that are one answer, if more than one of ours was answered so, and their number tells nothing
    else."""
    if len(set(asked)) < 2:
        return Joined(doubt="only one message was answered by several texts, and they may not all be the answer")
    if len({len(row) for row in rows}) == 1:
        return Joined(doubt=f"every reply has {len(rows[0])} texts there, and it is not clear that all are the answer")
    if any(goes_on(before, after) for row in rows for before, after in pairwise(row)):
        return Joined(doubt="what is between the parts of a sentence is not known")
    return Joined(reason="several messages are one answer")


def _incremental(rows: Parts) -> Joined:
    whole = ["".join(row) for row in rows]
    many = [text for row, text in zip(rows, whole, strict=True) if len(row) > 4]
    if many and not any(each.isspace() for text in many for each in text):
        return Joined("incremental", doubt="joined pieces make one long word: what is between them is not known")
    if any(before.endswith((".", "!", "?")) and after[:1].isupper() for row in rows for before, after in pairwise(row)):
        return Joined("incremental", doubt="what is between the sentences of joined pieces is not known")
    if any(_halves(text) for text in whole):
        return Joined("incremental", doubt="joined pieces say everything twice")
    for edge, where in ((1, "begins"), (-1, "ends")):
        if beside := _constant_edge(rows, edge):
            return Joined(
                "incremental", doubt=f"every reply {where} with {beside!r}, which may be no part of the answer"
            )
    return Joined("incremental", reason="each piece continues the one before")


def _halves(text: str) -> bool:
    text = squeezed(text)
    middle = len(text) // 2
    return len(text) > 20 and any(text[:at].strip() == text[at:].strip() for at in (middle, middle + 1))


def _constant_edge(rows: Parts, edge: int) -> str:
    """The piece that every reply begins or ends with, if it is something said as a whole beside more."""
    if min(map(len, rows)) < 2 or len({tuple(row) for row in rows}) < 2:
        return ""
    row = [list(each) if edge == 1 else list(each)[::-1] for each in rows]
    if len({steady(each[0]) for each in row}) > 1 or len(row[0][0].split()) < 2:
        return ""
    one, two = row[0][0], row[0][1]
    return "" if goes_on(*((one, two) if edge == 1 else (two, one))) else one[:80]

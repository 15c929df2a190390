"""Edits made one after the other, as edits of the first text. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from botattack.model import Edit

Edits = tuple[Edit, ...]


@dataclass
class _Run:
    """A stretch of the text in the middle that edits of either side touch: where it stands there, and who does."""

    start: int
    end: int
    first: list[Edit]
    second: list[Edit]


def composed(original: str, first: Edits, middle: str, second: Edits, where: str = "question") -> Edits:
    """Edits that make of `original` what `second` makes of `middle`, which is `original` after `first`.

    Edits that touch become one; all others stay as they are. An edit that takes back an earlier one goes.
    """
    merged: list[Edit] = []
    shift = 0  # how much longer the original is than the middle, up to here
    for run in _runs([e for e in first if e.where == where], [e for e in second if e.where == where]):
        start = run.start + shift
        shift += sum(len(edit.before) - len(edit.after) for edit in run.first)
        before = original[start : run.end + shift]
        after = _applied(middle[run.start : run.end], run)
        if before != after:
            merged.append(_edit(run, start, before, after, where))
    return tuple(merged)


def _runs(first: Sequence[Edit], second: Sequence[Edit]) -> list[_Run]:
    spans: list[tuple[int, int, int, Edit]] = []
    shift = 0
    for edit in first:
        start = edit.start + shift
        spans.append((start, start + len(edit.after), 0, edit))
        shift += len(edit.after) - len(edit.before)
    spans += [(edit.start, edit.start + len(edit.before), 1, edit) for edit in second]
    runs: list[_Run] = []
    for start, end, side, edit in sorted(spans, key=lambda span: span[:3]):
        if not runs or start > runs[-1].end:
            runs.append(_Run(start, end, [], []))
        (runs[-1].second if side else runs[-1].first).append(edit)
        runs[-1].end = max(runs[-1].end, end)
    return runs


def _applied(text: str, run: _Run) -> str:
    pieces, end = [], 0
    for edit in run.second:
        start = edit.start - run.start
        pieces += [text[end:start], edit.after]
        end = start + len(edit.before)
    return "".join([*pieces, text[end:]])


def _edit(run: _Run, start: int, before: str, after: str, where: str) -> Edit:
    edits = [*run.first, *run.second]
    kinds = " + ".join(dict.fromkeys(edit.kind for edit in edits))
    known = next((edit for edit in edits if edit.relation or edit.pos), edits[0])
    return Edit(start, before, after, kinds, where, known.relation, known.pos)

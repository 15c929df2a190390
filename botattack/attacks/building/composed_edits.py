"""Edits made one after the other, as edits of what was there first. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import msgspec

from botattack.model import Edit, Fact, Meaning, Question, Turns, Variant, edited, edited_text, places
from botattack.places import QUESTION, Place, PlaceKind
from botattack.text.spelling import text_distance
from botattack.text.tokens import normalised

Edits = tuple[Edit, ...]
Form = tuple[str, ...]
"""What a conversation says, in the form in which two are the same."""
_MEANINGS: tuple[Meaning, ...] = ("kept", "unsure", "changed")


@dataclass
class _Stretch:
    """A stretch of the text in the middle that edits of either side touch: where it is there, and who does."""

    start: int
    end: int
    first: list[Edit]
    second: list[Edit]


def composed(turns: Turns, first: Edits, second: Edits) -> Edits:
    """Edits that make of `turns` what `second` makes of `edited(turns, first)`.

    Edits that touch become one; all others stay as they are. An edit that takes back an earlier one goes.
    """
    original, middle = places(turns), places(edited(turns, first))
    found: list[Edit] = []
    for place in [QUESTION, *(place for place in original if place.kind == "history")]:
        found += _composed_at(place, original[place], _of(first, place), middle[place], _of(second, place))
    listed: tuple[Literal["passage", "turn"], ...] = ("passage", "turn")
    for kind in listed:
        found += _listed(kind, original, first, middle, second)
    return tuple(found)


def _of(edits: Edits, place: Place) -> list[Edit]:
    return [edit for edit in edits if edit.place == place]


def _listed(
    kind: Literal["passage", "turn"],
    original: dict[Place, str],
    first: Edits,
    middle: dict[Place, str],
    second: Edits,
) -> Iterator[Edit]:
    """The edits of texts that stand in a row, between which others were put."""
    count = sum(place.kind == kind for place in original)
    added = cast("PlaceKind", f"added {kind}")
    row: list[tuple[int, Edit | None]] = []
    for i in range(count + 1):
        row += [(i, edit) for edit in _of(first, Place(added, i))]
        row += [(i, None)] if i < count else []
    for number, (i, put) in enumerate([*row, (count, None)]):
        for edit in _of(second, Place(added, number)):
            yield msgspec.structs.replace(edit, place=Place(added, i))
        here = _of(second, Place(kind, number))
        if put is not None:
            yield _combined(put, middle[Place(kind, number)], here)
        elif number < len(row):
            place = Place(kind, i)
            yield from _composed_at(place, original[place], _of(first, place), middle[Place(kind, number)], here)


def _combined(put: Edit, text: str, edits: Sequence[Edit]) -> Edit:
    """An added text with edits of its own."""
    if not edits:
        return put
    run = _Stretch(0, len(text), [put], list(edits))
    return msgspec.structs.replace(put, after=_applied(text, run), kind=_kinds(run))


def _composed_at(
    place: Place, original: str, first: Sequence[Edit], middle: str, second: Sequence[Edit]
) -> Iterator[Edit]:
    shift = 0  # how much longer the original is than the middle, up to here
    for run in _runs(first, second):
        start = run.start + shift
        shift += sum(len(edit.before) - len(edit.after) for edit in run.first)
        before = original[start : run.end + shift]
        after = _applied(middle[run.start : run.end], run)
        if before != after:
            known = next((edit for edit in (*run.first, *run.second) if edit.relation or edit.pos), None)
            relation, pos = (known.relation, known.pos) if known else ("", "")
            yield Edit(start, before, after, _kinds(run), place, relation, pos)


def _runs(first: Sequence[Edit], second: Sequence[Edit]) -> list[_Stretch]:
    spans: list[tuple[int, int, int, Edit]] = []
    shift = 0
    for edit in first:
        start = edit.start + shift
        spans.append((start, start + len(edit.after), 0, edit))
        shift += len(edit.after) - len(edit.before)
    spans += [(edit.start, edit.start + len(edit.before), 1, edit) for edit in second]
    runs: list[_Stretch] = []
    for start, end, side, edit in sorted(spans, key=lambda span: span[:3]):
        if not runs or start > runs[-1].end:
            runs.append(_Stretch(start, end, [], []))
        (runs[-1].second if side else runs[-1].first).append(edit)
        runs[-1].end = max(runs[-1].end, end)
    return runs


def _applied(text: str, run: _Stretch) -> str:
    pieces, end = [], 0
    for edit in run.second:
        start = edit.start - run.start
        pieces += [text[end:start], edit.after]
        end = start + len(edit.before)
    return "".join([*pieces, text[end:]])


def _kinds(run: _Stretch) -> str:
    return " + ".join(dict.fromkeys(edit.kind for edit in (*run.first, *run.second)))


def question_after(question: Question, turns: Turns, edits: Edits) -> Question:
    """What `turns` ask, which are the question after `edits`; its facts are where the edits moved them."""
    *before, last = turns
    earlier = [
        msgspec.structs.replace(question.earlier[turn.asks], text=turn.text) for turn in before if turn.asks is not None
    ]
    facts = tuple(_moved(fact, edits) for fact in question.facts)
    return msgspec.structs.replace(
        question,
        text=last.text,
        passages=last.passages,
        history=last.history,
        facts=facts,
        earlier=tuple(earlier),
        masked="",
    )


def _moved(fact: Fact, edits: Edits) -> Fact:
    """A fact that an edit touches takes in all that the edit put there."""
    ahead = sum(edit.place.kind == "added passage" and edit.place.index <= fact.passage for edit in edits)
    spans = [
        (edit.start, edit.start + len(edit.before), len(edit.after) - len(edit.before))
        for edit in _of(edits, Place("passage", fact.passage))
    ]
    touching = [span for span in spans if span[0] < fact.end and span[1] > fact.start]
    start = min([fact.start, *(span[0] for span in touching)])
    end = max([fact.end, *(span[1] for span in touching)])
    before = sum(longer for _, stop, longer in spans if stop <= start)
    inside = sum(longer for first, stop, longer in spans if stop > start and first < end)
    return Fact(fact.passage + ahead, start + before, end + before + inside)


def form_of(turns: Turns) -> Form:
    """The normal form of everything that is said."""
    return tuple(map(normalised, places(turns).values()))


def distance_of(turns: Turns, edits: Edits) -> int:
    """The Damerau-Levenshtein distance that edits go, over all places; an added text counts in full."""
    texts, total = places(turns), 0
    for place in dict.fromkeys(edit.place for edit in edits):
        here = _of(edits, place)
        if place.is_added:
            total += sum(len(edit.after) for edit in here)
        else:
            total += text_distance(texts[place], edited_text(texts[place], here))
    return total


def variant_of(question: Question, attack: str, edits: Edits, **more: Any) -> Variant:
    """The variant that edits make, at whatever places."""
    far = distance_of(question.turns, edits)
    return Variant(edited(question.turns, edits), attack, edits, distance=far, **more)


def texts_edited(turns: Turns, variant: Variant) -> tuple[str, str]:
    """What is at the places that a variant edits, before and after: what a guard on meaning compares."""
    texts = places(turns)
    there = [place for place in dict.fromkeys(edit.place for edit in variant.edits) if place in texts]
    before = [texts[place] for place in there] or [texts[QUESTION]]
    after = [edited_text(texts[place], _of(variant.edits, place)) for place in there] or [variant.prompt.text]
    return "\n".join(before), "\n".join(after)


def worst(one: Variant, other: Variant) -> tuple[Meaning, str]:
    """What two changes do to the meaning together, and why: the less certain of both."""
    if one.meaning == other.meaning == "changed":
        return "unsure", f"changed twice: {one.why}; {other.why}"
    if "unsure" in (one.meaning, other.meaning):
        return "unsure", "; ".join(variant.why for variant in (one, other) if variant.meaning != "kept")
    found = max((one, other), key=lambda variant: _MEANINGS.index(variant.meaning))
    return found.meaning, found.why

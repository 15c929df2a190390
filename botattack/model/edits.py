"""How the turns of a variant differ from those of its question: each edit at its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

import msgspec

from botattack.model.questions import Prompt, Turn, Turns
from botattack.model.values import Value
from botattack.places import QUESTION, Place

_T = TypeVar("_T")


class Edit(Value, frozen=True, gc=False):
    """One replacement. `start` counts characters of the original text at `place`, before any edit; of an added text,
    `before` is empty and `after` is all of it.

    `kind` is the attack's own word for what was done; `relation` and `pos` are the dependency relation and part of
    speech of the edited word, where parsed.
    """

    start: int
    before: str
    after: str
    kind: str
    place: Place = msgspec.field(default=QUESTION, name="where")
    relation: str = ""
    pos: str = ""


def places(turns: Turns) -> dict[Place, str]:
    """Each place of a list of turns with the text that is there; a fixed prompt is a list of one."""
    *earlier, last = turns
    found = {QUESTION: last.text}
    found |= {Place("passage", i): text for i, text in enumerate(last.passages)}
    found |= {Place("history", j): turn.text for j, turn in enumerate(last.history)}
    found |= {Place("turn", j): prompt.text for j, prompt in enumerate(earlier)}
    return found


def edited(turns: Turns, edits: Sequence[Edit]) -> Turns:
    """The turns after edits, of which those of one place ascend, do not overlap and say `before` what is there.
    Raises ValueError if one does not fit."""
    last = turns[-1]
    if len(turns) == 1 and all(edit.place is QUESTION for edit in edits):
        return (Prompt(edited_text(last.text, edits), last.passages, last.history),)
    texts, by_place = places(turns), dict[Place, list[Edit]]()
    for edit in edits:
        by_place.setdefault(edit.place, []).append(edit)
    for place in [place for place in by_place if not place.is_added]:
        if place not in texts:
            raise ValueError(f"there is nothing at {place}")
        texts[place] = edited_text(texts[place], by_place.pop(place))
    passages = _with_added(
        "added passage", [texts[Place("passage", i)] for i in range(len(last.passages))], by_place, str
    )
    history = tuple(Turn(turn.speaker, texts[Place("history", j)]) for j, turn in enumerate(last.history))
    before = []
    for j, turn in enumerate(turns[:-1]):
        # What goes with the question goes with every turn of its conversation, but for one with texts of its own.
        own = (turn.passages, turn.history)
        beside = (passages, history) if own == (last.passages, last.history) else own
        before.append(Prompt(texts[Place("turn", j)], *beside, asks=turn.asks))
    earlier = _with_added("added turn", before, by_place, lambda text: Prompt(text, passages, history))
    if by_place:
        raise ValueError(f"there is no {next(iter(by_place))}")
    return (*earlier, Prompt(texts[QUESTION], passages, history, asks=last.asks))


def edited_text(text: str, edits: Sequence[Edit]) -> str:
    """The text after edits of its place, which ascend, do not overlap and say `before` what is there. Raises ValueError
    if one does not fit."""
    pieces, end = [], 0
    for edit in edits:
        start, before = edit.start, edit.before
        stop = start + len(before)
        if start < end or text[start:stop] != before:
            raise ValueError(f"edit at {start} does not fit {text!r}")
        pieces.append(text[end:start])
        pieces.append(edit.after)
        end = stop
    pieces.append(text[end:])
    return "".join(pieces)


def _with_added(
    kind: Literal["added passage", "added turn"],
    given: Sequence[_T],
    edits: dict[Place, list[Edit]],
    make: Callable[[str], _T],
) -> tuple[_T, ...]:
    """What is given, with what edits add in front of each and behind the last; takes those edits out of `edits`."""
    found: list[_T] = []
    for i in range(len(given) + 1):
        found += [make(edit.after) for edit in edits.pop(Place(kind, i), ())]
        found += given[i : i + 1]
    return tuple(found)

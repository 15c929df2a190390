"""What was sent in place of what, as lines: each edit at its place, and the turns of a conversation with replies."""

from __future__ import annotations

from collections.abc import Iterator

from botattack.cases import Alteration
from botattack.model import edited, places
from botattack.places import QUESTION, Place
from botattack.report.escape import visible
from botattack.report.writers.marks import MarkedText, both_sides, pieces, places_of

Line = tuple[MarkedText, ...]
SAID = 300
"""Characters of an earlier reply that are shown."""
_TURNS = frozenset(("turn", "added turn"))


def marked(alteration: Alteration, most: int | None = None) -> list[Line]:
    """The question with its edits marked, then each other place that was edited, shortened around the edits; then the
    turns before the question, each with its reply. At most `most` edits of a place are marked.

    What was sent is shown as it is where the edits do not lead to it: where they are of another text, or where a whole
    new text has none.
    """
    original, edits, sent, _, door = alteration
    try:
        if sent and edited(original, edits) != sent:
            raise ValueError("what was sent came about in another way")
        shown = list(_edited(alteration, most))
    except ValueError:
        shown = [(MarkedText("plain", visible(text)),) for text in _differing(alteration)]
    told = [(MarkedText("plain", f"passages sent {door}"),)] if door else []
    return [*shown, *_turns(alteration), *told]


def sent_text(alteration: Alteration) -> str:
    """The question as it was sent, then whatever else was sent and is not in the original, in one text."""
    if not alteration.sent:
        return ""
    turns = ("".join(piece.text for piece in line) for line in _turns(alteration))
    return " | ".join((*_differing(alteration), *turns))


def _edited(alteration: Alteration, most: int | None) -> Iterator[Line]:
    edits, texts = alteration.edits, places(alteration.original)
    yield pieces(texts[QUESTION], edits, most=most)
    for place in places_of(edits):
        if place == QUESTION or (place.kind in _TURNS and len(alteration.sent) > 1):
            continue
        here = tuple(edit for edit in edits if edit.place == place)
        line = pieces(texts[place], edits, place, most=most) if place in texts else both_sides(here)
        yield _label(place), *line


def _differing(alteration: Alteration) -> Iterator[str]:
    sent = alteration.sent or alteration.original
    known = set(places(alteration.original).values())
    yield sent[-1].text
    for place, text in places(sent).items():
        if place != QUESTION and place.kind not in _TURNS and text not in known:
            yield f"{place}: {text}"


def _turns(alteration: Alteration) -> Iterator[Line]:
    """The turns before the question."""
    added = {edit.after: edit for edit in alteration.edits if edit.place.kind == "added turn"}
    for number, prompt in enumerate(alteration.sent[:-1]):
        edit = added.get(prompt.text)
        yield (
            _label(Place("turn", number)),
            *(both_sides((edit,)) if edit else (MarkedText("plain", visible(prompt.text)),)),
        )
        if number < len(alteration.replies):
            yield (MarkedText("plain", f"reply {number}: {visible(alteration.replies[number], SAID)}"),)


def _label(place: Place) -> MarkedText:
    return MarkedText("plain", f"{place}: ")

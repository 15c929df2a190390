"""What was sent in place of what, as lines: each edit at its place, and the turns of a conversation with replies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from botattack.cases import Alteration
from botattack.model import Prompt, edited, edited_text, places
from botattack.places import QUESTION, Place
from botattack.report.escape import flowing, unmarked, visible
from botattack.report.wording.marks import MarkedText, both_sides, pieces, places_of
from botattack.report.wording.outcomes import VERDICTS

Line = tuple[MarkedText, ...]
SAID = 300
"""Characters of an earlier reply that are shown."""
RIGHTS = 3
"""Right answers of a turn that are shown."""
_TURNS = frozenset(("turn", "added turn"))


def marked(alteration: Alteration, most: int | None = None) -> list[Line]:
    """The question with its edits marked, then each other place that was edited, shortened around the edits. A
    conversation of several turns is shown turn by turn in place of the question, each with its reply and the verdict on
    it. At most `most` edits of a place are marked.

    What was sent is shown as it is where the edits do not lead to it: where they are of another text, or where a whole
    new text has none.
    """
    original, edits, sent = alteration.original, alteration.edits, alteration.sent
    talk = list(_talk(alteration, most)) if len(sent) > 1 else []
    try:
        if sent and not talk and edited(original, edits) != sent:
            raise ValueError("what was sent came about in another way")
        shown = [*(talk or [pieces(alteration.question, alteration.edits, most=most)]), *_beside(alteration, most)]
    except ValueError:
        said, *others = ((MarkedText("plain", visible(text)),) for text in _differing(alteration))
        shown = [*(talk or [said]), *others]
    told = [(MarkedText("plain", f"passages sent {alteration.door}"),)] if alteration.door else []
    return [*shown, *told]


def sent_text(alteration: Alteration) -> str:
    """The question as it was sent, then whatever else was sent and is not in the original, in one text."""
    if not alteration.sent:
        return ""
    talk = ("".join(piece.text for piece in line) for line in _talk(alteration)) if len(alteration.sent) > 1 else ()
    return " | ".join((*_differing(alteration), *talk))


def _beside(alteration: Alteration, most: int | None) -> Iterator[Line]:
    """The edits of other places than turns; of those too, where nothing of what was said is known."""
    edits, texts = alteration.edits, places(alteration.original)
    for place in places_of(edits):
        if place == QUESTION or (place.kind in _TURNS and len(alteration.sent) > 1):
            continue
        here = tuple(edit for edit in edits if edit.place == place)
        is_new = place not in texts or (len(here) == 1 and here[0].before == texts[place])
        line = both_sides(here) if is_new else pieces(texts[place], edits, place, most=most)
        yield MarkedText("plain", f"{place}: "), *line


def _differing(alteration: Alteration) -> Iterator[str]:
    sent = alteration.sent or alteration.original
    known = set(places(alteration.original).values())
    yield sent[-1].text
    for place, text in places(sent).items():
        if place != QUESTION and place.kind not in _TURNS and text not in known:
            yield f"{place}: {text}"


def _talk(alteration: Alteration, most: int | None = None) -> Iterator[Line]:
    """What the user and the bot said, in turn."""
    verdicts = _verdicts(alteration)
    for number, prompt in enumerate(alteration.sent):
        yield MarkedText("user", f"turn {number}: "), *_turn(alteration, number, prompt, most)
        if number < len(alteration.replies):
            said = MarkedText("plain", flowing(unmarked(alteration.replies[number]), SAID))
            yield MarkedText("bot", f"reply {number}: "), said, *verdicts.get(number, ())


def _verdicts(alteration: Alteration) -> dict[int, Line]:
    """What is said of each reply that was judged: the verdict, what was right, and where the bot broke."""
    found: dict[int, Line] = {}
    for each, right in zip(alteration.verdicts, alteration.rights, strict=False):
        broke = each.turn == alteration.broke
        known = " or ".join(visible(one, 80) for one in right[:RIGHTS])
        says = (
            f"{VERDICTS[each.verdict.kind]}{', breaks here' if broke else ''}{f'; expected: {known}' if known else ''}"
        )
        found[each.turn] = (MarkedText("broke" if broke else "verdict", f" ({says})"),)
    return found


def _turn(alteration: Alteration, number: int, prompt: Prompt, most: int | None) -> Line:
    """A turn with its edits, if they lead to it."""
    original, edits, sent = alteration.original, alteration.edits, alteration.sent
    last = len(original) - 1
    asks = prompt.asks if prompt.asks is not None or number < len(sent) - 1 else last
    if asks is not None and asks <= last:
        place = QUESTION if asks == last else Place("turn", asks)
        here = [edit for edit in edits if edit.place == place]
        with suppress(ValueError):
            if edited_text(original[asks].text, here) == prompt.text:
                return pieces(original[asks].text, edits, place, most=most)
    added = next((edit for edit in edits if edit.place.kind == "added turn" and edit.after == prompt.text), None)
    return both_sides((added,)) if added else (MarkedText("plain", visible(prompt.text)),)

"""Edits shown on their text: `what is the [capital → captial] of france`."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

from botattack.model import Edit
from botattack.places import QUESTION, Place
from botattack.report.escape import hidden, visible
from botattack.report.numbers import count

NOTHING = "(nothing)"
SPACE = "␣"
SIGNS = 5
"""Hidden characters that are named."""
AROUND = 60
"""Characters of untouched text kept on either side of an edit, if there is more."""

GONE = 30
"""Characters that are kept of a text that another one replaced."""


@dataclass(frozen=True)
class MarkedText:
    """A part of a shown text, harmless to print: untouched, or the two sides of an edit, or `soft`, which says nothing
    that counts; in a conversation, what says that the user or the bot speaks, and the verdict on a reply, which `broke`
    the bot first or did not."""

    role: Literal["plain", "before", "after", "user", "bot", "verdict", "broke"]
    text: str
    heat: int | None = None
    """From 0 to 10: how often the bot broke where this was altered; None if that is not known."""


def pieces(
    text: str, edits: tuple[Edit, ...], place: Place = QUESTION, around: int = AROUND, most: int | None = None
) -> tuple[MarkedText, ...]:
    """The text with its edits of one place; an edit that does not fit the text raises ValueError.

    Untouched text far from any edit is left out as `…`. Of more edits than `most` the first are shown, and the text
    ends with the number of the others.
    """
    every = tuple(edit for edit in edits if edit.place == place)
    here, others = every[:most], every[len(every[:most]) :]
    ends = [0, *(edit.start + len(edit.before) for edit in here)]
    starts = [*(edit.start for edit in here), others[0].start if others else len(text)]
    shown: list[MarkedText] = []
    for number, (end, start) in enumerate(zip(ends, starts, strict=True)):
        if start < end:
            raise ValueError(f"edit at {start} does not fit {text!r}")
        keep = (around if number else 0, around if number < len(here) else 0) if here else (2 * around, 0)
        shown.append(MarkedText("plain", visible(_shortened(text[end:start], *keep), None)))
        if number < len(here):
            shown += _sides(text, here[number])
    if others:
        shown.append(MarkedText("plain", f" … and {count(len(others), 'more edit')}"))
    return tuple(piece for piece in shown if piece.text)


def both_sides(edits: tuple[Edit, ...]) -> tuple[MarkedText, ...]:
    """Edits whose text is not known, is new or was replaced as a whole, without the text around. Long sides are
    shortened: what is new says more than what is gone."""
    shown: list[MarkedText] = []
    for edit in edits:
        before = _shortened(edit.before, *((GONE, 0) if edit.after else (2 * AROUND, 2 * AROUND)))
        after = _shortened(edit.after, 2 * AROUND, 2 * AROUND)
        shown += [MarkedText("before", _side(before)), MarkedText("after", _side(_named(before, after)))]
    return tuple(shown)


def join(shown: tuple[MarkedText, ...]) -> str:
    """The same as one line of plain text."""
    opened, closed = {"before": "[", "after": " → "}, {"after": "]"}
    return "".join(opened.get(piece.role, "") + piece.text + closed.get(piece.role, "") for piece in shown)


def hidden_signs(edits: tuple[Edit, ...]) -> tuple[str, ...]:
    """What is drawn in place of a sign that nobody sees, each with its name: `␣ SPACE`, `\\u200b ZERO WIDTH SPACE`."""
    put = dict.fromkeys(character for edit in edits for character in edit.after if hidden(character))
    signs = [f"{visible(character)} {_name(character)}" for character in list(put)[:SIGNS]]
    drawn = any(SPACE in _side(side) for edit in edits for side in (edit.before, edit.after))
    return tuple([f"{SPACE} {_name(' ')}"] * drawn + signs)


def alike(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _name(character: str) -> str:
    return unicodedata.name(character, f"U+{ord(character):04X}")


def places_of(edits: tuple[Edit, ...]) -> tuple[Place, ...]:
    """Where the edits are: the question first, then passages, history and turns."""
    return tuple(sorted({edit.place for edit in edits}))


def _sides(text: str, edit: Edit) -> tuple[MarkedText, MarkedText]:
    if text[edit.start : edit.start + len(edit.before)] != edit.before:
        raise ValueError(f"edit at {edit.start} does not fit {text!r}")
    return MarkedText("before", _side(edit.before)), MarkedText("after", _side(_named(edit.before, edit.after)))


def _side(text: str) -> str:
    """One side of an edit, in which spaces that the eye would miss are drawn."""
    if not text:
        return NOTHING
    core = text.strip(" ")
    lead = len(text) - len(text.lstrip(" ")) if core else len(text)
    tail = len(text) - len(text.rstrip(" ")) if core else 0
    drawn = SPACE * lead + core.replace("  ", SPACE * 2) + SPACE * tail
    return visible(drawn, None)


def _named(before: str, after: str) -> str:
    """A letter of another script that replaces one of a plain word is followed by its code point."""
    if not before.isascii() or len(before) != len(after):
        return after
    changed = zip(before, after, strict=True)
    return "".join(new + (f"‹U+{ord(new):04X}›" if new != old and _foreign(new) else "") for old, new in changed)


def _foreign(character: str) -> bool:
    return character.isalpha() and "LATIN" not in unicodedata.name(character, "LATIN")


def _shortened(text: str, head: int, tail: int) -> str:
    """The first `head` and the last `tail` characters, cut at spaces if one is near."""
    if len(text) <= head + tail + 1:
        return text
    front = text[:head].rsplit(" ", 1)[0] + " " if head else ""
    back = " " + text[len(text) - tail :].split(" ", 1)[-1] if tail else ""
    return f"{front}…{back}"

"""A wording without what is personal: signs in place of values, names, and words that too few conversations share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from botattack.audit.starting.logs.counting import (
    Token,
    Words,
    behind,
    capitals_inside,
    is_ordinary,
    speaks,
    tokens,
)
from botattack.text.made_up import listed_names, public_kind
from botattack.text.personal import FIRST, LAST, Slot, form_of, sign

LOST = "word"
"""The kind of a word that too few conversations share: nothing of its kind can be made up."""


@dataclass(frozen=True)
class Wording:
    """A text with signs in it. Only what may be kept is in the text."""

    text: str
    slots: tuple[Slot, ...] = ()

    def filled(self, value: Callable[[Slot], str]) -> str:
        """The text with a value in place of each sign."""
        return "".join(value(self.slots[ord(c) - ord(FIRST)]) if FIRST <= c <= LAST else c for c in self.text)

    def has(self, kind: str) -> bool:
        """Whether something of this kind was taken out."""
        return any(slot.kind == kind for slot in self.slots)


@dataclass(frozen=True)
class Masking:
    """Takes out of wordings what is personal. `words` are those of the whole log."""

    words: Words

    def wording(self, text: str, slots: list[Slot], code: str) -> Wording:
        """The wording of a text whose structured values are signs already."""
        found = tokens(text)
        capitals = capitals_inside(found, code)
        kept: list[Slot] = []
        parts: list[str] = []
        at, kind = 0, ""
        for place, word in enumerate(found):
            gap, at, before = text[at : word.start], word.end, kind
            kind = slots[word.sign].kind if word.is_sign else self._kind(found, place, before, capitals, code)
            if kind == before == "name" and not gap.strip(" -'’"):  # a first and a last name are one
                kept[-1] = Slot("name", "A A")
            elif kind:
                kept.append(slots[word.sign] if word.is_sign else Slot(kind, form_of(word.text)))
                parts += gap, sign(len(kept) - 1)
            else:
                parts += gap, word.text
        return Wording("".join([*parts, text[at:]]).strip(), tuple(kept))

    def _kind(self, found: list[Token], at: int, before: str, capitals: frozenset[int], code: str) -> str:
        """What a word is that may not stay; nothing if it may. `before` is what the word before it was."""
        word, key, words = found[at], found[at].folded, self.words
        inside = word.capital and not word.initial
        last = before == "name" and found[at - 1].end + 1 >= word.start and word.like_a_name
        first = inside or (word.capital and key in listed_names())
        first = first and at + 1 in capitals and found[at + 1].start == word.end + 1
        placed = last or first or behind("before_names", code, found, at)
        # Courtesies and question words are names only there: "my name is Day", "with Many Miller".
        if key in words.keep or (is_ordinary(key, code) and not (placed and inside)):
            return ""
        if any(c.isdecimal() for c in word.text):
            return "" if words.shared(key) else "number"
        if (
            words.is_name(word, code)
            or (placed and (word.capital or not words.common(key)))
            or (at in capitals and not public_kind(key, code))
            or (found[max(0, at - 1)].initial and speaks(found, at, code))
        ):
            return "name"
        if words.shared(key):
            return ""
        return public_kind(key, code) or ("name" if inside and code != "de" else LOST)

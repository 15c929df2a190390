"""A wording without what is personal: signs in place of values, names, and words that too few conversations share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from botattack.audit.starting.logs.counting import Token, Words, behind, cased, is_ordinary, tokens
from botattack.text.made_up import listed_names
from botattack.text.personal import FIRST, LAST, Slot, form_of, sign
from botattack.text.spelling import SpellingIndex

LOST = "word"
"""The kind of a word that too few conversations share: nothing of its kind can be made up."""
_SHORTEST = 5
"""Letters of a word that may be misspelt: of a shorter one, another word is near by chance."""
_OFTEN = 10
"""How many times as often as a misspelt word the right one is used."""


@dataclass(frozen=True)
class Wording:
    """A text with signs in it. Only what may be kept is in the text."""

    text: str
    slots: tuple[Slot, ...] = ()

    def filled(self, value: Callable[[Slot], str]) -> str:
        """The text with a value in place of each sign."""
        return "".join(value(self.slots[ord(c) - ord(FIRST)]) if FIRST <= c <= LAST else c for c in self.text)

    @property
    def lost(self) -> int:
        """How many words of it cannot be made up."""
        return sum(slot.kind == LOST for slot in self.slots)


@dataclass
class Masking:
    """Takes out of wordings what is personal, and counts it by kind. `words` are those of the whole log."""

    words: Words
    counts: Counter[str] = field(default_factory=Counter)

    def wording(self, text: str, slots: list[Slot], code: str) -> Wording:
        """The wording of a text whose structured values are signs already."""
        found = tokens(text)
        said = [word.folded for word in found]
        kept: list[Slot] = []
        parts: list[str] = []
        at = 0
        before = ""
        for place, word in enumerate(found):
            put, kind = self._put(found, said, place, before, code)
            slot = slots[word.sign] if word.is_sign else Slot(kind, form_of(word.text))
            gap = text[at : word.start]
            if kind == "name" == before and not gap.strip(" -'’"):  # a first and a last name are one
                kept[-1] = Slot("name", "A A")
                put = ""
            else:
                parts.append(gap)
            if kind or word.is_sign:
                if put is None:
                    kept.append(slot)
                    put = sign(len(kept) - 1)
                self.counts[slot.kind] += 1
            parts.append(word.text if put is None else put)
            at = word.end
            before = kind
        return Wording("".join([*parts, text[at:]]).strip(), tuple(kept))

    def _put(self, found: list[Token], said: list[str], at: int, before: str, code: str) -> tuple[str | None, str]:
        """What is written in place of a word, and the kind of what it was; nothing of either if it stays."""
        word, words = found[at], self.words
        if word.is_sign or said[at] in words.keep or is_ordinary(said[at], code):
            return None, ""
        is_number = any(c.isdecimal() for c in word.text)
        if not is_number and (words.is_name(word, code) or self._follows_a_name(found, said, at, before, code)):
            return None, "name"
        if words.shared(word):
            return None, ""
        right = self._spelt(said[at]) if word.text.islower() and not is_number else ""
        if right and not words.is_name(word._replace(text=right), code):
            return right, "misspelt word"
        unknown = word.capital and not word.initial and code != "de"
        return None, "number" if is_number else "name" if unknown else LOST

    def _follows_a_name(self, found: list[Token], said: list[str], at: int, before: str, code: str) -> bool:
        """Whether a word stands where only a name does: behind a first name or "my name is"."""
        word, words = found[at], self.words
        if before == "name" and found[at - 1].end + 1 >= word.start and word.capital == cased(word.text):
            return not words.common(said[at])
        after = found[at + 1 : at + 2]
        if word.capital and said[at] in listed_names() and (not after or after[0].initial or after[0].capital):
            return not after or after[0].initial or words.is_name(after[0], code)
        return behind("before_names", code, said, at) and (word.capital or not words.common(said[at]))

    def _spelt(self, key: str) -> str:
        """The word of the log that a rare one misspells; nothing if there is none or several."""
        near = self._usual.similar(key, 1) if len(key) >= _SHORTEST and not self.words.named(key) else ()
        right = near[0][0] if len(near) == 1 else ""
        # Another letter in the place of one makes another word ("fight", "night") as often as a slip.
        return right if len(right) != len(key) or sorted(right) == sorted(key) else ""

    @cached_property
    def _usual(self) -> SpellingIndex:
        usual = (key for key, times in self.words.vocabulary.items() if times >= _OFTEN)
        return SpellingIndex(key for key in usual if len(key) >= _SHORTEST and key.isalpha())

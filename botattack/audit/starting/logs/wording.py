"""A wording without what is personal: signs in place of values, names, and words that too few conversations share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from botattack.audit.starting.logs.counting import (
    Token,
    Words,
    behind,
    capitals_inside,
    cased,
    is_ordinary,
    is_public,
    speaks,
    tokens,
)
from botattack.text.languages import stemmer
from botattack.text.made_up import listed_names, public_names
from botattack.text.personal import FIRST, LAST, Slot, form_of, sign
from botattack.text.spelling import SpellingIndex
from botattack.text.word_lists import word_tuple

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
    def lost(self) -> bool:
        """Whether a word of it cannot be made up."""
        return any(slot.kind == LOST for slot in self.slots)


@dataclass
class Masking:
    """Takes out of wordings what is personal, and counts it by kind. `words` are those of the whole log."""

    words: Words
    counts: Counter[str] = field(default_factory=Counter)
    _forms: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)

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
        if not is_number and (
            words.is_name(word, code)
            or self._follows_a_name(found, said, at, before, code)
            or (word.capital and at in capitals_inside(found, code) and not is_public(said[at], code))
            or (found[max(0, at - 1)].initial and speaks(found, at, code))
        ):
            return None, "name"
        if words.shared(said[at]):
            return None, ""
        return (None, "number") if is_number else self._put_for_rare(found, said[at], at, before, code)

    def _put_for_rare(self, found: list[Token], key: str, at: int, before: str, code: str) -> tuple[str | None, str]:
        """The same for a word, no number, that too few conversations share."""
        word = found[at]
        if public := next((kind for kind, names in public_names(code).items() if key in names), ""):
            return None, public
        if word.capital and not word.initial and code != "de":
            return None, "name"
        right = self._usual_form(key, code) or self._spelt(key)
        if right and not self.words.is_name(Token(right.capitalize(), 0, 0, False), code):
            return right.capitalize() if word.capital else right, "rare form"
        return None, "name" if before == "name" and self._is_last_name(found, at, code) else LOST

    def _is_last_name(self, found: list[Token], at: int, code: str) -> bool:
        """Whether a rare word behind a name belongs to it, however it is written: not what is left as the verb of
        "did Ada swim?"."""
        if found[at].start != found[at - 1].end + 1 or found[at].capital != found[at - 1].capital:
            return False
        verb = at > 1 and found[at - 2].folded in word_tuple("grammar.finite", code)
        return not verb or any(not is_ordinary(word.folded, code) for word in found[at + 1 :])

    def _follows_a_name(self, found: list[Token], said: list[str], at: int, before: str, code: str) -> bool:
        """Whether a word stands where only a name does: behind a first name or "my name is"."""
        word, words = found[at], self.words
        if before == "name" and found[at - 1].end + 1 >= word.start and word.capital == cased(word.text):
            return not words.common(said[at])
        after = found[at + 1 : at + 2]
        if word.capital and said[at] in listed_names() and (not after or after[0].initial or after[0].capital):
            return not after or after[0].initial or words.is_name(after[0], code)
        return behind("before_names", code, said, at) and (word.capital or not words.common(said[at]))

    def _usual_form(self, key: str, code: str) -> str:
        """The form of a rare word that enough conversations share and that is used most, as "airport" for "airports";
        nothing if there is none."""
        forms = self._forms.setdefault(code, {})
        if not forms:
            for word, times in self.words.vocabulary.items():
                forms.setdefault(stemmer(code)(word), {})[word] = times
        known = forms.get(stemmer(code)(key), {})
        return max((word for word in known if _inflected(key, word, code)), key=known.__getitem__, default="")

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


def _inflected(one: str, other: str, code: str) -> bool:
    """Whether two words of one stem differ in nothing but an ending such as "s" or "ed", and a doubled letter."""
    size = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    endings = {"", *word_tuple("chats.endings", code)}
    return all({word[size:], word[size:].removeprefix(one[size - 1])} & endings for word in (one, other))

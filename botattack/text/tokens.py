"""Words of a text in any script, the case they are written in, and when two texts count as the same. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    import regex


class Word(NamedTuple):
    """A run of letters, digits and their marks; `start` counts characters of the text."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class PlacedWords(msgspec.Struct, frozen=True):
    """The words of a text as they are compared, and where in it each is."""

    text: str
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    def gap(self, at: int) -> str:
        """What stands between a word and the one before."""
        return self.text[self.spans[at - 1][1] : self.spans[at][0]]

    def raw(self, at: int) -> str:
        """A word as the text writes it."""
        start, end = self.spans[at]
        return self.text[start:end]


ZWNJ = "\u200c"
_PLAIN_WORD = re.compile(r"\w+(?:['-]\w+)*", re.ASCII)


@cache
def _word() -> regex.Pattern[str]:
    import regex  # `re` ends a word at a combining mark, which cuts Hindi and decomposed Latin in pieces

    return regex.compile(r"\w+(?:['’\u2010-]\w+)*")


@cache
def _joined() -> regex.Pattern[str]:
    import regex

    return regex.compile(r"\w+(?:['’\u2010\u200c-]\w+)*")


def joined_matches(text: str) -> Iterator[re.Match[str] | regex.Match[str]]:
    """The same, where what a zero-width non-joiner joins is one word: Persian writes its affixes so."""
    return _joined().finditer(text) if ZWNJ in text else word_matches(text)


def word_matches(text: str) -> Iterator[re.Match[str] | regex.Match[str]]:
    """Where the words of a text are, ascending; apostrophes and hyphens inside a word belong to it."""
    return _PLAIN_WORD.finditer(text) if text.isascii() else _word().finditer(text)


def words(text: str) -> Iterator[Word]:
    """The words of a text, ascending."""
    return (Word(match[0], match.start()) for match in word_matches(text))


def normalised(text: str) -> str:
    """The form in which two texts are the same: Unicode NFKC, case folded, one space for any white space."""
    if text.isascii():
        return " ".join(text.lower().split())
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@lru_cache(4096)
def match_case(original: str, replacement: str) -> str:
    """`replacement` in the case pattern of `original`.

    What both share at either end keeps the original's characters; what lies between is upper case in a word of
    capitals, capitalised at the start of a capitalised word, else lower case.
    """
    most = min(len(original), len(replacement))
    head = _shared(original, replacement, most)
    tail = _shared(original[::-1], replacement[::-1], most - head)
    middle, end = replacement[head : len(replacement) - tail].lower(), original[len(original) - tail :]
    if original.isupper() and len(original) > 1:
        return original[:head] + middle.upper() + end
    if head == 0 and original[:1].isupper():
        # What stood first may come to stand second: "New" and "Knew"; what stood second first: "Write" and "Rite".
        new = middle + (end[:1].lower() + end[1:] if tail == len(original) else end)
        return new[:1].upper() + new[1:]
    return original[:head] + middle + end


def _shared(one: str, other: str, most: int) -> int:
    """How many leading characters are the same but for case."""
    length = 0
    while length < most and one[length].casefold() == other[length].casefold():
        length += 1
    return length

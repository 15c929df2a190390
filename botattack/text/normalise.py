"""The normal form in which answers are compared, with the way back to the raw text.

Two texts with one normal form say the same: compatibility characters (NFKC) and case are folded, articles and
punctuation dropped, quotes, dashes and spaces made one, contractions written out, numbers in words read into digits.
Only the first `LONGEST` characters are read: a bot that answers a million has long failed, and judging must stay quick.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import islice
from typing import Any

from botattack.text.numerals import NUMBER_WORDS, plain_number, read_number

LONGEST = 20_000

_SAME_LENGTH = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-"),
        **dict.fromkeys("\u00a0\u2007\u202f\u2009\u200a\u3000", " "),
        "\u2026": ".",
        "\u2044": "/",
    }
)
_UNIT = "km|cm|mm|kg|lbs?|mph|kph|ft|oz|mi|hrs?|mins?|m|g|k|c|f"
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_NUMBER = r"(?:(?<![\w.)])-)?(?:\d{1,3}(?:,\d{3})+(?![\d])(?:\.\d+)?|\d+(?:\.\d+)*)"
_COMMON = r"(?<=\w)'(?:s|t|re|ve|ll|d|m)\b|[%&]"
_AFTER_LETTER = r"(?:\+\+|#)?"
_ASCII_TOKEN = re.compile(
    rf"[a-z][a-z0-9]+|[a-z](?:(?:\.[a-z])+\.?(?!\w)|{_AFTER_LETTER})|{_COMMON}"
    rf"|{_NUMBER}(?:(?!(?:{_UNIT})\b)[a-z][a-z0-9]*)?"
)
_CHARACTERS = [chr(code) for code in range(128)]
_SHAPE = str.maketrans({c: "a" if c.isalpha() else "0" for c in _CHARACTERS if c.isalnum()})
_HARD = ("0.0", "0,0", "-0", "0a", "%", "&", "+", "#")
"""Shapes that need `_ASCII_TOKEN`: text without them is cut at everything but letters, digits and apostrophes."""
_TO_SPACE = str.maketrans({c: " " for c in _CHARACTERS if not c.isalnum() and c != "'"})
_DOTTED = re.compile(r"\.[a-z](?:\.|\b)")
_ARTICLES = frozenset(("a", "an", "the"))
_VERBS = "is was are were does did do has have had could would should"
_REWRITE: dict[str, tuple[str, ...]] = {
    **{verb + "nt": (verb, "not") for verb in _VERBS.split()},
    "cant": ("can", "not"),
    "wont": ("will", "not"),
    "cannot": ("can", "not"),
    "im": ("i", "am"),
    "'s": (),
    "'re": ("are",),
    "'ve": ("have",),
    "'ll": ("will",),
    "'d": (),
    "'m": ("am",),
    "%": ("percent",),
    "&": ("and",),
    "mount": ("mt",),
    "saint": ("st",),
    "doctor": ("dr",),
}
_NOT = "'t"
_RULED = NUMBER_WORDS | _REWRITE.keys() | {_NOT}
_STEMS = {"can": "can", "won": "will", "shan": "shall", "ain": "is"}
_NO_MARK = {
    "\u00f8": "o",
    "\u0142": "l",
    "\u0111": "d",
    "\u0131": "i",
    "\u00e6": "ae",
    "\u0153": "oe",
    "\u00f0": "d",
} | {
    "\u064a": "\u06cc",
    "\u0649": "\u06cc",
    "\u0643": "\u06a9",
}

_Change = tuple[int, int, tuple[tuple[str, int, int], ...]]
"""First and last token, and the words written instead, each with its own first and last token."""


@dataclass(frozen=True)
class Normal:
    """A text in normal form. `text` holds its words with one space before, between and after; `cut` says that
    the raw text went on beyond what was read."""

    raw: str
    text: str
    cut: bool = False

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(self.text.split())

    @cached_property
    def accentless(self) -> str:
        """`text` without accents, word for word: an alternative to compare where `text` differs."""
        return self.text if self.text.isascii() else " ".join(["", *map(without_accents, self.words), ""])

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Where words `first` to `last` (both included) stand in the raw text."""
        groups = self._groups
        if groups is not None:
            first, last = groups[first][0], groups[last][1]
        return _place(self.raw, first, last)

    @cached_property
    def _groups(self) -> list[tuple[int, int]] | None:
        """The first and last token of each word; None where each word is one token."""
        tokens = _tokens(self.raw)
        changes = _changes(tokens)
        return _regrouped(len(tokens), changes) if changes else None

    def find(self, phrase: str, text: str | None = None) -> Iterator[tuple[int, int]]:
        """Where a phrase in normal form stands in the raw text, whole words only.

        `text` is `accentless` to look there instead.
        """
        text, padded = self.text if text is None else text, f" {phrase} "
        at = text.find(padded)
        while phrase and at >= 0:
            first = text.count(" ", 0, at)
            yield self.span(first, first + phrase.count(" "))
            at = text.find(padded, at + 1)


@lru_cache(maxsize=256)
def normalise(text: str) -> Normal:
    """The normal form of the first `LONGEST` characters."""
    raw = text[:LONGEST]
    tokens = _tokens(raw)
    changes = _changes(tokens)
    joined = " ".join(_changed(tokens, changes) if changes else tokens)
    return Normal(raw, f" {joined} " if joined else " ", len(text) > LONGEST)


def without_accents(word: str) -> str:
    """The word without combining marks, and with letters that only look accented in their plain form."""
    if word.isascii():
        return word
    marked = unicodedata.normalize("NFD", word)
    return "".join(_NO_MARK.get(c, c) for c in marked if unicodedata.category(c) != "Mn")


@cache
def _any_token() -> Any:
    """What a token is in any script; words of scripts without spaces are cut into characters."""
    import regex  # its \w holds the marks that Indic and Semitic scripts write vowels with

    letter = rf"[^\W\d_{_CJK}]"
    return regex.compile(
        rf"[{_CJK}]|{letter}(?:\p{{M}}|[^\W_{_CJK}])+|{letter}(?:(?:\.{letter})+\.?(?!\w)|{_AFTER_LETTER})|{_COMMON}"
        rf"|{_NUMBER}(?:(?!(?:{_UNIT})\b){letter}[^\W_{_CJK}]*)?"
    )


def _pattern(folded: str) -> Any:
    return _ASCII_TOKEN if folded.isascii() else _any_token()


def _tokens(raw: str) -> list[str]:
    """Casefolded tokens, articles left out."""
    folded, _ = _folded(raw)
    if not folded.isascii() or _DOTTED.search(folded) or _is_hard(folded.translate(_SHAPE)):
        found: list[str] = _pattern(folded).findall(folded)
    else:
        found = folded.translate(_TO_SPACE).split()
        if "'" in folded:
            found = [token for chunk in found for token in (_ASCII_TOKEN.findall(chunk) if "'" in chunk else (chunk,))]
    return [token for token in found if token not in _ARTICLES]


def _is_hard(shape: str) -> bool:
    return any(mark in shape for mark in _HARD)


def _place(raw: str, first: int, last: int) -> tuple[int, int]:
    """The raw span of tokens `first` to `last`, articles not counted."""
    folded, offsets = _folded(raw)
    found = (match for match in _pattern(folded).finditer(folded) if match.group() not in _ARTICLES)
    (start, end), *rest = (match.span() for match in islice(found, first, last + 1))
    end = rest[-1][1] if rest else end
    return (start, end) if offsets is None else (offsets[start][0], offsets[end - 1][1])


def _folded(raw: str) -> tuple[str, Sequence[tuple[int, int]] | None]:
    """Casefolded NFKC text, and the raw span of each of its characters (None: the same place)."""
    if raw.isascii():
        return raw.lower(), None
    plain = raw.translate(_SAME_LENGTH)
    folded = plain.casefold()
    if folded.isascii() and len(folded) == len(raw):
        return folded, None
    if len(folded) == len(raw) and unicodedata.is_normalized("NFKC", plain) and folded.isprintable():
        return folded, None
    return _folded_by_cluster(plain)


def _folded_by_cluster(plain: str) -> tuple[str, Sequence[tuple[int, int]]]:
    pieces: list[str] = []
    offsets: list[tuple[int, int]] = []
    start, length = 0, len(plain)
    while start < length:
        end = start + 1
        while end < length and unicodedata.combining(plain[end]):
            end += 1
        piece = _folded_cluster(plain[start:end])
        pieces.append(piece)
        offsets += [(start, end)] * len(piece)
        start = end
    return "".join(pieces), offsets


@lru_cache(maxsize=4096)
def _folded_cluster(cluster: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", cluster).casefold()).replace("i\u0307", "i")
    return "".join(_digit(c) for c in folded if unicodedata.category(c) != "Cf")


def _digit(character: str) -> str:
    return str(unicodedata.decimal(character)) if character.isdecimal() else character


def _changes(tokens: Sequence[str]) -> list[_Change]:
    """What of the tokens the normal form writes in another way, in order."""
    ruled = [at for at, token in enumerate(tokens) if token in _RULED or not token.isalpha()]
    changes: list[_Change] = []
    past = 0
    for at in ruled:
        if at < past:
            continue
        change = _change(tokens, at, past)
        if change is not None:
            changes.append(change)
            past = change[1] + 1
    return changes


def _change(tokens: Sequence[str], at: int, past: int) -> _Change | None:
    token = tokens[at]
    number = read_number(tokens, at) if token in NUMBER_WORDS or token[0].isdecimal() else None
    if number is not None:
        return at, number[1] - 1, ((number[0], at, number[1] - 1),)
    if token == _NOT:
        before = tokens[at - 1] if at > past else ""
        if not before.endswith("n"):
            return at, at, (("not", at, at),)
        return at - 1, at, ((_STEMS.get(before, before[:-1]), at - 1, at - 1), ("not", at, at))
    if token in _REWRITE:
        return at, at, tuple((word, at, at) for word in _REWRITE[token])
    written = _written(token)
    return (at, at, ((written, at, at),)) if written != token else None


def _written(token: str) -> str:
    if token[0].isalpha():
        return token.replace(".", "")
    return plain_number(token) if token[-1].isdecimal() else token


def _changed(tokens: Sequence[str], changes: Sequence[_Change]) -> list[str]:
    words: list[str] = []
    past = 0
    for first, last, written in changes:
        words += tokens[past:first]
        words += [word for word, _, _ in written]
        past = last + 1
    return [*words, *tokens[past:]]


def _regrouped(count: int, changes: Sequence[_Change]) -> list[tuple[int, int]]:
    groups: list[tuple[int, int]] = []
    past = 0
    for first, last, written in changes:
        groups += [(at, at) for at in range(past, first)]
        groups += [(start, end) for _, start, end in written]
        past = last + 1
    return groups + [(at, at) for at in range(past, count)]

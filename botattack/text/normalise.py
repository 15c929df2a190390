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
_UNTOUCHED = str.maketrans(dict.fromkeys((chr(c) for c in range(128) if chr(c) not in "'%&#+0123456789"), None))
"""Deletes what needs no rule of its own: text that becomes empty is cut into words by `_TO_SPACE` alone."""
_TO_SPACE = str.maketrans({chr(c): " " for c in range(128) if not chr(c).isalnum()})
_DOTTED = re.compile(r"\.[a-z](?:\.|\b)")
_ARTICLES = frozenset(("a", "an", "the"))
_VERBS = "is was are were does did do has have had could would should"
_REWRITE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_ARTICLES, ()),
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
_RULED_WORDS = _RULED - _ARTICLES
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

    @cached_property
    def _places(self) -> tuple[tuple[int, int], ...]:
        return _places(self.raw)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Where words `first` to `last` (both included) stand in the raw text."""
        return self._places[first][0], self._places[last][1]

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
    words = [token for token in tokens if token not in _ARTICLES]
    joined = " ".join(words)
    if not _RULED_WORDS.isdisjoint(words) or "." in joined or "," in joined:
        joined = " ".join([word for word, _, _ in _rewritten(tokens)])
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
    folded, _ = _folded(raw)
    if folded.isascii() and not folded.translate(_UNTOUCHED) and not _DOTTED.search(folded):
        return folded.translate(_TO_SPACE).split()
    found: list[str] = _pattern(folded).findall(folded)
    return found


def _places(raw: str) -> tuple[tuple[int, int], ...]:
    """The raw span of every word of the normal form."""
    folded, offsets = _folded(raw)
    found = list(_pattern(folded).finditer(folded))
    spans = [match.span() for match in found]
    if offsets is not None:
        spans = [(offsets[start][0], offsets[end - 1][1]) for start, end in spans]
    groups = _rewritten([match.group() for match in found])
    return tuple((spans[first][0], spans[last][1]) for _, first, last in groups)


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


def _rewritten(tokens: Sequence[str]) -> list[tuple[str, int, int]]:
    """The words of the normal form, each with its first and last token."""
    out: list[tuple[str, int, int]] = []
    past = 0
    for at, token in enumerate(tokens):
        if at < past:
            continue
        if token not in _RULED and token.isalpha():
            out.append((token, at, at))
        elif (number := read_number(tokens, at)) is not None:
            past = number[1]
            out.append((number[0], at, past - 1))
        else:
            _rewrite(token, at, out)
    return out


def _rewrite(token: str, at: int, out: list[tuple[str, int, int]]) -> None:
    if token == _NOT and out and out[-1][0].endswith("n"):
        stem, first, last = out[-1]
        out[-1:] = [(_STEMS.get(stem, stem[:-1]), first, last), ("not", at, at)]
    elif token in _REWRITE:
        out += [(word, at, at) for word in _REWRITE[token]]
    elif token[-1].isdecimal() and not token[0].isalpha():
        out.append((plain_number(token), at, at))
    else:
        out.append((token.replace(".", "") if token[0].isalpha() else token, at, at))

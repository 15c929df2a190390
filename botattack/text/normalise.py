"""The normal form in which answers are compared, with the way back to the raw text.

Two texts with one normal form say the same: compatibility characters (NFKC) and case are folded, articles and
punctuation dropped, quotes, dashes and spaces made one, contractions written out, numbers in words read into digits.
Only the first `LONGEST` characters are read: a bot that answers a million has long failed, and judging must stay quick.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import islice
from typing import Any

import msgspec

from botattack.text import folding
from botattack.text.numerals import number_words, plain_number, read_number

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
_FREQUENT = [
    (chr(code), usual)
    for code, usual in _SAME_LENGTH.items()
    if chr(code) in "\u2019\u2018\u201c\u201d\u2013\u2014\u2026\u00a0"
]
_UNIT = "km|cm|mm|kg|lbs?|mph|kph|ft|oz|mi|hrs?|mins?|m|g|k|c|f"
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_NUMBER = r"(?:(?<![\w.)])-)?(?:\d{1,3}(?:,\d{3})+(?![\d])(?:\.\d+)?|\d+(?:\.\d+)*)"
_ASCII_TOKEN = re.compile(
    r"[a-z][a-z0-9]+(?:'[a-z0-9]+)*|[a-z](?:(?:'[a-z0-9]+)+|(?:\.[a-z])+\.?(?!\w)|\+\+|#)?|[%&]"
    rf"|{_NUMBER}(?:(?!(?:{_UNIT})\b)[a-z][a-z0-9]*)?"
)
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")
_ARTICLES = frozenset(("a", "an", "the"))
# How English is contracted stays in code: the judge was fitted on this normal form, which no file may change.
_VERBS = "is was are were does did do has have had could would should"
_REWRITE: dict[str, tuple[str, ...]] = {
    **{verb + "nt": (verb, "not") for verb in _VERBS.split()},
    "cant": ("can", "not"),
    "wont": ("will", "not"),
    "cannot": ("can", "not"),
    "im": ("i", "am"),
    "%": ("percent",),
    "&": ("and",),
    "mount": ("mt",),
    "saint": ("st",),
    "doctor": ("dr",),
}
_ENDINGS: dict[str, tuple[str, ...]] = {
    "re": ("are",),
    "ve": ("have",),
    "ll": ("will",),
    "m": ("am",),
    # "is", "has" or the genitive; "would" or "had": which of them, a text does not say.
    "s": (),
    "d": (),
}
_STEMS = {"can": "can", "won": "will", "shan": "shall", "ain": "is"}

Change = tuple[int, int, tuple[tuple[str, int, int], ...]]
"""First and last token, and the words written instead, each with its own first and last token."""


class Normal(msgspec.Struct, frozen=True, dict=True):
    """A text in normal form. `text` holds its `words` with one space before, between and after; `cut` says that
    the raw text continues beyond what was read."""

    raw: str
    text: str
    words: tuple[str, ...]
    cut: bool = False
    changes: tuple[Change, ...] = ()

    @cached_property
    def accentless(self) -> str:
        """`text` without accents, word for word: an alternative to compare where `text` differs."""
        return self.text if self.text.isascii() else " ".join(["", *map(folding.folded, self.words), ""])

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Where words `first` to `last` (both included) are in the raw text."""
        return _place(self.raw, _token_of(self.changes, first)[0], _token_of(self.changes, last)[1])

    def find(self, phrase: str, text: str | None = None) -> Iterator[tuple[int, int]]:
        """Where a phrase in normal form is in the raw text, whole words only.

        `text` is `accentless` to look there instead.
        """
        text, padded = self.text if text is None else text, f" {phrase} "
        at = text.find(padded)
        while phrase and at >= 0:
            first = text.count(" ", 0, at)
            yield self.span(first, first + phrase.count(" "))
            at = text.find(padded, at + 1)


@lru_cache(maxsize=64)
def normalise(text: str) -> Normal:
    """The normal form of the first `LONGEST` characters."""
    raw = text[:LONGEST]
    folded, _ = _folded(raw)
    words = [token for token in _pattern(folded).findall(folded) if token not in _ARTICLES]
    changes = tuple(_changes(words))
    words = _changed(words, changes)
    joined = " ".join(words)
    if changes and not all(words):
        words = joined.split()
    return Normal(raw, f" {joined} " if joined else " ", tuple(words), len(text) > LONGEST, changes)


@cache
def _ruled() -> frozenset[str]:
    """The words that have a rule of their own."""
    return number_words() | _REWRITE.keys()


@cache
def _any_token() -> object:
    """What a token is in any script; words of scripts without spaces are cut into characters."""
    import regex  # its \w holds the marks that Indic and Semitic scripts write vowels with

    letter, more = rf"[^\W\d_{_CJK}]", rf"(?:\p{{M}}|[^\W_{_CJK}])"
    return regex.compile(
        rf"[{_CJK}]|{letter}{more}+(?:'{more}+)*|{letter}(?:(?:'{more}+)+|(?:\.{letter})+\.?(?!\w)|\+\+|#)?|[%&]"
        rf"|{_NUMBER}(?:(?!(?:{_UNIT})\b){letter}{more}*)?"
    )


def _pattern(folded: str) -> Any:
    return _ASCII_TOKEN if folded.isascii() else _any_token()


def _place(raw: str, first: int, last: int) -> tuple[int, int]:
    """The raw span of tokens `first` to `last`, articles not counted."""
    folded, offsets = _folded(raw)
    found = (match for match in _pattern(folded).finditer(folded) if match.group() not in _ARTICLES)
    spans = [match.span() for match in islice(found, first, last + 1)]
    start, end = spans[0][0], spans[-1][1]
    return (start, end) if offsets is None else (offsets[start][0], offsets[end - 1][1])


def _folded(raw: str) -> tuple[str, Sequence[tuple[int, int]] | None]:
    """Casefolded NFKC text, and the raw span of each of its characters (None: the same place)."""
    if raw.isascii():
        return raw.lower(), None
    plain = raw
    for odd, usual in _FREQUENT:
        if odd in plain:
            plain = plain.replace(odd, usual)
    if plain.isascii():
        return plain.lower(), None
    plain = _FOREIGN_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit.group())), plain.translate(_SAME_LENGTH))
    folded = plain.casefold()
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
    return "".join(c for c in folded if unicodedata.category(c) != "Cf")


def _changes(tokens: Sequence[str]) -> list[Change]:
    """What of the tokens the normal form writes in another way, in order."""
    ruled = [at for at, token in enumerate(tokens) if token in _ruled() or not token.isalpha()]
    changes: list[Change] = []
    past = 0
    for at in ruled:
        if at < past:
            continue
        change = _change(tokens, at)
        if change is not None:
            changes.append(change)
            past = change[1] + 1
    return changes


def _change(tokens: Sequence[str], at: int) -> Change | None:
    token = tokens[at]
    number = read_number(tokens, at) if token in number_words() or token[0].isdecimal() else None
    if number is not None:
        return at, number[1] - 1, ((number[0], at, number[1] - 1),)
    words = _spoken(token)
    if words is not None:
        return at, at, tuple((word, at, at) for word in words)
    written = _written(token)
    return (at, at, ((written, at, at),)) if written != token else None


def _spoken(token: str) -> Sequence[str] | None:
    """The words of a contraction or another token with a rule of its own: "don't" is "do not"; else None."""
    if token in _REWRITE:
        return _REWRITE[token]
    if "'" not in token:
        return None
    if token.endswith("n't"):
        return _STEMS.get(token[:-2], token[:-3]), "not"
    stem, _, ending = token.rpartition("'")
    return (*stem.split("'"), *_ENDINGS.get(ending, (ending,)))


def _written(token: str) -> str:
    if token[0].isalpha():
        return token.replace(".", "")
    return plain_number(token) if token[-1].isdecimal() else token


def _changed(tokens: Sequence[str], changes: Sequence[Change]) -> list[str]:
    words: list[str] = []
    past = 0
    for first, last, written in changes:
        words += tokens[past:first]
        words += [word for word, _, _ in written]
        past = last + 1
    return [*words, *tokens[past:]]


def _token_of(changes: Sequence[Change], word: int) -> tuple[int, int]:
    """The first and last token of a word of the normal form."""
    ahead = 0  # tokens before it, less words before it
    for first, last, written in changes:
        if word + ahead < first:
            break
        at = word + ahead - first
        if at < len(written):
            return written[at][1:]
        ahead += last + 1 - first - len(written)
    return word + ahead, word + ahead

"""A text read once: its words, where they are, and which sentence each belongs to."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property, lru_cache
from itertools import accumulate, islice, pairwise
from typing import Any

import msgspec

from botattack.text.folding import folded
from botattack.text.languages import Language, stemmer
from botattack.text.tokens import PlacedWords
from botattack.text.values.calendar import UNSPACED
from botattack.text.values.finding import read_values
from botattack.text.values.identifiers import IDENTIFIER, canonical, glued_codes, is_spoken
from botattack.text.values.number_words import negative, written
from botattack.text.values.typed_value import TypedValue
from botattack.text.values.vocabulary import vocabulary

_LONGEST_WORD = 40
"""Characters of a token that may come again: of longer ones, which only a hostile bot says, nothing is kept."""
LONGEST = 200_000
"""Characters of a reply that are read: a bot that answers a million has long failed, and judging must stay quick."""
MOST = 20
"""Places of one phrase that are looked for: a reply that says it more often says nothing new."""
_TOKEN = (
    rf"[{UNSPACED}]|[^\W\d_{UNSPACED}]+(?:['\u2019\u00ad\u200b\u200d-\u200f\u2060\ufeff]+[^\W\d_{UNSPACED}]+)*"
    r"(?:[+#]{1,2}(?![\w+#])|[-\u2212](?!\w)(?:(?<=\b[A-Z].)|(?<=\b[A-Z]{2}.)))?"
    r"|(?:(?<![\d.,])\d{1,3}(?:[\u00a0\u202f\u2009]\d{3})+(?!\d)|\d+)(?:[.,\u060c\u066b\u066c]\d+)*|[.!?\u061f\u3002](?=\s|$|[\"')\]*])|[\u3002\uff01\uff1f\u0964\n]|[%$\u20ac\u00a3\u00a5]"
)
""" "C#" and "A-" keep their signs, as other words do not: "the answer - Paris". Chinese and Japanese
characters are words each, as nothing tells where words end there."""
ROLES = (
    *("declines", "redirects", "attributions", "replaced", "compared", "conceded", "repeated", "corrections"),
    *("most", "least"),
)
"""Lists of a language that have phrases of several words each."""
_TOKENS, _PLAIN = re.compile(f"({IDENTIFIER}|{_TOKEN})"), re.compile(f"({_TOKEN})")
_MARKED = re.compile(r"[\d@]")
"""What every identifier has: without it, nobody need look for one, which takes half the time of a split."""
_ENDS = frozenset(".!?\u061f\u3002\uff01\uff1f\u0964\n")
_GLUED = re.compile(r"(?<=[^\W\d_A-Z]{2})(?=[A-Z][^\W\d_])")
""" "byCanada": assistants lose spaces beside links. "JavaScript" is a name."""
_CITED = re.compile(
    r"\[\^?\d{1,3}\^?\]|\^\d{1,3}\^|\u3010[^\u3011]{0,40}\u3011|(?<=\])\(https?://[^)\s]{0,400}\)|https?://\S{1,400}"
)
# Not I, V and X, nor L and C: single letters are words, initials and sizes more often than numbers.
_NUMERALS = "II III IV VI VII VIII IX XI XII XIII XIV XV XVI XVII XVIII XIX XX"
_ROMAN = dict(zip(_NUMERALS.split(), map(str, (2, 3, 4, 6, 7, 8, 9, *range(11, 21))), strict=True))
_ASKS = "?\u061f\uff1f"
_SUFFIXES = frozenset(("s", "re", "ve", "ll", "d", "m"))


class Reading(PlacedWords, frozen=True, eq=False, dict=True):
    """The words of a text, folded, and beside each its stem, its place in the text, whether it begins with a capital,
    and the number of its sentence. `asks` holds the numbers of the sentences that end with a question mark."""

    stems: tuple[str, ...]
    capitals: tuple[bool, ...]
    sentences: tuple[int, ...]
    asks: frozenset[int]
    language: Language

    @cached_property
    def known(self) -> frozenset[str]:
        return frozenset(self.stems)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        return frozenset(self.words)

    @cached_property
    def joined(self) -> str:
        """The words with one space before, between and after."""
        return f" {' '.join(self.words)} "

    @cached_property
    def joined_stems(self) -> str:
        return f" {' '.join(self.stems)} "

    @cached_property
    def letters(self) -> str:
        return "".join(self.words)

    @cached_property
    def values(self) -> tuple[TypedValue, ...]:
        """The numbers, dates and other values that the text says."""
        return read_values(self, self.language.code)

    def places(self, role: str) -> list[int]:
        """The numbers of the words that phrases of one of `ROLES` begin with."""
        return self.phrases.get(role, [])

    @cached_property
    def phrases(self) -> Mapping[str, list[int]]:
        """Where phrases begin, for each of `ROLES` that has any."""
        ready, found = _by_telling_word(self.language), defaultdict[str, set[int]](set)
        for key in ready.keys() & self.vocabulary:
            for role, phrase in ready[key]:
                starts = (match.start() for match in islice(phrase.finditer(self.joined), MOST))
                found[role].update(self.joined.count(" ", 0, start) for start in starts)
        return {role: sorted(places) for role, places in found.items()}

    def part(self, first: int, end: int) -> Reading:
        """The words from one to another, with what the text says around them; itself, if these are all or none."""
        return self if first >= end or (first, end) == (0, len(self.words)) else _part(self, first, end)

    def sentence(self, number: int) -> tuple[int, int]:
        """Its first word, and the one after its last."""
        return bisect_left(self.sentences, number), bisect_right(self.sentences, number)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Where words `first` to `last`, both included, are in the text."""
        return self.spans[first][0], self.spans[last][1]


@lru_cache(maxsize=64)
def _by_telling_word(language: Language) -> Mapping[str, list[tuple[str, re.Pattern[str]]]]:
    """Phrases, each after its role, by the word of theirs that is rarest, as far as length tells: where it is not said,
    none of them is."""
    ready = defaultdict[str, list[tuple[str, re.Pattern[str]]]](list)
    every = [(role, read(phrase, language)) for role in ROLES for phrase in getattr(language, role)]
    for role, reading in every:
        telling = [word for word in reading.words if word not in language.function_words] or reading.words
        phrase = re.compile(f"{re.escape(reading.joined[:-1])}(?= )")
        ready[max(telling, key=len)].append((role, phrase))
    return ready


@lru_cache(maxsize=16)
def _part(whole: Reading, first: int, end: int) -> Reading:
    """Kept, as it is asked for once for each gold answer."""
    cut, shift = slice(first, end), whole.sentences[first]
    parts = {part: getattr(whole, part)[cut] for part in ("words", "stems", "spans", "capitals")}
    numbers = tuple([sentence - shift for sentence in whole.sentences[cut]])
    asks = frozenset([number - shift for number in whole.asks if shift <= number <= whole.sentences[end - 1]])
    return msgspec.structs.replace(whole, sentences=numbers, asks=asks, **parts)


@lru_cache(maxsize=64)
def read(text: str, language: Language) -> Reading:
    """The first `LONGEST` characters, read. Markdown, citation marks and addresses are no words; words that lost the
    space between them are two."""
    text = text[:LONGEST]
    minus = language.values.get("minus", "").split()
    parts = (_TOKENS if _MARKED.search(text) else _PLAIN).split(_CITED.sub(lambda cited: " " * len(cited[0]), text))
    rows, spans, sentences, asks = list[Any](), list[tuple[int, int]](), list[int](), set[int]()
    sentence, last = 0, ""
    for part, start in zip(parts[1::2], islice(accumulate(map(len, parts)), 0, None, 2), strict=False):
        if part in _ENDS:
            is_initial = len(last) == 1 and last.isupper() and part == "."  # "J. S. Bach" is one sentence
            if len(rows) > len(sentences) and not is_initial:
                if part in _ASKS:
                    asks.add(sentence)
                sentences += [sentence] * (len(rows) - len(sentences))
                sentence += 1
            continue
        is_below = part[0].isdecimal() and (negative(text, start) or bool(rows and rows[-1][0] in minus))
        for row in _pieces(part, language) if len(part) <= _LONGEST_WORD else _cut(part, language):
            rows.append((row[0], f"-{row[1]}", *row[2:]) if is_below else row)
            spans.append((start + row[3], start + row[4]))
        last = part
    sentences += [sentence] * (len(rows) - len(sentences))
    words, stems, capitals = islice(zip(*rows, strict=True), 3) if rows else ((), (), ())
    return Reading(text, words, tuple(spans), stems, capitals, tuple(sentences), frozenset(asks), language)


def _cut(token: str, language: Language) -> tuple[tuple[str, str, bool, int, int], ...]:
    """The words of a token: the word, its stem, whether it begins with a capital, and where it begins and ends."""
    if glued_codes(token) and is_spoken(token, measuring(language)):
        return tuple(
            [
                (word, base, capital, part.start() + start, part.start() + end)
                for part in _PLAIN.finditer(token)
                for word, base, capital, start, end in _cut(part[0], language)
            ]
        )
    glued = _GLUED.finditer(token) if token.isalpha() and token[0].islower() else ()
    cuts = [0, *(match.start() for match in glued), len(token)]
    words = [(_word(token[start:end], language), start, end) for start, end in pairwise(cuts)]
    stem = stemmer(language.code)
    stems = [stem(word) if word.isalpha() and len(word) <= _LONGEST_WORD else word for word, *_ in words]
    found = zip(words, stems, strict=True)
    return tuple([(word, base, token[start].isupper(), start, end) for (word, start, end), base in found if word])


_pieces = lru_cache(maxsize=16_384)(_cut)


@lru_cache(maxsize=64)
def measuring(language: Language) -> frozenset[str]:
    """The words that may be glued to a number: units, currencies, months, and others of two letters or more, as hashes
    have any letter."""
    known = vocabulary(language.code)
    roles = known.roles
    others = language.function_words.union(*roles.values())
    names = (*known.calendar.names, *map(str.lower, known.codes))
    return frozenset(known.units).union(roles["by"], roles["decade"], names, (word for word in others if len(word) > 1))


def _word(token: str, language: Language) -> str:
    if named := canonical(token):
        return named
    if token[0].isdecimal():
        return _number(folded(token).replace(" ", ""), language)
    if token in _ROMAN:
        return _ROMAN[token]
    word = folded(token)
    if "'" in word:
        head, _, tail = word.rpartition("'")
        if head.endswith("n") and tail == "t":
            return "not"
        if head in language.elisions:
            return tail
        word = head if tail in _SUFFIXES else head + tail
    return language.numbers.get(word, word)


def _number(digits: str, language: Language) -> str:
    """Digits without marks between thousands, and without zeros at the end of a fraction."""
    value = -1.0 if digits.isdecimal() else written(digits, comma=vocabulary(language.code).comma)[0]
    return digits if value < 0 else f"{value:.15g}"

"""Phrases of a parsed text by kind: what a speaker may say by mistake for one of the same kind. Pure; English."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from botattack.model import Token
from botattack.text.word_lists import function_words, slip_words

Kind = str
"""`noun` (a phrase without a determiner), `whole noun` (one that needs no determiner before it), `number`,
`adjective`; for a verb, which may have an object, its form: `base`, `past`, `present`, `participle`; for a phrase that
begins with a preposition, `with` and that word."""
Span = tuple[int, int]
"""The first and the last token of a phrase."""

_MODIFIERS = frozenset(["JJ", "JJR", "JJS", "CD", "VBN", "VBG", "RB", "RBS", "RBR", "POS", "HYPH", "FW"])
NOUNS = frozenset(["NN", "NNS", "NNP", "NNPS", "FW"])
_INSIDE = NOUNS | {"HYPH"}
NAMES = frozenset(["NNP", "NNPS"])
_ALONE = NAMES | {"NNS"}
"""Nouns that need no determiner: plurals and names."""
DETERMINERS = frozenset(["DT", "PDT", "PRP$"])
_BEFORE = DETERMINERS | {"CD"}
"""What a noun phrase that has a determiner or a number before it does not begin with."""
_WORD = re.compile(r".*[^\W\d_]|[^\W\d_]{3,}\d+")
NOUN_FOLLOWS = NOUNS | frozenset(["DT", "PDT", "PRP$", "WDT", "WP$", "JJ", "JJR", "JJS", "CD", "POS"])
"""What is before a noun in the middle of its phrase."""
_FORMS: Mapping[str, Kind] = {
    "VB": "base",
    "VBP": "base",
    "VBD": "past",
    "VBN": "past",
    "VBZ": "present",
    "VBG": "participle",
}
_LONG = 8
"""Words of the longest phrase."""


@cache
def undescribing() -> frozenset[str]:
    """Adjectives that describe nothing."""
    return slip_words.undescribing | function_words().keys()


class Phrase(NamedTuple):
    """A phrase of a text, by its tokens."""

    kind: Kind
    first: int
    last: int
    joined: bool = False
    """Whether it is two phrases with a preposition or "and" between."""


def phrases(tokens: Sequence[Token]) -> list[Phrase]:
    """Every phrase of a text."""
    nouns = list(_nouns(tokens))
    ends: dict[int, list[int]] = defaultdict(list)
    for phrase in nouns:
        ends[phrase.first].append(phrase.last)
    pairs = list(_joined(tokens, nouns, ends))
    found = [*nouns, *pairs, *_joined(tokens, pairs, ends), *_verbs(tokens, ends)]
    for i, token in enumerate(tokens):
        if token.tag in ("IN", "TO"):
            found += [Phrase(f"with {token.text.lower()}", i, last) for last in ends[i + 1] if last - i <= _LONG]
        if token.tag.startswith("JJ") and token.text.lower() not in undescribing():
            found.append(Phrase("adjective", i, i))
    return list(dict.fromkeys(found))


def _nouns(tokens: Sequence[Token]) -> Iterator[Phrase]:
    for first, last in _runs(tokens):
        for end in range(first, last + 1):
            number = tokens[end].tag == "CD"
            if not number and (tokens[end].tag not in NOUNS or (end < last and tokens[end + 1].tag in _INSIDE)):
                continue
            for start in range(max(first, end - _LONG + 1), end + 1):
                if _may_start(tokens, start):
                    yield from _kinds(tokens, start, end, first)


def _kinds(tokens: Sequence[Token], start: int, end: int, first: int) -> Iterator[Phrase]:
    """A noun phrase as each kind it is of; `first` is where its run begins."""
    if all(token.tag == "CD" for token in tokens[start : end + 1]):
        yield Phrase("number", start, end)
    elif tokens[end].tag != "CD" and _is_word(tokens[end].text):
        if tokens[start].tag not in _BEFORE and tokens[start].text.lower() not in undescribing():
            yield Phrase("noun", start, end)
        named = tokens[start].tag in NAMES and tokens[start - 1].tag == "DT"
        if start == first or tokens[start].tag in DETERMINERS or (tokens[end].tag in _ALONE and not named):
            yield Phrase("whole noun", start, end)


def _is_word(text: str) -> bool:
    """Whether it is a word, or a name with a number ("Internet2"), but no unit ("km2")."""
    return bool(_WORD.fullmatch(text))


def _runs(tokens: Sequence[Token]) -> Iterator[Span]:
    """The longest runs of determiners, modifiers and nouns."""
    first = None
    for i, token in enumerate(tokens):
        inside = token.tag in _MODIFIERS or token.tag in NOUNS or token.tag in DETERMINERS
        if first is not None and (not inside or token.tag in DETERMINERS):
            yield first, i - 1
            first = None
        if inside and first is None:
            first = i
    if first is not None:
        yield first, len(tokens) - 1


def _may_start(tokens: Sequence[Token], i: int) -> bool:
    """Whether a phrase may start at a token: not within a name or a word with a hyphen, not at an adverb, and at a
    participle only behind a determiner or an adjective."""
    tag, before = tokens[i].tag, tokens[i - 1].tag if i else ""
    if tag in ("VBG", "VBN"):
        return before in DETERMINERS or before.startswith("JJ")
    return tag not in ("POS", "HYPH", ",", "RB") and before != "HYPH" and not (tag in NAMES and before in NAMES)


def _joined(tokens: Sequence[Token], nouns: Iterable[Phrase], ends: Mapping[int, Sequence[int]]) -> Iterator[Phrase]:
    """Two noun phrases with a preposition or "and" between them."""
    for phrase in nouns:
        if phrase.last + 1 < len(tokens) and tokens[phrase.last + 1].tag in ("IN", "CC"):
            for last in ends.get(phrase.last + 2, ()):
                if last - phrase.first <= _LONG:
                    yield Phrase(phrase.kind, phrase.first, last, joined=True)


def _verbs(tokens: Sequence[Token], ends: Mapping[int, Sequence[int]]) -> Iterator[Phrase]:
    for i, token in enumerate(tokens):
        kind = _FORMS.get(token.tag)
        if kind is None or token.pos == "AUX" or token.text.lower() in function_words():
            continue
        yield Phrase(kind, i, i)
        yield from (Phrase(kind, i, last) for last in ends.get(i + 1, ()) if last - i <= _LONG)

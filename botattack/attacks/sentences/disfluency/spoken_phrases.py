"""Phrases of a parsed text by kind: what a speaker may say by mistake for one of the same kind. Pure; English."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from botattack.model import Token
from botattack.text.function_word_list import FUNCTION_WORDS

Kind = str
"""`noun` (a phrase without a determiner), `whole noun` (one that needs no determiner before it), `number`, `adjective`,
`adverb`; for a verb, which may have an object, its form: `base`, `past`, `present`, `participle`; for a phrase that
begins with a preposition, `with` and that word."""
Span = tuple[int, int]
"""The first and the last token of a phrase."""

_MODIFIERS = frozenset(["JJ", "JJR", "JJS", "CD", "VBN", "VBG", "RB", "RBS", "RBR", "POS", "HYPH", "FW"])
_LISTED = frozenset(["JJ", "JJR", "JJS", "VBN", "RB", "RBR"])
NOUNS = frozenset(["NN", "NNS", "NNP", "NNPS", "FW"])
_INSIDE = NOUNS | {"HYPH"}
NAMES = frozenset(["NNP", "NNPS"])
_ALONE = NAMES | {"NNS"}
"""Nouns that need no determiner: plurals and names."""
DETERMINERS = frozenset(["DT", "PDT", "PRP$"])
_FORMS: Mapping[str, Kind] = {
    "VB": "base",
    "VBP": "base",
    "VBD": "past",
    "VBN": "past",
    "VBZ": "present",
    "VBG": "participle",
}
_CLOSE = frozenset(["RB", "RP", "IN", "JJ"])
"""What follows a verb closely: "grew quickly", "gave up", "asked for"."""
_UNSAID = FUNCTION_WORDS | {"own", "same", "other", "many", "much", "few", "several"}
"""Adjectives that describe nothing."""
_LONG = 8
"""Words of the longest phrase."""


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
        if token.tag.startswith("JJ") and token.text.lower() not in _UNSAID:
            found.append(Phrase("adjective", i, i))
        elif token.tag.startswith("RB"):
            found.append(Phrase("adverb", i, i))
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
    elif tokens[end].tag != "CD" and tokens[end].text[-1:].isalpha():
        if tokens[start].tag not in DETERMINERS:
            yield Phrase("noun", start, end)
        if start == first or tokens[start].tag in DETERMINERS or tokens[end].tag in _ALONE:
            yield Phrase("whole noun", start, end)


def _runs(tokens: Sequence[Token]) -> Iterator[Span]:
    """The longest runs of determiners, modifiers and nouns."""
    first = None
    for i, token in enumerate(tokens):
        inside = token.tag in _MODIFIERS or token.tag in NOUNS or token.tag in DETERMINERS or _lists(tokens, i)
        if first is not None and (not inside or token.tag in DETERMINERS):
            yield first, i - 1
            first = None
        if inside and first is None:
            first = i
    if first is not None:
        yield first, len(tokens) - 1


def _lists(tokens: Sequence[Token], i: int) -> bool:
    """Whether a comma stands between two modifiers: "the newer, more widely accepted theory"."""
    around = tokens[i - 1 : i + 2]
    return len(around) == 3 and around[1].text == "," and all(one.tag in _LISTED for one in (around[0], around[2]))


def _may_start(tokens: Sequence[Token], i: int) -> bool:
    """Whether a phrase may start at a token: not within a name."""
    inside = i and tokens[i].tag in NAMES and tokens[i - 1].tag in NAMES
    return tokens[i].tag not in ("POS", "HYPH", ",") and not inside and not (i and tokens[i - 1].tag == "HYPH")


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
        if kind is None or token.pos == "AUX" or token.text.lower() in FUNCTION_WORDS:
            continue
        if i and tokens[i - 1].tag == "RB":
            yield Phrase(kind, i - 1, i)
        close = i + 1 < len(tokens) and tokens[i + 1].tag in _CLOSE
        for end in (i, i + 1) if close else (i,):
            yield Phrase(kind, i, end)
            yield from (Phrase(kind, i, last) for last in ends.get(end + 1, ()) if last - i <= _LONG)

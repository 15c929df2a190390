"""Phrases of a parsed text by kind: what a speaker may say by mistake for one of the same kind. Pure; English."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import msgspec

from botattack.attacks.building.clauses import BE, DO
from botattack.attacks.building.parsed import ENDS
from botattack.model import Token
from botattack.text.word_lists import function_words, grammar_words, slip_words

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
_CLOSE = frozenset(["RB", "RP", "IN", "JJ"])
"""What follows a verb closely: "grew quickly", "gave up", "asked for"."""
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


def repaired(tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens of a question with a noun where only a noun can be, and a verb where "do" needs one: taggers do not
    know "What does ctenophore mean" and "Who did internet2 partner with"."""
    found = list(tokens)
    for i, token in enumerate(tokens[:-1]):
        if token.text.lower() in DO or token.tag == "MD":
            found[i + 1 :] = _subject_and_verb(found[i + 1 :])
            return found
    for i, token in enumerate(tokens):
        helped = any(one.tag in ("MD", "TO") for one in tokens[:i])
        if token.tag == "VB" and i and tokens[i - 1].tag in NOUNS | DETERMINERS and not helped:
            found[i] = _noun(token)
    words = [i for i, token in enumerate(tokens) if token.text.strip(ENDS + " ")]
    asks = [tokens[i].text.lower() for i in words[:2]]
    if len(words) == 3 and asks[0] in grammar_words.question_words and asks[1] in BE:
        found[words[2]] = _noun(tokens[words[2]])
    return found


def _subject_and_verb(behind: Sequence[Token]) -> Sequence[Token]:
    """What is behind "do" with a subject and a verb, where the tagger found two verbs and no subject, or no verb."""
    found = list(behind)
    verbs = [i for i, token in enumerate(found) if token.tag in ("VB", "VBP")]
    end = next((i for i, token in enumerate(found) if token.tag not in NOUN_FOLLOWS), len(found))
    last, behind_run = found[end - 1], found[end].text if end < len(found) else ""
    if verbs[:2] == [0, 1]:
        found[0] = _noun(found[0])
    elif not verbs and end > 1 and last.tag == "NN" and last.text.islower() and behind_run != "of":
        found[end - 1] = msgspec.structs.replace(last, tag="VB", pos="VERB")
    return found


def _noun(token: Token) -> Token:
    return msgspec.structs.replace(token, tag="NN", pos="NOUN")


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
        if i and tokens[i - 1].tag == "RB":
            yield Phrase(kind, i - 1, i)
        close = i + 1 < len(tokens) and tokens[i + 1].tag in _CLOSE
        for end in (i, i + 1) if close else (i,):
            yield Phrase(kind, i, end)
            yield from (Phrase(kind, i, last) for last in ends.get(end + 1, ()) if last - i <= _LONG)

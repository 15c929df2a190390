"""What a speaker may say by mistake, by kind: phrases of a text, and words that questions share. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from botattack.attacks.building.agreeing import ARTICLES, takes_an
from botattack.attacks.sentences.disfluency.spoken_phrases import (
    DETERMINERS,
    NAMES,
    NOUN_FOLLOWS,
    NOUNS,
    Phrase,
    phrases,
    undescribing,
)
from botattack.model import Token
from botattack.text.word_lists import denied, function_words, grammar_words, opposites, word_groups, word_tuple

_FIRST = re.compile(r"\w*")
_ARTICLES = frozenset([*ARTICLES, "the"])
_SAYABLE = re.compile(r"[\w\s'’.,&-]+")
_LETTER = re.compile(r"(?<![\w'’.&-])(?:[B-Zb-z]|(?<=\s)A)(?![\w'’.&-])")
"""A letter for a thing: "a set A"."""
_NEAR = 3
"""Words before a noun among which an article shows that it can be counted."""


def words_by_kind(text: str, tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """What of a text may be said by mistake, with its kind: those of `Phrase`; `loose` and one of them, for a phrase
    that may be broken off; `determined`, with another article; `owner`; `short name`."""
    for phrase in phrases(tokens):
        said = small(" ".join(text[tokens[phrase.first].start : tokens[phrase.last].end].split()))
        if not _SAYABLE.fullmatch(said) or _LETTER.search(said):
            continue
        article, _, rest = said.partition(" ")
        if phrase.kind != "noun" or not _bare_name(tokens, phrase):
            yield phrase.kind, said
        if phrase.kind in ("noun", "whole noun", "adjective"):
            yield from _loose(phrase, said)
        if phrase.kind == "noun" and not phrase.joined:
            yield from (("determined", words) for words in _determined(tokens, phrase, said))
        if phrase.kind == "whole noun" and article in ARTICLES:
            yield phrase.kind, f"the {rest}"
        if phrase.kind == "whole noun" and tokens[phrase.last].tag in NAMES:
            yield "owner", f"{said}'s"
            if all(token.tag in NAMES for token in tokens[phrase.first : phrase.last + 1]):
                yield "short name", article


def _bare_name(tokens: Sequence[Token], phrase: Phrase) -> bool:
    """Whether a phrase is a name that is said without an article."""
    before = tokens[phrase.first - 1].tag if phrase.first else ""
    return tokens[phrase.last].tag in NAMES and tokens[phrase.first].tag in NAMES and before not in NOUN_FOLLOWS - NOUNS


def _loose(phrase: Phrase, said: str) -> Iterator[tuple[str, str]]:
    """What a noun phrase may be broken off as: an adjective, or its first words."""
    kinds = ("loose whole noun",) if phrase.kind == "whole noun" else ("loose noun", "loose whole noun")
    yield from ((kind, said) for kind in kinds)
    while not phrase.joined and " " in said:
        said = said.rpartition(" ")[0].rstrip(",")
        if said.lower() not in undescribing():
            yield from ((kind, said) for kind in kinds)


def _determined(tokens: Sequence[Token], phrase: Phrase, said: str) -> Iterator[str]:
    """A phrase that ends in a common noun, with another article; one that is plural also as one of it."""
    last = tokens[phrase.last]
    if last.tag not in ("NN", "NNS") or said.split(maxsplit=1)[0].lower() in undescribing() or not said[:1].isalpha():
        return
    yield f"the {said}"
    counted = any(token.tag in DETERMINERS for token in tokens[max(phrase.first - _NEAR, 0) : phrase.first])
    one = _one_of(said) if last.tag == "NNS" else said if counted else ""
    if one:
        yield f"{ARTICLES[takes_an(one)]} {one}"


def _one_of(plural: str) -> str:
    """The singular of a regular plural; "" for others."""
    if plural.endswith("ies"):
        return f"{plural[:-3]}y"
    if plural.endswith(("ches", "shes", "sses", "xes")):
        return plural[:-2]
    return plural[:-1] if plural.endswith("s") and not plural.endswith(("ss", "us", "is")) else ""


def oddity(said: str, right: str) -> tuple[int, int]:
    """How unlike the right words others of their kind are, the least likely to be said for them last: a name for no
    name, another article, another number, longer or shorter."""
    one, other = said.split(), right.split()
    determined = [words[:1] if words[:1] and words[0].lower() in _ARTICLES else [] for words in (one, other)]
    return (
        4 * (_names(one) != _names(other))
        + 2 * (determined[0] != determined[1])
        + 2 * (said.endswith("s") != right.endswith("s"))
        + 2 * (said[:1].isdecimal() != right[:1].isdecimal())
        + abs(len(one) - len(other)),
        len(said),
    )


def _names(words: Sequence[str]) -> bool:
    return any(word[:1].isupper() for word in words)


def small(said: str) -> str:
    """Words without the capital of the first, where that is a function word."""
    if not said[:1].isupper():
        return said
    first = _FIRST.match(said)
    return said[0].lower() + said[1:] if first and first[0].lower() in _small() and first[0].istitle() else said


@cache
def _small() -> frozenset[str]:
    """Words that have a capital only at the start of a sentence."""
    known = grammar_words.question_words | grammar_words.requests | grammar_words.pronouns
    return (known | function_words().keys()) - {"i"}


@cache
def like(word: str) -> tuple[str, ...]:
    """The words that a speaker may say for a word of a question."""
    groups = (*word_groups("slips.like"), *denied().items())
    found = {other: None for group in groups if word in group for other in sorted(group)}
    return tuple(other for other in (*found, *opposites("ends").get(word, ())) if other != word)


def shared(pool: str) -> Sequence[str]:
    """The words of a pool that no passage is needed for."""
    kind, _, word = pool.rpartition(" ")
    match kind:
        case "asked":
            return word_tuple("slips.nouns")
        case "like":
            return like(word)
        case "not":
            return "not", f"not {word}"
        case "without not":
            return (word,)
        case _:
            return ()

"""What a speaker may say by mistake: how a question begins that is given up at once, phrases of a text by kind, and
words that questions share. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import overload

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
from botattack.text.word_lists import (
    denied,
    function_words,
    grammar_words,
    opposites,
    slip_words,
    word_groups,
    word_tuple,
)


@cache
def asked() -> Sequence[str]:
    """What asks for something, before a verb or a noun."""
    bare, nouns = word_tuple("slips.bare"), word_tuple("slips.nouns")
    return (
        *bare,
        *(f"how {word}" for word in word_tuple("slips.how")),
        *(f"{asks} {noun}" for asks in ("what", "which") for noun in nouns),
        *(f"{asks} {noun} of" for asks in ("what", "which") for noun in ("type", "kind", "percentage", "part")),
        "in what year",
        "in which",
    )


class Pairs(Sequence[str]):
    """Every head with every tail, made when looked at."""

    def __init__(self, heads: Sequence[str], tails: Sequence[str]) -> None:
        self._heads = heads
        self._tails = tails

    def __len__(self) -> int:
        return len(self._heads) * len(self._tails)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        head, tail = divmod(at, len(self._tails))
        return f"{self._heads[head]} {self._tails[tail]}"

    def __contains__(self, said: object) -> bool:
        return any(
            said.startswith(f"{head} ") and said[len(head) + 1 :] in self._tails
            for head in self._heads
            if isinstance(said, str)
        )


@cache
def helped() -> Sequence[str]:
    """What is asked for with an auxiliary behind it."""
    helpers = sorted(grammar_words.finite - {"am"})
    return tuple(f"{said} {word}" for said in asked() for word in helpers)


@cache
def short() -> Mapping[Sequence[str], int]:
    """The beginnings that name nothing, and how common they are."""
    return {
        tuple(asked()): 11,
        tuple(helped()): 7,
        tuple(f"{start} {word}" for start in helped() for word in ("the", "a", "some")): 2,
        tuple(f"{said} {word}" for said in word_tuple("slips.bare") for word in denied().values()): 1,
    }


def clashes(beginning: str) -> int:
    """Whether an auxiliary does not agree with what is behind it, or with how much is asked for before it."""
    words = beginning.split()
    at = next((i for i, word in enumerate(words) if word in slip_words.one | slip_words.many), 0)
    if not at:
        return 0
    one, ends = words[at] in slip_words.one, at == len(words) - 1
    if words[at - 1] == "many":
        return int(one or not ends)
    return int(not ends and one == (words[-1].endswith("s") or "and" in words))


def naming(pools: Mapping[str, Sequence[str]]) -> Iterator[tuple[Sequence[str], int]]:
    """The beginnings that name something of these phrases by kind, or are a phrase alone; and how common they are."""
    noun, whole, loose, broken, determined = (
        pools.get(kind, ()) for kind in ("noun", "whole noun", "loose whole noun", "loose noun", "determined")
    )
    verbs = [verb for kind in ("base", "past", "present") for verb in pools.get(kind, ())]
    found = (
        (Pairs([start for start in asked() if start.split()[-1] in ("what", "which", "many", "of")], noun), 3),
        (Pairs(["what", "which"], broken), 1),
        (Pairs(["who", "what", "which"], verbs), 5),
        (Pairs(helped(), whole), 8),
        (Pairs(helped(), loose), 5),
        (Pairs(helped(), determined), 8),
        (whole, 4),
        (loose, 2),
        (determined, 2),
    )
    yield from ((pool, share) for pool, share in found if len(pool))


_FIRST = re.compile(r"\w*")
_ARTICLES = frozenset([*ARTICLES, "the"])
_SAYABLE = re.compile(r"[\w\s'’.,&-]+")
_LETTER = re.compile(r"(?<![\w'’.&-])(?:[B-Zb-z]|(?<=\s)A)(?![\w'’.&-])")
"""A letter for a thing: "a set A"."""
_NEAR = 3
"""Words before a noun among which an article shows that it can be counted."""


def words_by_kind(text: str, tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """What of a text may be said by mistake, with its kind: those of `Phrase`; `loose` and one of them, for a phrase
    that may be broken off; `determined`, with another article."""
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
    """A phrase that ends in a common noun, with another article."""
    last = tokens[phrase.last]
    if last.tag not in ("NN", "NNS") or said.split(maxsplit=1)[0].lower() in undescribing() or not said[:1].isalpha():
        return
    yield f"the {said}"
    counted = any(token.tag in DETERMINERS for token in tokens[max(phrase.first - _NEAR, 0) : phrase.first])
    if counted and last.tag == "NN":
        yield f"{ARTICLES[takes_an(said)]} {said}"


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
        case _:
            return ()

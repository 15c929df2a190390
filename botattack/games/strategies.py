"""What is done to a message on its way to the other player (dialogue 3.2, Should-Change strategies on CoCoA). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from random import Random
from typing import Literal

from botattack.games.friends import Deal
from botattack.text.tokens import match_case, words
from botattack.text.word_lists import word_groups

Strategy = Literal["undisturbed", "random-inputs", "random-inputs-keep-entities", "confusing-entity"]
CONTROL: Strategy = "undisturbed"
PLAIN: Mapping[Strategy, str] = {
    "undisturbed": "Undisturbed talk",
    "random-inputs": "Random words",
    "random-inputs-keep-entities": "Random words around the facts",
    "confusing-entity": "Exchanged facts",
}
"""What reports call the strategies, as attacks have it in `plain`."""


@cache
def _everyday_words() -> tuple[str, ...]:
    """Common words that neither deny nor count anything."""
    common = set(chain.from_iterable(word_groups("everyday.homophones")))
    return tuple(sorted(common - {"none", "one", "two", "four", "eight", "some", "know"}))


_Span = tuple[int, int, str]


def disturbed(strategy: Strategy, text: str, deal: Deal, hearer: int, rng: Random) -> str:
    """What `hearer` hears in place of a message. A selection is an action, not a message: it is never given here."""
    if strategy == "random-inputs":
        return _replaced(text, _random_words(text, (), rng))
    if strategy == "random-inputs-keep-entities":
        kept = tuple(found.span() for found in deal.entities(text))
        return _replaced(text, _random_words(text, kept, rng))
    return _replaced(text, _confused(text, deal, hearer, rng)) if strategy == "confusing-entity" else text


def _random_words(text: str, kept: tuple[tuple[int, int], ...], rng: Random) -> Iterator[_Span]:
    for word in words(text):
        if not any(start < word.end and word.start < end for start, end in kept):
            yield word.start, word.end, match_case(word.text, rng.choice(_everyday_words()))


def _confused(text: str, deal: Deal, hearer: int, rng: Random) -> Iterator[_Span]:
    """An entity that is said twice becomes the same other one twice; one that nothing can replace stays."""
    chosen: dict[str, str] = {}
    for found in deal.entities(text):
        value = found[0].lower()
        if value not in chosen:
            others = deal.confusing(value, hearer)
            chosen[value] = rng.choice(others) if others else found[0]
        yield *found.span(), chosen[value]


def _replaced(text: str, spans: Iterator[_Span]) -> str:
    pieces, at = list[str](), 0
    for start, end, other in spans:
        pieces += (text[at:start], other)
        at = end
    return "".join([*pieces, text[at:]])

"""A game as a play: what is done to a message on its way to the other player (dialogue 3.2, Should-Change strategies on
CoCoA), what each player hears next, and how the game ends. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from random import Random
from typing import ClassVar, Literal

from botattack.games.friends import LONGEST, Deal, action
from botattack.model import Exchange, Prompt, Turns
from botattack.protocols import Play
from botattack.text.tokens import match_case, words
from botattack.text.word_lists import word_groups

Outcome = Literal["completed", "turn limit", "silent", "error"]
"""`completed`: a player selected the shared friend; `silent`: a player said nothing; `error`: a player did not answer,
or nobody knows what came of the game."""


@dataclass(frozen=True)
class MutualFriends(Play):
    """Lets the two players of `engine.games.Seats` hear each other, by turns, until one selects the shared friend or
    says nothing. What they say is disturbed on its way; a selection is an action, and is heard as it is."""

    name: ClassVar[str] = "mutual-friends"

    deal: Deal
    strategy: Strategy

    def next(self, first: Turns, said: Sequence[Exchange], rng: Random) -> Prompt | None:
        replies = [each.reply.text for each in said]
        if said and outcome(self.deal, replies) != "turn limit":
            return None
        player, heard = len(said) % 2, self._heard(replies, rng)
        return Prompt(heard if len(said) > 1 else self.deal.opening(player, heard))

    def _heard(self, replies: Sequence[str], rng: Random) -> str:
        """What the player whose turn it is hears of the last reply."""
        if not replies:
            return ""
        last = replies[-1].strip()[:LONGEST]
        return action(last) or disturbed(self.strategy, last, self.deal, len(replies) % 2, rng)


def outcome(deal: Deal, replies: Sequence[str]) -> Outcome:
    """How a game stands after what the players said, by turns; `turn limit` while neither came to an end."""
    if replies and not replies[-1].strip():
        return "silent"
    player = (len(replies) - 1) % 2
    chosen = action(replies[-1].strip()[:LONGEST]) if replies else ""
    return "completed" if chosen and deal.selected(player, chosen) == deal.shared else "turn limit"


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

"""A game as a play: what each player hears next, and how the game ends. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal

from botattack.games.friends import LONGEST, Deal, action
from botattack.games.strategies import Strategy, disturbed
from botattack.model import Exchange, Prompt, Turns
from botattack.protocols import Play

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

"""What happens in a run of games, in order. Recording, figures and the terminal are folds over these values, as over
`botattack.events`; of those, a run of games has its end alone."""

from __future__ import annotations

import msgspec

from botattack.events import Event, RunEnded
from botattack.games.friends import Deal
from botattack.games.game import Outcome, Strategy, outcome
from botattack.model import Attempt, Failure, Reply


class GamesStarted(Event, frozen=True, tag="games started"):
    """`total` deals are played under each of the `strategies`, of at most so many `turns`. Without a partner's file
    the target plays with itself. A resumed run says so again."""

    BEGINS = True
    run: str
    target: str
    partner: str
    started: str
    seed: int
    total: int
    turns: int
    strategies: tuple[Strategy, ...]


class GameBegun(Event, frozen=True, tag="game begun"):
    """The first turn of a game under a strategy is about to leave; `begun` counts from 0: a game that breaks off begins
    again, in other sessions."""

    KEY = "begun {0.game} {0.strategy} {0.begun}"
    game: int
    strategy: Strategy
    begun: int = 0


class GameEnded(Event, frozen=True, tag="game ended"):
    """A game is over: its tables, and what each player heard and replied, by turns, or a failure."""

    KEY = "ended {0.game} {0.strategy}"
    game: int
    strategy: Strategy
    deal: Deal
    heard: tuple[str, ...] = ()
    replies: tuple[Reply, ...] = ()
    failure: Failure | None = None
    attempts: tuple[Attempt, ...] = ()

    @property
    def outcome(self) -> Outcome:
        failed = self.failure is not None or not self.replies
        return "error" if failed else outcome(self.deal, [reply.text for reply in self.replies])


GameEvent = GamesStarted | GameBegun | GameEnded | RunEnded
_decode = msgspec.json.Decoder(GameEvent)


def decode_game(line: bytes) -> GameEvent:
    """The event of a line; raises msgspec.MsgspecError, or UnicodeDecodeError, if it is none."""
    try:
        event: GameEvent = _decode.decode(line)
        return event
    except RecursionError:
        raise msgspec.ValidationError("it is nested too deeply") from None

"""What happens in a run of games, in order. Recording, figures and the terminal are folds over these values, as over
`botattack.events`; of those, a run of games has its end alone."""

from __future__ import annotations

import msgspec

from botattack.events import FORMAT, Event, RunEnded
from botattack.games.friends import Deal
from botattack.games.strategies import Strategy
from botattack.model import Attempt, Failure, Reply


class GamesStarted(Event, frozen=True, tag="games started"):
    """`total` deals are played under each of the `strategies`, of at most so many `turns`. Without a partner's file
    the target plays with itself."""

    run: str
    target: str
    partner: str
    started: str
    seed: int
    total: int
    turns: int
    strategies: tuple[Strategy, ...]
    format: int = FORMAT

    @property
    def key(self) -> str:
        return "games"


class Dealt(Event, frozen=True, tag="dealt"):
    """The tables of a game, before it is first played."""

    game: int
    deal: Deal

    @property
    def key(self) -> str:
        return f"dealt {self.game}"


class GameBegun(Event, frozen=True, tag="game begun"):
    """The first turn of a game under a strategy is about to leave; `begun` counts from 0: a game that breaks off begins
    again, in other sessions."""

    game: int
    strategy: Strategy
    begun: int = 0

    @property
    def key(self) -> str:
        return f"begun {self.game} {self.strategy} {self.begun}"


class GameTurn(Event, frozen=True, tag="game turn"):
    """A player answered what was heard, and the other is about to. Turns count from 0; the target has the even ones.
    What the game comes to is in its `GameEnded`: this shows what was said where it never came to an end."""

    game: int
    strategy: Strategy
    turn: int
    heard: str
    said: str
    requests: int = 0
    begun: int = 0

    @property
    def key(self) -> str:
        return f"turn {self.game} {self.strategy} {self.begun} {self.turn}"


class GameEnded(Event, frozen=True, tag="game ended"):
    """A game is over: what each player heard and replied, by turns, or a failure."""

    game: int
    strategy: Strategy
    heard: tuple[str, ...] = ()
    replies: tuple[Reply, ...] = ()
    failure: Failure | None = None
    attempts: tuple[Attempt, ...] = ()

    @property
    def key(self) -> str:
        return f"ended {self.game} {self.strategy}"


GameEvent = GamesStarted | Dealt | GameBegun | GameTurn | GameEnded | RunEnded
_decode = msgspec.json.Decoder(GameEvent)


def decode_game(line: bytes) -> GameEvent:
    """The event of a line; raises msgspec.MsgspecError, or UnicodeDecodeError, if it is none."""
    try:
        event: GameEvent = _decode.decode(line)
        return event
    except RecursionError:
        raise msgspec.ValidationError("it is nested too deeply") from None

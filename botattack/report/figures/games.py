"""What came of games: how many were completed under each strategy, in how many turns, beside the undisturbed game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from botattack.events import RunEnded
from botattack.games.events import GameBegun, GameEnded, GamesStarted
from botattack.games.game import CONTROL, Outcome, Strategy
from botattack.report.statistics.intervals import MIN_QUESTIONS, Interval, wilson
from botattack.report.statistics.significance import bootstrap


@dataclass(frozen=True)
class Difference:
    """The mean difference from the undisturbed game over the deals that both ended, its 95 % interval, and the
    two-sided p of a bootstrap over the deals; None of fewer than 20."""

    games: int
    mean: float | None = None
    interval: Interval | None = None
    p: float | None = None

    @classmethod
    def of(cls, differences: Sequence[float]) -> Difference:
        if len(differences) < MIN_QUESTIONS:
            return cls(len(differences))
        return cls(len(differences), *bootstrap(differences, seed=0))


@dataclass(frozen=True)
class StrategyFigures:
    """`played` is all that did not end in an error. A rate or a mean is None of fewer than 20 games. A game without an
    end has as many turns as it may have."""

    outcomes: Mapping[Outcome, int]
    rate: float | None = None
    interval: Interval | None = None
    turns: float | None = None
    turns_interval: Interval | None = None
    completed: Difference | None = None
    turns_more: Difference | None = None

    @property
    def played(self) -> int:
        return sum(self.outcomes.values()) - self.outcomes["error"]


@dataclass(frozen=True)
class GamesFigures:
    """A run of games, as its events say."""

    run: GamesStarted | None
    end: RunEnded | None
    strategies: Mapping[Strategy, StrategyFigures]
    again: int = 0
    """How often a game broke off and began again."""

    @property
    def over(self) -> int:
        return sum(sum(one.outcomes.values()) for one in self.strategies.values())

    @property
    def errors(self) -> int:
        return sum(one.outcomes["error"] for one in self.strategies.values())


@dataclass
class GamesFold:
    """Folds events; each game counts once."""

    run: GamesStarted | None = None
    end: RunEnded | None = None
    again: int = 0
    ended: dict[Strategy, dict[int, tuple[Outcome, int]]] = field(default_factory=dict)

    def update(self, event: object) -> None:
        match event:
            case GamesStarted():
                self.run, self.end = event, None
            case GameBegun():
                self.again += event.begun > 0
            case GameEnded():
                self.ended.setdefault(event.strategy, {})[event.game] = event.outcome, len(event.replies)
            case RunEnded():
                self.end = event

    def value(self) -> GamesFigures:
        figures = {name: self._figures(name) for name in (self.run.strategies if self.run else ())}
        return GamesFigures(self.run, self.end, figures, self.again)

    def _figures(self, name: Strategy) -> StrategyFigures:
        ended = self._played(name)
        counts = Counter(found for found, _ in self.ended.get(name, {}).values())
        outcomes: dict[Outcome, int] = {one: counts[one] for one in get_args(Outcome)}
        if len(ended) < MIN_QUESTIONS:
            return StrategyFigures(outcomes)
        done, turns = outcomes["completed"], [float(number) for _, number in ended.values()]
        mean, interval, _ = bootstrap(turns, seed=0)
        rate = done / len(ended)
        compared = (None, None) if name == CONTROL else self.compared(name, CONTROL)
        return StrategyFigures(outcomes, rate, wilson(done, len(ended)), mean, interval, *compared)

    def compared(self, one: Strategy, other: Strategy) -> tuple[Difference, Difference]:
        """How much more of the same deals were completed under `one` than under `other`, and in how many more turns."""
        first, second = self._played(one), self._played(other)
        pairs = [(first[game], second[game]) for game in sorted(first.keys() & second.keys())]
        done = [(a == "completed") - (b == "completed") for (a, _), (b, _) in pairs]
        return Difference.of(done), Difference.of([a - b for (_, a), (_, b) in pairs])

    def _played(self, name: Strategy) -> dict[int, tuple[Outcome, int]]:
        return {game: found for game, found in self.ended.get(name, {}).items() if found[0] != "error"}


def games_figures(events: Iterable[object]) -> GamesFigures:
    """The figures of a recording of games."""
    fold = GamesFold()
    for event in events:
        fold.update(event)
    return fold.value()

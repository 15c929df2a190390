"""What came of games: how many were completed under each strategy, in how many turns, beside the undisturbed game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import get_args

from botattack.events import HeldGate, RunEnded
from botattack.games.events import Dealt, GameBegun, GameEnded, GamesStarted, GameTurn
from botattack.games.friends import Deal
from botattack.games.game import Outcome, outcome
from botattack.games.strategies import CONTROL, Strategy
from botattack.report.figures.figure_values import GateFigures
from botattack.report.figures.gates import Bound, bounds_of
from botattack.report.numbers import percent
from botattack.report.statistics.intervals import MIN_QUESTIONS, Interval, wilson
from botattack.report.statistics.significance import bootstrap

FEWER = " fewer than undisturbed"
TOO_FEW = "too few games"
ROUNDING = 5e-7
"""Forgives what binary fractions add: a drop of exactly 5 % may be at most 5 %."""


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
    broken_off: int = 0
    """Turns of games that broke off, and began again, failed or never ended."""
    gates: tuple[GateFigures, ...] = ()
    """The bounds of the gates that were checked at the end of the run."""

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
    deals: dict[int, Deal] = field(default_factory=dict)
    ended: dict[Strategy, dict[int, tuple[Outcome, int]]] = field(default_factory=dict)
    said: Counter[tuple[int, Strategy, int]] = field(default_factory=Counter)
    begun: dict[tuple[int, Strategy], int] = field(default_factory=dict)

    def update(self, event: object) -> None:
        match event:
            case GamesStarted():
                self.run = event
            case Dealt():
                self.deals[event.game] = event.deal
            case GameBegun():
                self.begun[event.game, event.strategy] = event.begun
            case GameTurn():
                self.said[event.game, event.strategy, event.begun] += 1
            case GameEnded() if event.game in self.deals:
                self.ended.setdefault(event.strategy, {})[event.game] = self._ended(event)
            case RunEnded():
                self.end = event

    def _ended(self, event: GameEnded) -> tuple[Outcome, int]:
        if event.failure is None:
            # The last turn of a game that came to an end has no event of its own.
            self.said.pop((event.game, event.strategy, self.begun.get((event.game, event.strategy), 0)), None)
        failed = event.failure is not None or not event.replies
        replies = [reply.text for reply in event.replies]
        return "error" if failed else outcome(self.deals[event.game], replies), len(replies)

    def value(self) -> GamesFigures:
        names = self.run.strategies if self.run else ()
        found = {name: self._figures(name) for name in names}
        figures = GamesFigures(self.run, self.end, found, self.said.total())
        return replace(figures, gates=checked(self.end.gates, figures)) if self.end else figures

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


def checked(gates: Iterable[HeldGate], figures: GamesFigures) -> tuple[GateFigures, ...]:
    """Every bound of the gates with the figure it is about."""
    return tuple([_gate(gate, bound, limit, figures) for gate in gates for bound, limit in bounds_of(gate).items()])


def _gate(gate: HeldGate, bound: Bound, limit: float, figures: GamesFigures) -> GateFigures:
    strategies = {str(name): found for name, found in figures.strategies.items()}
    found, control = strategies.get(gate.attack or ""), strategies.get(CONTROL)
    name, before = f"games completed under {gate.attack}", control.rate if control else None
    value, words = found.rate if found else None, (", at least", ", below")
    if bound == "drop_at_most":
        mean = found.completed.mean if found and found.completed else None
        value, words = None if mean is None else -mean, (f"{FEWER}, at most", f"{FEWER}, more than")
    if value is None:
        return GateFigures(gate.metric, gate.attack, bound, limit, None, before, False, f"{name}: {TOO_FEW}")
    held = value >= limit if bound == "at_least" else value <= limit + ROUNDING
    sentence = f"{name}: {percent(value)}{words[not held]} {percent(limit)}"
    return GateFigures(gate.metric, gate.attack, bound, limit, value, before, held, sentence)


def games_figures(events: Iterable[object]) -> GamesFigures:
    """The figures of a recording of games."""
    fold = GamesFold()
    for event in events:
        fold.update(event)
    return fold.value()

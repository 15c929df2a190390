"""What must hold for a run to end well, as a fold over its events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from botattack.events import AnyEvent, Asked
from botattack.report.figures import Figures

WORSE_WHEN_HIGHER = frozenset({"success_rate"})


class Gate(Protocol):
    """A bound or more on one figure."""

    @property
    def metric(self) -> str: ...
    @property
    def attack(self) -> str | None: ...
    @property
    def at_least(self) -> float | None: ...
    @property
    def at_most(self) -> float | None: ...
    @property
    def drop_at_most(self) -> float | None: ...


class Gates:
    """Counts askings and those that failed; everything else that gates speak of stands in the figures."""

    def __init__(self) -> None:
        self.asked = self.failed = 0

    def update(self, event: AnyEvent) -> None:
        if isinstance(event, Asked):
            self.asked += 1
            self.failed += event.failure is not None

    def broken(self, gates: Sequence[Gate], figures: Figures, baseline: Figures | None = None) -> list[str]:
        """One sentence for each bound that does not hold; a figure that cannot be given holds no gate.

        `drop_at_most` is looked at where there is a baseline.
        """
        return [sentence for gate in gates for sentence in _broken_bounds(gate, figures, baseline)]


def value(gate: Gate, figures: Figures) -> float | None:
    """The figure a gate speaks of, as reports show it; None where there is not enough to say.

    Without an attack, robust and perturbation accuracy are the micro means over all of them.
    """
    attack = figures.attacks.get(gate.attack or "")
    if gate.metric == "success_rate":
        return attack.gold.success_rate if attack else None
    name = gate.metric.replace("_", " ")
    if attack is not None:
        found = attack.measures.get(name)
    else:
        found = figures.measures.get(f"{name}, micro") or figures.measures.get(name)
    return found.value if found else None


def _broken_bounds(gate: Gate, figures: Figures, baseline: Figures | None) -> Iterator[str]:
    name = gate.metric.replace("_", " ") + (f" of {gate.attack}" if gate.attack else "")
    found = value(gate, figures)
    bounds = gate.at_least, gate.at_most, gate.drop_at_most if baseline else None
    if found is None:
        if any(bound is not None for bound in bounds):
            yield f"{name} cannot be given: too few questions"
        return
    if gate.at_least is not None and found < gate.at_least:
        yield f"{name} is {found:.1%}, below {gate.at_least:.1%}"
    if gate.at_most is not None and found > gate.at_most:
        yield f"{name} is {found:.1%}, above {gate.at_most:.1%}"
    if gate.drop_at_most is not None and baseline is not None:
        yield from _dropped(gate, name, found, value(gate, baseline))


def _dropped(gate: Gate, name: str, found: float, before: float | None) -> Iterator[str]:
    assert gate.drop_at_most is not None  # noqa: S101  # the caller looked
    if before is None:
        yield f"{name} of the baseline cannot be given: too few questions"
        return
    drop = found - before if gate.metric in WORSE_WHEN_HIGHER else before - found
    # Half a millionth forgives what binary fractions add: a drop of exactly 5 % may be at most 5 %.
    if drop > gate.drop_at_most + 5e-7:
        yield f"{name} went from {before:.1%} to {found:.1%}, more than {gate.drop_at_most:.1%} for the worse"

"""What must hold for a run to end well, as a fold over its events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, Protocol

from botattack.events import AnyEvent, Asked, OriginalJudged, QuestionClosed, VariantJudged
from botattack.model import result_of
from botattack.report.figures import Figures


class Gate(Protocol):
    """A bound or more on one figure."""

    @property
    def metric(self) -> Literal["success_rate", "robust_accuracy", "standard_accuracy"]: ...
    @property
    def attack(self) -> str | None: ...
    @property
    def at_least(self) -> float | None: ...
    @property
    def at_most(self) -> float | None: ...


class Gates:
    """Counts what gates speak of.

    Standard accuracy is the share of originals answered rightly; robust accuracy the share of them that are right and
    stayed right under every variant asked (semantic parsers, section 4.2), of one attack or of all. Questions that
    ended in an error enter neither.
    """

    def __init__(self) -> None:
        self.asked = self.failed = 0
        self._originals = self._right = 0
        self._open: dict[str, set[str]] = {}
        self._broken: dict[str, int] = {}

    def update(self, event: AnyEvent) -> None:
        match event:
            case Asked():
                self.asked += 1
                self.failed += event.failure is not None
            case OriginalJudged():
                self._originals += event.standing != "error"
                self._right += event.standing == "kept"
                if event.standing == "kept":
                    self._open[event.question] = set()
            case VariantJudged() if event.question in self._open:
                claimed = event.meaning == ("kept" if event.expect == "same" else "changed")
                if claimed and result_of(event.expect, event.verdict.kind) == "success":
                    self._open[event.question] |= {event.attack, ""}
            case QuestionClosed():
                self._fold(self._open.pop(event.question, set()))

    def _fold(self, broken: set[str]) -> None:
        for attack in broken:
            self._broken[attack] = self._broken.get(attack, 0) + 1

    def value(self, gate: Gate, figures: Figures) -> float | None:
        """The figure a gate speaks of; None where there is not enough to say."""
        if gate.metric == "success_rate":
            return figures.attacks[gate.attack].gold.success_rate if gate.attack in figures.attacks else None
        if not self._originals:
            return None
        if gate.metric == "standard_accuracy":
            return self._right / self._originals
        still_open = sum((gate.attack or "") in broken for broken in self._open.values())
        broken = self._broken.get(gate.attack or "", 0) + still_open
        return (self._right - broken) / self._originals

    def broken(self, gates: Sequence[Gate], figures: Figures) -> list[str]:
        """One sentence for each bound that does not hold; a figure that cannot be given holds no gate."""
        return [sentence for gate in gates for sentence in self._broken_bounds(gate, self.value(gate, figures))]

    def _broken_bounds(self, gate: Gate, value: float | None) -> Iterator[str]:
        name = gate.metric.replace("_", " ") + (f" of {gate.attack}" if gate.attack else "")
        if value is None:
            yield f"{name} cannot be given: too few questions"
            return
        if gate.at_least is not None and value < gate.at_least:
            yield f"{name} is {value:.1%}, below {gate.at_least:.1%}"
        if gate.at_most is not None and value > gate.at_most:
            yield f"{name} is {value:.1%}, above {gate.at_most:.1%}"

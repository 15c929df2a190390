"""What a budget found that was spent first where the bot breaks, and what it would have found spent evenly."""

from __future__ import annotations

from dataclasses import dataclass

from botattack.cases import QuestionCase
from botattack.engine.spending import by_attack


@dataclass(frozen=True)
class Spending:
    """What a budget found that was spent first where the bot breaks: `broken` answers for so many `requests`, and how
    many for a hundred; `evenly_per_100` is the same, had every question met every attack, by the known chances."""

    broken: int = 0
    requests: int = 0
    per_100: float | None = None
    evenly_per_100: float | None = None


class Spent:
    """A fold over questions that met some of the attacks, each by a known chance."""

    def __init__(self) -> None:
        self._broke = self._requests = 0
        self._evenly_broke = self._evenly_requests = 0

    def add(self, case: QuestionCase) -> None:
        requests = sum(asked.requests for asked in case.asked.values())
        of_attacks = by_attack(case)
        self._broke += sum(broke for broke, _ in of_attacks.values())
        self._requests += requests
        # What is asked with a chance of one in n would be asked n times as often; originals are always asked.
        times = {label: case.drawn.get(label, 1) for label in of_attacks}
        self._evenly_broke += sum(times[label] * broke for label, (broke, _) in of_attacks.items())
        more = sum((times[label] - 1) * spent for label, (_, spent) in of_attacks.items())
        self._evenly_requests += requests + more

    def value(self) -> Spending:
        return Spending(
            self._broke,
            self._requests,
            100 * self._broke / self._requests if self._requests else None,
            100 * self._evenly_broke / self._evenly_requests if self._evenly_requests else None,
        )

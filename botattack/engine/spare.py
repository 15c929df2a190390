"""Whether the budget has room for askings that the plan does not hold."""

from __future__ import annotations

from collections.abc import Callable

from botattack.engine.purse import Purse
from botattack.limits import Budget


class Spare:
    """Grants askings beyond the `known` number of the plan as long as, at what an asking took so far, the plan still
    comes to its end within the budget. `elapsed` gives the seconds of the run."""

    def __init__(self, budget: Budget, known: int, spent: Purse, elapsed: Callable[[], float]) -> None:
        self._budget = budget
        self._known = known
        self._spent = spent
        self._elapsed = elapsed
        self._begun = 0

    def begins(self) -> None:
        """An asking is about to begin."""
        self._begun += 1

    def grants(self) -> bool:
        """One more asking, if there is room for it."""
        budget, spent = self._budget, self._spent
        scale = (self._known + 1) / max(1, self._begun)
        used = ((spent.requests, budget.requests), (spent.cost, budget.cost), (self._elapsed(), budget.seconds))
        granted = all(most is None or taken * scale <= most for taken, most in used)
        self._known += granted
        return granted

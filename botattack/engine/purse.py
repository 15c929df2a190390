"""What a run has used so far, and the budget that ends it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from botattack.errors import RunStopped
from botattack.limits import Budget, Price
from botattack.model import Reply


class Purse:
    """Counts everything that leaves: preflight, repeats, retries, polls."""

    def __init__(self, budget: Budget, price: Price) -> None:
        self._budget = budget
        self._price = price
        self.requests = 0
        self.retried = 0
        self.rate_limited = 0
        self.cost = 0.0

    def take(self) -> None:
        """One request is about to leave. Raises RunStopped where the budget does not reach for it.

        Tokens are known only once a reply is there: with a price for them, what is on its way may overdraw `cost`.
        """
        budget, price = self._budget, self._price.request
        if budget.requests is not None and self.requests >= budget.requests:
            raise RunStopped(f"the budget of {budget.requests} requests is used up")
        if budget.cost is not None and (self.cost >= budget.cost or self.cost + price > budget.cost * (1 + 1e-9)):
            raise RunStopped(f"the budget of {budget.cost:g} is used up: {self.cost:g} spent")
        self.requests += 1
        self.cost += price

    def charge(self, requests: int, replies: Iterable[Reply]) -> float:
        """What an attempt cost; its requests are paid for already, its tokens are paid here."""
        if not self._price:
            return 0.0
        tokens = self._price.token * sum(_number(reply.fields.get("tokens")) for reply in replies)
        self.cost += tokens
        return requests * self._price.request + tokens


def _number(value: Any) -> float:
    """The tokens a reply tells of: a number, or several to add up; anything else is none."""
    if isinstance(value, list | tuple):
        return sum(map(_number, value))
    told = isinstance(value, int | float) and not isinstance(value, bool)
    return max(0.0, float(value)) if told else 0.0

"""What a run has used so far, the budget that ends it, and whether that has room for askings beyond the plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from threading import Lock
from typing import Any

from botattack.engine.pacing.cells import Cell, State
from botattack.errors import RunStopped
from botattack.limits import Budget, Price
from botattack.model import Reply

WHOLE_AGAIN = "a resumed run has the whole of it again"
MOST_TOKENS = 10**12
"""A reply that names more tokens, or infinitely many, counts as naming none."""


class Spent(State, kw_only=True):
    """What all who pay from one budget have used so far."""

    requests: int = 0
    cost: float = 0.0


class Purse:
    """Counts everything that leaves: preflight, repeats, retries, polls, and what services are asked.

    Services are asked from threads of their own, each with a part of the purse of the `run`.
    """

    def __init__(
        self,
        budget: Budget,
        price: Price,
        whole: Purse | None = None,
        run: str = "",
        shared: Cell[Spent] | None = None,
    ) -> None:
        """What is taken from a part is taken from the `whole`, whose budget it is. Other processes of the run pay from
        the same budget if what they spend is `shared`."""
        self.run = run
        self._budget = budget
        self._price = price
        self._whole = whole
        self._shared = shared
        self._lock: Lock = whole._lock if whole else Lock()
        self._closed = ""
        self._let_go: list[Callable[[], None]] = []
        self.requests = 0
        self.retried = 0
        self.rate_limited = 0
        self.cost = 0.0

    @property
    def used(self) -> dict[str, int | float]:
        """What has been used so far, as the end of a run says it."""
        counted = {"requests": self.requests, "retried": self.retried, "rate_limited": self.rate_limited}
        return {**counted, "cost": round(self.cost, 9)}

    def take(self) -> None:
        """One request is about to leave. Raises RunStopped if the budget does not reach for it.

        Tokens are known only once a reply is there: with a price for them, what is on its way may overdraw `cost`.
        """
        price = self._price.request
        with self._lock:
            if self._whole:
                self._whole._take(price, closed=self._whole._closed)
            self._take(price)

    def _take(self, price: float, closed: str = "") -> None:
        if closed:
            raise RunStopped(closed)
        if self._shared:
            self._shared.change(partial(self._spend, price=price))
        else:
            self._afford(self, price)
        self.requests += 1
        self.cost += price

    def _afford(self, spent: Purse | Spent, price: float) -> None:
        budget = self._budget
        if budget.requests is not None and spent.requests >= budget.requests:
            raise RunStopped(f"the budget of {budget.requests} requests is used up; {WHOLE_AGAIN}")
        # Three requests at 0.1 add up to a hair more than 0.3.
        if budget.cost is not None and (spent.cost >= budget.cost or spent.cost + price > budget.cost * (1 + 1e-9)):
            raise RunStopped(f"the budget of {budget.cost:g} is used up: {spent.cost:g} spent; {WHOLE_AGAIN}")

    def _spend(self, spent: Spent, now: float, *, price: float, requests: int = 1) -> None:
        if requests:
            self._afford(spent, price)
        spent.requests += requests
        spent.cost += price

    def owe(self) -> None:
        """Counts a request that leaves whatever the budget: it removes what the run has added."""
        with self._lock:
            self.requests += 1
            self.cost += self._price.request

    def part(self, price: Price, let_go: Callable[[], None] | None = None) -> Purse:
        """The purse of a service, at its own price; `let_go` is called once the run is over."""
        self._let_go += [let_go] if let_go else []
        return Purse(Budget(), price, self, self.run)

    def close(self, why: str) -> None:
        """Nothing more is taken by services; the bot's own requests are the run's to end."""
        self._closed = self._closed or why

    def end(self, why: str) -> None:
        """The run is over: services take nothing more, and let go of what is on its way."""
        self.close(why)
        for let_go in self._let_go:
            let_go()

    def retry(self) -> None:
        """Counts a request that is tried again."""
        with self._lock:
            for purse in filter(None, (self, self._whole)):
                purse.retried += 1

    def push_back(self) -> None:
        """Counts a request that was pushed back."""
        with self._lock:
            for purse in filter(None, (self, self._whole)):
                purse.rate_limited += 1

    def charge(self, requests: int, replies: Iterable[Reply]) -> float:
        """What an attempt cost; its requests are paid for already, its tokens are paid here."""
        if not self._price:
            return 0.0
        tokens = self._price.token * sum(_number(reply.fields.get("tokens")) for reply in replies)
        with self._lock:
            for purse in filter(None, (self, self._whole)):
                purse.cost += tokens
                if purse._shared and tokens:
                    purse._shared.change(partial(self._spend, price=tokens, requests=0))
        return requests * self._price.request + tokens


def _number(value: Any) -> float:
    """The tokens a reply tells of: a number, or several to add up; anything else is none."""
    if isinstance(value, list | tuple):
        return sum(map(_number, value))
    told = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= MOST_TOKENS
    return float(value) if told else 0.0


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

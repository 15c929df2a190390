"""A circuit breaker: a bot that fails again and again is left alone, tried once more, and then given up."""

from __future__ import annotations

from collections.abc import Callable

from botattack.engine.clock import Clock
from botattack.engine.pacing.cells import Cell
from botattack.engine.pacing.pacer import PaceState
from botattack.errors import TargetDown
from botattack.limits import Limits

COOL_DOWN = 5.0
"""Seconds after which one unit is let through."""
LOOK_EVERY = 0.5
"""Seconds between two looks at what became of it."""


class Breaker:
    """Opens after `limits.breaker` failures in a row: all wait, one unit is tried, and its end closes it or ends the
    run.

    All who share the `cell` count together. A unit that is tried is given up after twice the timeout and the cool-down:
    the process that tried it may be gone. `tell(why, seconds)` is called with what is being waited for.
    """

    def __init__(
        self,
        limits: Limits,
        target: str,
        clock: Clock,
        tell: Callable[[str, float], None],
        cell: Cell[PaceState],
    ) -> None:
        self._limit = limits.breaker
        self._patience = 2 * (limits.timeout + COOL_DOWN)
        self._target = target
        self._clock = clock
        self._tell = tell
        self._cell = cell

    @property
    def open(self) -> bool:
        """Whether nothing but one unit may be asked."""
        return self._cell.seen.failures >= self._limit

    async def admit(self) -> bool:
        """Returns once a unit may be asked; True if its end decides."""
        while self.open:
            if self._cell.change(self._try_it):
                await self._clock.sleep(COOL_DOWN)
                return self.open
            await self._clock.sleep(LOOK_EVERY)
        return False

    def _try_it(self, state: PaceState, now: float) -> bool:
        mine = state.failures >= self._limit and now - state.probed > self._patience
        if mine:
            state.probed = now
        return mine

    def failed(self, why: str, *, decides: bool) -> None:
        """A unit ended without a reply; raises TargetDown if that is the end."""
        if self._cell.change(lambda state, _: self._count(state, decides=decides)):
            raise TargetDown(
                f"{self._target} failed {self._limit} times in a row, and again {COOL_DOWN:g} s later; last: {why}"
            )
        if self._cell.seen.failures == self._limit:
            self._tell(f"{self._limit} failures in a row; then one more try", COOL_DOWN)

    def _count(self, state: PaceState, *, decides: bool) -> bool:
        """Whether this failure is the last."""
        if decides and state.failures >= self._limit:
            return True
        state.failures += 1
        if state.failures == self._limit:
            state.probed = float("-inf")
        return False

    def answered(self) -> None:
        """A unit was answered."""
        if self._cell.seen.failures:
            self._cell.change(_forget)


def _forget(state: PaceState, now: float) -> None:
    del now
    state.failures = 0

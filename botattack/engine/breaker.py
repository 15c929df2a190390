"""A circuit breaker: a bot that fails again and again is left alone, tried once more, and then given up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from botattack.engine.clock import Clock
from botattack.errors import TargetDown

COOL_DOWN = 5.0
"""Seconds after which one unit is let through."""


class Breaker:
    """Opens after `limit` failures in a row: all wait, one unit is tried, and its end closes the breaker or the run.

    `tell(why, seconds)` is called with what is being waited for.
    """

    def __init__(self, limit: int, target: str, clock: Clock, tell: Callable[[str, float], None]) -> None:
        self._limit = limit
        self._target = target
        self._clock = clock
        self._tell = tell
        self._closed = asyncio.Event()
        self._probing = False
        self._failures = 0
        self.open = False

    async def admit(self) -> bool:
        """Returns once a unit may be asked; True if its end decides."""
        while self.open:
            if self._probing:
                await self._closed.wait()
                continue
            self._probing = True
            await self._clock.sleep(COOL_DOWN)
            return self.open
        return False

    def failed(self, why: str, *, decides: bool) -> None:
        """A unit ended without a reply; raises TargetDown if that is the end."""
        if decides and self.open:
            raise TargetDown(
                f"{self._target} failed {self._limit} times in a row, and again {COOL_DOWN:g} s later; last: {why}"
            )
        self._failures += 1
        if self._failures == self._limit:
            self.open, self._probing = True, False
            self._closed.clear()
            self._tell(f"{self._limit} failures in a row; then one more try", COOL_DOWN)

    def answered(self) -> None:
        self._failures = 0
        if self.open:
            self.open = False
            self._closed.set()

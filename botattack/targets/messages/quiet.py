"""Time as a conversation counts it: when its first request left, and quiet that tells the end of an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Self, TypeVar

from botattack.protocols import Pace

Heard = TypeVar("Heard")
PARTS = 10
"""In which quiet is counted: a standstill costs one of them, not all."""
LATE = 0.25
"""Seconds that an event loop may wake up late before the machine counts as having stood still."""
TICK = 0.05
"""Seconds between two looks at whether the loop woke up late."""


class AwakeClock:
    """The event loop's seconds without those for which the machine stood still inside `with`."""

    def __init__(self) -> None:
        self._time = asyncio.get_running_loop().time
        self._lost = 0.0

    def now(self) -> float:
        return self._time() - self._lost

    async def looked_at(self) -> float:
        """`now` by a clock that has noticed a standstill which has just ended."""
        await asyncio.sleep(0)
        return self.now()

    def __enter__(self) -> Self:
        self._ticking = asyncio.create_task(self._tick())
        return self

    def __exit__(self, *error: object) -> None:
        self._ticking.cancel()

    async def _tick(self) -> None:
        while True:
            due = self._time() + TICK
            await asyncio.sleep(TICK)
            late = self._time() - due
            self._lost += late if late > LATE else 0.0


async def before_quiet(coming: Coroutine[object, object, Heard], quiet: float) -> Heard:
    """What comes before `quiet` seconds are over; raises TimeoutError.

    They are counted in parts, and one in which the machine stood still (a laptop that slept, a busy host) does not
    count: what the bot said meanwhile is still on its way. A loop that is late all the time doubles the wait at most.
    """
    now, part, left = asyncio.get_running_loop().time, quiet / PARTS, PARTS
    hearing = asyncio.ensure_future(coming)
    try:
        for _ in range(2 * PARTS):
            began = now()
            await asyncio.wait([hearing], timeout=part)
            if hearing.done():
                return hearing.result()
            left -= now() - began < part + LATE
            if not left:
                break
        raise TimeoutError
    finally:
        if hearing.cancel():
            await asyncio.wait([hearing])


class TimedPace:
    """Passes on a pace and notes when the first request left, by the loop's clock."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self.left: float | None = None

    async def leave(self) -> None:
        await self._pace.leave()
        self.start()

    def start(self) -> None:
        if self.left is None:
            self.left = asyncio.get_running_loop().time()

    def shut(self, seconds: float | None) -> None:
        self._pace.shut(seconds)

    def since(self) -> float:
        """Seconds since the first request left."""
        return asyncio.get_running_loop().time() - (self.left or 0.0)

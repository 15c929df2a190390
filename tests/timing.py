"""Measures that a machine which stands still for some seconds cannot spoil."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import process_time

STANDSTILL = 0.25
"""Seconds that an idle event loop may wake up late before a measure of seconds means nothing."""


def quickest(work: Callable[[], object], enough: float, goes: int = 3) -> float:
    """CPU seconds that the quickest of `goes` took; the first that took no more than `enough` is quick enough.

    A virtual machine that stands still may count that as time of the process; work that is slow is so each time.
    """
    took: list[float] = []
    while len(took) < goes and (not took or took[-1] > enough):
        began = process_time()
        work()
        took.append(process_time() - began)
    return min(took)


@dataclass
class Standstill:
    """How late this event loop woke up at worst, in seconds, and for how long altogether it may have stood still."""

    worst: float = 0.0
    lost: float = 0.0
    """At least what any other clock of this loop counts as lost: whole ticks, and from a shorter delay on."""

    @property
    def seen(self) -> bool:
        return self.worst > STANDSTILL


@asynccontextmanager
async def watched_for_standstill() -> AsyncIterator[Standstill]:
    """Watches while the block runs."""
    standstill = Standstill()

    async def watch() -> None:
        now, tick = asyncio.get_running_loop().time, 0.05
        while True:
            due = now() + tick
            await asyncio.sleep(tick)
            late = now() - due
            standstill.worst = max(standstill.worst, late)
            standstill.lost += late + tick if late > STANDSTILL / 2 else 0.0

    watching = asyncio.create_task(watch())
    try:
        yield standstill
    finally:
        watching.cancel()

"""Measures that a machine which stands still for some seconds cannot spoil."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import process_time

LATE = 0.1
"""Seconds that an idle event loop may wake up late before it counts as having stood still."""
TICK = 0.05


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
    """For how many seconds this event loop stood still, at the most: whoever else counts counts no more."""

    lost: float = 0.0


@asynccontextmanager
async def watched_for_standstill() -> AsyncIterator[Standstill]:
    """Watches while the block runs."""
    standstill = Standstill()

    async def watch() -> None:
        now = asyncio.get_running_loop().time
        while True:
            began = now()
            await asyncio.sleep(TICK)
            took = now() - began
            standstill.lost += took if took > TICK + LATE else 0.0

    watching = asyncio.create_task(watch())
    try:
        yield standstill
    finally:
        watching.cancel()

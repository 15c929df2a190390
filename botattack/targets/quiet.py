"""Quiet that tells the end of an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Heard = TypeVar("Heard")
PARTS = 10
LATE = 0.25
"""Seconds that an event loop may wake up late before the machine counts as having stood still."""


async def before_quiet(coming: Coroutine[Any, Any, Heard], quiet: float) -> Heard:
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

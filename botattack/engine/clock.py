"""Time and threads as arguments, so that a run can be tested on a virtual clock."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Protocol, TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")


@dataclass(frozen=True)
class Clock:
    """`now` is monotonic seconds, `sleep` waits that many."""

    now: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]]


class Offload(Protocol):
    """Runs `work` on a batch somewhere other than the event loop."""

    def __call__(
        self, work: Callable[[Sequence[Item]], list[Made]], items: Sequence[Item]
    ) -> Awaitable[list[Made]]: ...


def loop_clock() -> Clock:
    """The running loop's own time; on a loop with virtual time, virtual."""
    return Clock(asyncio.get_running_loop().time, asyncio.sleep)


@cache
def _threads() -> ThreadPoolExecutor:
    """One for the attacks, one for what they need. The loop's own would be six on two cores, though they take turns:
    each takes memory of its own, up to 15 MB in all."""
    return ThreadPoolExecutor(2)


async def in_thread(work: Callable[[Sequence[Item]], list[Made]], items: Sequence[Item]) -> list[Made]:
    return await asyncio.get_running_loop().run_in_executor(_threads(), work, items)

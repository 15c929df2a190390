"""Whose turn it is: lanes served in turn, so that an early stop leaves a little of everything and not all of
something."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

Item = TypeVar("Item")


class FairQueue(Generic[Item]):
    """One item of each lane in turn; within a lane, first in first out."""

    def __init__(self) -> None:
        self._lanes: dict[Hashable, deque[Item]] = {}
        self._turns: deque[Hashable] = deque()
        self._waiting: deque[asyncio.Future[None]] = deque()

    def __len__(self) -> int:
        return sum(map(len, self._lanes.values()))

    def put(self, lane: Hashable, items: Iterable[Item]) -> None:
        queued = list(items)
        if not queued:
            return
        if lane not in self._lanes:
            self._lanes[lane] = deque()
            self._turns.append(lane)
        self._lanes[lane].extend(queued)
        for _ in queued:
            self._wake()

    async def get(self) -> Item:
        """The next item; waits for one."""
        while not self._turns:
            waiter = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            try:
                await waiter
            except asyncio.CancelledError:
                # The wake-up meant for this reader must not be lost with it.
                if waiter.done() and not waiter.cancelled():
                    self._wake()
                raise
        return self._take()

    def _take(self) -> Item:
        lane = self._turns.popleft()
        items = self._lanes[lane]
        item = items.popleft()
        if items:
            self._turns.append(lane)
        else:
            del self._lanes[lane]
        return item

    def _wake(self) -> None:
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return

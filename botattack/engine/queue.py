"""Whose turn it is: lanes served in turn, so that an early stop leaves a little of everything and not all of
something."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Hashable
from typing import TypeVar

Item = TypeVar("Item")


class FairQueue(asyncio.Queue[tuple[Hashable, Item]]):
    """Takes and gives items with their lanes: one item of each lane in turn; within a lane, first in first out."""

    def _init(self, maxsize: int) -> None:
        super()._init(maxsize)
        self._lanes: OrderedDict[Hashable, deque[Item]] = OrderedDict()

    def _put(self, item: tuple[Hashable, Item]) -> None:
        lane, content = item
        self._lanes.setdefault(lane, deque()).append(content)

    def _get(self) -> tuple[Hashable, Item]:
        lane, contents = self._lanes.popitem(last=False)
        content = contents.popleft()
        if contents:
            self._lanes[lane] = contents
        return lane, content

    def qsize(self) -> int:
        return sum(map(len, self._lanes.values()))

    def empty(self) -> bool:
        return not self._lanes

"""Work that waits: batches done off the event loop, where what arrives while one runs becomes the next; and lanes that
are served in turn."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from botattack.engine.clock import Offload

Item = TypeVar("Item")
Made = TypeVar("Made")


class Batcher(Generic[Item, Made]):
    """`await batcher(item)` gives `work`'s result for it; `most` bounds a batch.

    An exception that `work` raises reaches every item of that batch.
    """

    def __init__(self, work: Callable[[Sequence[Item]], list[Made]], offload: Offload, most: int = 256) -> None:
        self._work = work
        self._offload = offload
        self._most = most
        self._waiting: list[tuple[Item, asyncio.Future[Made]]] = []
        self._runner: asyncio.Task[None] | None = None

    async def __call__(self, item: Item) -> Made:
        future: asyncio.Future[Made] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        if self._runner is None:
            self._runner = asyncio.ensure_future(self._run())
        return await future

    async def _run(self) -> None:
        # One turn of the loop lets everybody who is ready join the first batch.
        await asyncio.sleep(0)
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
                await self._run_batch(batch)
        finally:
            self._runner = None

    async def _run_batch(self, batch: list[tuple[Item, asyncio.Future[Made]]]) -> None:
        try:
            results = await self._offload(self._work, [item for item, _ in batch])
            made = list(zip(batch, results, strict=True))
        except Exception as error:
            for _, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), result in made:
            if not future.done():
                future.set_result(result)


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

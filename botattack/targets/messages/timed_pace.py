"""When the first request of an asking left."""

from __future__ import annotations

import asyncio

from botattack.protocols import Pace


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

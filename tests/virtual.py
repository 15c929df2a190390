"""An event loop on virtual time: what sleeps an hour is over at once, and everything in between happens in order."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

Made = TypeVar("Made")


class _NoWaiting(selectors.SelectSelector):
    """Instead of waiting, moves the loop's time on; real sockets have no place on virtual time."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise RuntimeError("everybody waits for everybody: a deadlock")
        if timeout > 0:
            self.loop.now += timeout
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        selector = _NoWaiting()
        selector.loop = self
        self.now = 0.0
        super().__init__(selector)

    def time(self) -> float:
        return self.now


def run(main: Coroutine[Any, Any, Made]) -> Made:
    """`asyncio.run` on virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)

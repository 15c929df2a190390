"""What the process that leads tells all workers, in a file of the run: that it is there, or that all shall end."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from botattack.engine.ending import Ending
from botattack.files import write_whole
from botattack.recordings.writer import LEASES

NAME = "orders.json"
GONE = 20.0
"""Seconds without a sign after which workers end: nobody leads them any more."""


class Orders(msgspec.Struct, frozen=True):
    """`beat` grows as long as somebody leads; `exit` and `why` are set once all shall end."""

    beat: int = 0
    exit: int | None = None
    why: str = ""


def give(run: Path, orders: Orders) -> None:
    """Writes orders, whole or not at all."""
    write_whole(run / LEASES / NAME, msgspec.json.encode(orders), private=True)


class Hearing:
    """Whether a worker shall end: it was told so, or nobody leads any more. Call it every second or so."""

    def __init__(self, run: Path, now: Callable[[], float] = time.monotonic) -> None:
        self._file = run / LEASES / NAME
        self._now = now
        self._last = Orders(-1)
        self._heard = now()

    def __call__(self) -> Ending | None:
        orders = self._last
        with suppress(OSError, msgspec.MsgspecError):
            orders = msgspec.json.decode(self._file.read_bytes(), type=Orders)
        if orders.exit is not None:
            return Ending(orders.exit, orders.why)
        if orders.beat != self._last.beat:
            self._last, self._heard = orders, self._now()
        gone = self._now() - self._heard > GONE
        return Ending(130, "the process that led the workers is gone") if gone else None

"""A run cut into leases: shards of its questions, as many for any number of workers, each an ordinary recording.

The process that leads gives each worker a lease at a time, and tells all of them by a file of orders that it is there,
or that all shall end."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from math import ceil
from pathlib import Path

import msgspec

from botattack.audit.job import SharedFiles
from botattack.config.run_keys import Changes
from botattack.engine.ending import Ending
from botattack.errors import RecordingError
from botattack.events import RunEnded
from botattack.files import write_whole
from botattack.model import Question
from botattack.protocols import BadRecord
from botattack.recordings import manifest
from botattack.recordings.reader import events
from botattack.recordings.writer import LEASES

SMALLEST, LARGE = 8, 100
MOST_SMALL, MOST = 32, 256
"""Questions that a lease has at least, in a run of up to so many leases and in one of up to so many: enough leases that
no worker waits long for the last, and few enough that each learns what the bot always says and that beginning them does
not count."""

ORDERS = "orders.json"
GONE = 20.0
"""Seconds without a sign after which workers end: nobody leads them any more."""


class LeaseTask(msgspec.Struct, frozen=True):
    """What a worker learns of a lease: files and questions, and no secret. `changes` are what flags change of its
    campaign; `concurrency` is the worker's part of that of the run. `samples` and `has_gold` are of all questions, and
    `bad` the records that nobody could read, which one lease alone records."""

    run: str
    campaign: str
    part: int
    parts: int
    concurrency: int
    questions: tuple[Question, ...]
    bad: tuple[BadRecord, ...]
    samples: tuple[Question, ...]
    has_gold: bool
    changes: Changes
    allow_code: bool
    fail_fast: bool

    @property
    def folder(self) -> Path:
        """Its recording."""
        return lease_folder(Path(self.run), self.part, self.parts)


class LeaseEnd(msgspec.Struct, frozen=True):
    """How a worker ended a lease: `ending` as of any run, or the sentence why it could not begin."""

    exit: int
    why: str
    first_success: bool = False


def number_of_leases(questions: int) -> int:
    """Into how many leases so many questions are cut, whatever the number of workers."""
    return max(1, min(MOST, ceil(questions / LARGE)), min(MOST_SMALL, questions // SMALLEST))


def lease_folder(run: Path, part: int, parts: int) -> Path:
    """The recording of one lease."""
    return run / LEASES / f"{part:04}-of-{parts:04}"


def shared_files(run: Path) -> SharedFiles:
    """Where the workers of a run share its pace and what it has spent."""
    return SharedFiles(run / LEASES / "pace", run / LEASES / "spent")


def is_done(folder: Path) -> bool:
    """Whether a lease has been asked to its end."""
    if not (folder / manifest.NAME).is_file():
        return False
    last = None
    try:
        for event in events(folder):
            last = event
    except RecordingError:
        return False
    return isinstance(last, RunEnded) and last.exit == 0


class Orders(msgspec.Struct, frozen=True):
    """`beat` grows as long as somebody leads; `exit` and `why` are set once all shall end."""

    beat: int = 0
    exit: int | None = None
    why: str = ""


def give(run: Path, orders: Orders) -> None:
    """Writes orders, whole or not at all."""
    write_whole(run / LEASES / ORDERS, msgspec.json.encode(orders), private=True)


class Hearing:
    """Whether a worker shall end: it was told so, or nobody leads any more. Call it every second or so."""

    def __init__(self, run: Path, now: Callable[[], float] = time.monotonic) -> None:
        self._file = run / LEASES / ORDERS
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

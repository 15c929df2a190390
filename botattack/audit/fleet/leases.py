"""A run cut into leases: shards of its questions, as many for any number of workers, each an ordinary recording.

The process that leads gives each worker a lease at a time, and tells all of them by a file of orders that they shall
end."""

from __future__ import annotations

from contextlib import suppress
from math import sqrt
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

CUTS = (1, 2, 4, 8, 12, 24, 48, 96)
"""Numbers of leases. From 4 on, 2 or 4 workers share them evenly, from 12 on 3 or 6 do, too."""
FEW = 4
"""Leases of a small run."""
SMALLEST = 8
"""Questions that a lease has at least."""
ORDERS = "orders.json"


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


def number_of_leases(questions: int, concurrency: int) -> int:
    """Into how many leases so many questions are cut, with so many conversations at a time, for any number of workers.

    Each lease costs about one reply's time in which most conversations of its worker wait: it begins with a few
    questions that tell what the bot always says, and ends with a few slow ones. In the end, workers wait for the last
    lease. The sum of both is least near the root of how often the conversations fit into the questions.
    """
    most = max(1, min(questions // SMALLEST, max(FEW, int(sqrt(questions / concurrency)))))
    return max(cut for cut in CUTS if cut <= most)


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
    """`exit` and `why` are set once all shall end."""

    exit: int | None = None
    why: str = ""


def give(run: Path, orders: Orders) -> None:
    """Writes orders, whole or not at all."""
    write_whole(run / LEASES / ORDERS, msgspec.json.encode(orders), private=True)


def hear(run: Path) -> Ending | None:
    """How a worker shall end, if it was told to. Where nobody leads any more, its closed input ends it, too."""
    with suppress(OSError, msgspec.MsgspecError):
        orders = msgspec.json.decode((run / LEASES / ORDERS).read_bytes(), type=Orders)
        return None if orders.exit is None else Ending(orders.exit, orders.why)
    return None

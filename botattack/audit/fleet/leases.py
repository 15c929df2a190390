"""A run cut into leases: shards of its questions, as many for any number of workers, each an ordinary recording."""

from __future__ import annotations

from math import ceil
from pathlib import Path

import msgspec

from botattack.audit.job import SharedFiles
from botattack.config.run_keys import Changes
from botattack.errors import RecordingError
from botattack.events import RunEnded
from botattack.recordings import manifest
from botattack.recordings.reader import events
from botattack.recordings.writer import LEASES

LARGEST, MOST_SMALL, SMALLEST = 100, 32, 8
"""Questions of a lease at most; how many leases a small run has at most, and questions of one of its leases at least:
enough leases that no worker waits long for the last, and few enough that each learns what the bot always says."""


class LeaseTask(msgspec.Struct, frozen=True):
    """What a worker learns of a lease: files, and no secret. `changes` are what flags change of its campaign;
    `concurrency` is the worker's part of that of the run, and `questions` the digest of those that it asks."""

    run: str
    campaign: str
    part: int
    parts: int
    concurrency: int
    questions: str
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
    return max(1, ceil(questions / LARGEST), min(MOST_SMALL, questions // SMALLEST))


def lease_folder(run: Path, part: int, parts: int) -> Path:
    """The recording of one lease."""
    return run / LEASES / f"{part:04}-of-{parts:04}"


def shared_files(run: Path) -> SharedFiles:
    """Where the workers of a run share its pace and what it has spent."""
    return SharedFiles(run / LEASES / "pace", run / LEASES / "spent")


def has_begun(folder: Path) -> bool:
    """Whether a lease has recorded anything."""
    try:
        return next(events(folder), None) is not None
    except RecordingError:
        return False


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

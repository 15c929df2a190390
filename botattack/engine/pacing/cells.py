"""Where the state of a pace is kept: in this process, or in a file that several processes of one machine share."""

from __future__ import annotations

import fcntl
import math
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, Protocol, Self, TypeVar

import msgspec

from botattack.errors import RecordingError
from botattack.files import descriptor

LONGEST = 4096
"""Bytes of a state with its size: written at once, so that no kill leaves half of it."""
SIZE = 4
"""Bytes of the size. The file is never cut, so behind a state there may be the end of a longer one."""


class State(msgspec.Struct, kw_only=True):
    """What a cell keeps. `at` is when it was changed last, on the cell's clock."""

    at: float = float("-inf")

    def bound(self, now: float, before: Self) -> None:
        """Moves what was read, which anybody may have written, between the bounds of what is ever written here;
        `before` is what was seen last. Raises ValidationError for what cannot be used."""
        for name, value in msgspec.structs.asdict(self).items():
            if isinstance(value, float) and math.isnan(value):
                raise msgspec.ValidationError(f"{name} is not a number")


S = TypeVar("S", bound=State)
Made = TypeVar("Made")


class Cell(Protocol[S]):
    """A small state that several may change, one at a time, each on the cell's own clock.

    `seen` is the state as it was at the last change made here, and `alone` whether nobody else changes it.
    """

    seen: S
    alone: bool

    def change(self, make: Callable[[S, float], Made]) -> Made:
        """Calls `make` with the state, which it may change, and the time now; a shared cell may call it again with a
        fresh state. If it raises, nothing has changed."""
        ...


class OwnCell(Generic[S]):
    """A state that nobody else changes."""

    def __init__(self, state: S, now: Callable[[], float]) -> None:
        self.seen = state
        self.alone = True
        self._now = now

    def change(self, make: Callable[[S, float], Made]) -> Made:
        """As `Cell.change`; what `make` did before it raised stays."""
        return make(self.seen, self._now())


class FileCell(Generic[S]):
    """A state in a file, for processes of one machine: its monotonic clock is the same for all of them.

    The system lets go of the lock of a process that is killed, and a state is written whole or not at all. Raises
    RecordingError if the file cannot be used.
    """

    def __init__(self, path: Path, state: S, now: Callable[[], float] = time.monotonic) -> None:
        self.seen = state
        self.alone = False
        self._fresh = msgspec.msgpack.encode(state)
        self._decode = msgspec.msgpack.Decoder(type(state)).decode
        self._now = now
        self._path = path
        try:
            self._file = descriptor(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW)
        except OSError as error:
            raise self._lost(error) from None

    def change(self, make: Callable[[S, float], Made]) -> Made:
        """As `Cell.change`."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX)
            try:
                return self._change(make)
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)
        except (OSError, msgspec.MsgspecError) as error:
            raise self._lost(error) from None

    def _change(self, make: Callable[[S, float], Made]) -> Made:
        now = self._now()
        kept = os.pread(self._file, LONGEST, 0)
        state = self._decode(kept[SIZE:][: int.from_bytes(kept[:SIZE])] or self._fresh)
        if state.at > now:
            # The machine was started again since, and its clock with it.
            state = self._decode(self._fresh)
        state.bound(now, self.seen)
        made = make(state, now)
        state.at = now
        written = msgspec.msgpack.encode(state)
        os.pwrite(self._file, len(written).to_bytes(SIZE) + written, 0)
        self.seen = state
        return made

    def close(self) -> None:
        """Lets go of the file."""
        os.close(self._file)
        self._file = -1

    def _lost(self, error: Exception) -> RecordingError:
        hint = "; delete the file" if isinstance(error, msgspec.MsgspecError) else ""
        return RecordingError(f"{self._path}: the pace cannot be shared: {error}{hint}")

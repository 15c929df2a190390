"""Events to lines: each is written at once, fsync is grouped in a thread, one process at a time."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from botattack.errors import RecordingError
from botattack.events import Event, decode, encode, lines
from botattack.recordings.locks import open_locked
from botattack.recordings.redaction import Redactor

EVENTS = lines.EVENTS
LEASES = "leases"
"""The folder in the recording of a run on several workers that exists until all that they recorded is merged."""
UNFINISHED = "is a run on several workers that is not finished; continue it first, with botattack run --resume"
SYNC_EVERY = 0.05
"""Seconds between fsyncs: what a power cut may cost. A killed process loses nothing that was written."""


def _open(path: Path) -> int:
    """Opens and locks the events of a recording; raises RecordingError if another process writes them, or none can,
    and if they will be made again from the leases of a run on several workers: what is added now would be lost."""
    if (path.parent / LEASES).is_dir():
        raise RecordingError(f"{path.parent} {UNFINISHED}")
    try:
        return open_locked(path, os.O_APPEND)
    except BlockingIOError:
        raise RecordingError(f"{path} is being written by another botattack") from None
    except OSError as error:
        fix = "put the file itself in its place" if path.is_symlink() else "copy the recording to a disk that can"
        raise RecordingError(f"{path} cannot be written: {error.strerror}; {fix}") from None


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Nobody else writes this recording meanwhile."""
    file = _open(folder / EVENTS)
    try:
        yield
    finally:
        os.close(file)


class Recorder:
    """Appends events to a recording, then hands them to `sinks`: nobody sees what was not written, or a secret.

    A torn last line is cut off on opening. Raises RecordingError if another process writes the same recording, where
    the disk is full, and if the recording is deleted meanwhile.
    """

    def __init__(
        self,
        folder: Path,
        redactor: Redactor,
        sinks: Sequence[Callable[[Any], None]] = (),
        *,
        read: Callable[[bytes], Event] = decode,
    ) -> None:
        """`read` decodes what was masked, where these are not the events of `botattack.events`."""
        self._path = folder / EVENTS
        self._sinks = sinks
        self._redact = redactor
        self._read = read
        self._file = _open(self._path)
        try:
            self._cut_torn_line()
        except BaseException:
            os.close(self._file)
            raise
        self._dirty = False
        self._failed: OSError | None = None
        self._closed = threading.Event()
        self._syncer = threading.Thread(target=self._sync, name="botattack-fsync", daemon=True)
        self._syncer.start()

    def _cut_torn_line(self) -> None:
        """Cuts off a last line of which only a part was written."""
        size = end = os.fstat(self._file).st_size
        while end:
            start = max(0, end - 65536)
            block = os.pread(self._file, end - start, start)
            newline = block.rfind(b"\n")
            if newline >= 0:
                end = start + newline + 1
                break
            end = start
        if end < size:
            os.ftruncate(self._file, end)

    def __call__(self, event: Event) -> None:
        line = encode(event)
        if (clean := self._redact(line)) is not line:
            line, event = clean, self._read(clean)
        self._write(line + b"\n")
        for sink in self._sinks:
            sink(event)

    def _write(self, line: bytes) -> None:
        if self._failed is not None:
            raise self._cannot_write(self._failed)
        try:
            written = os.write(self._file, line)
            while written < len(line):
                written += os.write(self._file, line[written:])
        except OSError as error:
            # The half that was written must not stand before another line, for which there may be room again.
            self._cut_torn_line()
            raise self._cannot_write(error) from None
        self._dirty = True

    def _cannot_write(self, error: OSError) -> RecordingError:
        if isinstance(error, FileNotFoundError):
            return RecordingError(f"{self._path} was deleted while the run lasted; run it again")
        return RecordingError(f"cannot write {self._path}: {error.strerror}; free some space, then --resume it")

    def _sync(self) -> None:
        while self._failed is None and not self._closed.wait(SYNC_EVERY):
            try:
                self._flush()
            except OSError as error:
                # Some disks say only now that they are full: the next event hears of it.
                self._failed = error

    def _flush(self) -> None:
        """Raises OSError, also where the recording was deleted, or replaced: what is written would be gone with it."""
        if self._dirty:
            # Before the sync, so that what is written during it counts for the next one.
            self._dirty = False
            os.fsync(self._file)
        if not os.path.samestat(os.fstat(self._file), self._path.stat()):
            raise FileNotFoundError(errno.ENOENT, "another file took its place")

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed.set()
        self._syncer.join()
        try:
            if self._failed is not None:
                raise self._failed  # Linux reports a lost write once: another sync would succeed
            self._flush()
        except OSError as failed:
            raise self._cannot_write(failed) from error
        finally:
            os.close(self._file)

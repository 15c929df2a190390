"""One process at a time asks a bot: two would be twice as fast as either thinks. One at a time changes a file."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from botattack.errors import RecordingError
from botattack.files import descriptor, regular

LOOK_EVERY = 0.5
"""Seconds between two looks at a lock that is waited for."""
PATIENCE = 30.0
"""Seconds that a file is waited for that another process writes: that takes milliseconds."""


@dataclass(frozen=True)
class Address:
    """Where a bot is: `shown` is what people read. Two that have one `place` are one bot, however its URL is spelt.

    `key` is by what recordings know the bot, and changes with the spelling of its URL. `place` and `key` are hashes:
    neither contains anything of the URL.
    """

    key: str = field(compare=False)
    shown: str = field(compare=False)
    place: str


@contextmanager
def asking(
    address: Address,
    shard: tuple[int, int] = (1, 1),
    *,
    waiting: Callable[[str], None] | None = None,
    where: Path | None = None,
) -> Iterator[None]:
    """Holds the lock of a bot.

    Shards of one run pace themselves at their share, and so may ask side by side; nobody else may join them.
    With `waiting`, which hears once whom it waits for, waits; without, raises RecordingError if another asks.
    """
    part, parts = shard
    shared = {address.place: parts > 1}
    if parts > 1:
        shared[f"{address.place}.{part}of{parts}"] = False
    folder = where or Path(tempfile.gettempdir()) / f"botattack-{os.getuid()}"
    with ExitStack() as stack:
        for name, is_shared in shared.items():
            file = _waited_for(folder / name, is_shared, address.shown, waiting)
            stack.callback(os.close, file)
            # It may name a process that has ended. Shards share a lock, so nobody is named there at all.
            os.ftruncate(file, 0)
        os.pwrite(file, str(os.getpid()).encode(), 0)
        yield


def _waited_for(path: Path, shared: bool, shown: str, waiting: Callable[[str], None] | None) -> int:
    told = False
    try:
        _own_folder(path.parent)
        while True:
            with suppress(BlockingIOError):
                return open_locked(path, shared=shared)
            with regular(path) as file:
                who = file.read(20).decode("ascii", "replace")
            busy = f"another botattack{f' (process {who})' if who.isdigit() else ''} is asking {shown}"
            if waiting is None:
                raise RecordingError(f"{busy}; wait until it is done, or add --wait")
            if not told:
                waiting(f"waits: {busy}")
                told = True
            time.sleep(LOOK_EVERY)
    except OSError as error:
        raise RecordingError(f"{path} cannot be locked: {error.strerror}; set TMPDIR") from None


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Holds the lock of a file that several commands may read, change and write again, and waits for it; its folder is
    made. Raises RecordingError if the file cannot be locked or written, or if another process keeps it for PATIENCE
    seconds."""
    at = path.resolve()
    try:
        with alone(at.with_name(f".{at.name}.lock"), f"another botattack is writing {path}", PATIENCE):
            yield
    except OSError as error:
        raise RecordingError(f"{path} cannot be written: {error.strerror}; check the folder and its disk") from None


@contextmanager
def alone(path: Path, busy: str, patience: float = 0.0) -> Iterator[None]:
    """Holds the lock of a file; raises RecordingError, which says what is `busy`, if another process does so for longer
    than `patience`, or if it cannot be locked."""
    file, until = None, time.monotonic() + patience
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        while file is None:
            with suppress(BlockingIOError):
                file = open_locked(path)
            if file is None and time.monotonic() > until:
                raise RecordingError(busy)
            time.sleep(0.02 * (file is None))
    except OSError as error:
        raise RecordingError(f"{path} cannot be locked: {error.strerror}; check the folder and its disk") from None
    try:
        yield
    finally:
        os.close(file)


def _own_folder(folder: Path) -> None:
    """Makes the folder of the locks; raises OSError for one that others made or may change: they could keep this user
    from asking, or read which bots are asked."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise PermissionError(errno.EACCES, "its folder is not one that only you can change")


def open_locked(path: Path, flags: int = 0, *, shared: bool = False) -> int:
    """Opens a file for this user alone, creates it if it is missing, and locks it until it is closed.

    Raises BlockingIOError if another process holds the lock, and any other OSError if the file cannot be opened or is
    no regular file.
    """
    while True:
        file = descriptor(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | flags)
        try:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
            if path.exists() and os.path.samestat(os.fstat(file), path.stat()):
                return file
        except BaseException:
            os.close(file)
            raise
        # It was replaced between opening and locking.
        os.close(file)

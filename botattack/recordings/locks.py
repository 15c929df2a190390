"""One process at a time asks a bot: two would be twice as fast as either thinks."""

from __future__ import annotations

import fcntl
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from botattack.errors import RecordingError

LOOK_EVERY = 0.5
"""Seconds between two looks at a lock that is waited for."""


@dataclass(frozen=True)
class Address:
    """Where a bot is: `key` tells it from others and holds no secret of its URL, `shown` is what people read."""

    key: str
    shown: str


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
    With `waiting`, which hears once whom it waits for, waits; without, raises RecordingError where another asks.
    """
    part, parts = shard
    kinds = {address.key: fcntl.LOCK_EX}
    if parts > 1:
        kinds = {address.key: fcntl.LOCK_SH, f"{address.key}.{part}of{parts}": fcntl.LOCK_EX}
    with ExitStack() as stack:
        folder = where or Path(tempfile.gettempdir()) / f"botattack-{os.getuid()}"
        for name, kind in kinds.items():
            file = _open(folder, name)
            stack.callback(os.close, file)
            _take(file, kind, address.shown, waiting)
        os.ftruncate(file, 0)
        os.pwrite(file, str(os.getpid()).encode(), 0)
        yield


def _open(folder: Path, name: str) -> int:
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        return os.open(folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise RecordingError(f"{folder / name} cannot be locked: {error.strerror}; set TMPDIR") from None


def _take(file: int, kind: int, shown: str, waiting: Callable[[str], None] | None) -> None:
    told = False
    while True:
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except OSError:
            who = os.pread(file, 20, 0).decode("ascii", "replace")
            busy = f"another botattack{f' (process {who})' if who.isdigit() else ''} is asking {shown}"
            if waiting is None:
                raise RecordingError(f"{busy}; wait until it is done, or add --wait") from None
            if not told:
                waiting(f"waits: {busy}")
                told = True
            time.sleep(LOOK_EVERY)
        else:
            return

"""The only door to a file that somebody else may have put there: a regular file, opened without waiting, and read under
a bound; and the one to files that are written whole or not at all.

A named pipe would be waited for without end, a device never ends, and a link leads elsewhere. All of these are errors
of the system here, with a reason that can be shown, as a file that is missing is one.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO


@contextmanager
def regular(path: Path) -> Iterator[BufferedReader]:
    """The bytes of a regular file, links followed; raises OSError."""
    with os.fdopen(descriptor(path), "rb") as file:
        yield file


def content(path: Path, most: int) -> bytes:
    """All of a regular file, links followed; raises OSError, also for one of more than `most` bytes."""
    with regular(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // 1_000_000:,} MB", str(path))
    return data


def descriptor(path: Path, flags: int = os.O_RDONLY) -> int:
    """An open regular file, which is made for this user alone if `flags` ask for that. Raises OSError, with O_NOFOLLOW
    also for a link."""
    try:
        # A pipe that nobody writes to is opened at once only so; a regular file does not care.
        file = os.open(path, flags | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
    except ValueError:
        raise OSError(errno.EINVAL, "no file can have a name with a null character", repr(str(path))) from None
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        raise OSError(errno.ELOOP, "it is a link, not a file", str(path)) from None
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    return file


@contextmanager
def whole(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """A file that takes its name, and the place of what had it, once it is complete: whoever is killed meanwhile leaves
    what was there. Raises OSError."""
    draft = draft_of(path)
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, mode), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        with suppress(OSError):
            draft.unlink()


def draft_of(path: Path) -> Path:
    """Where the file is until it is complete."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def write_whole(path: Path, data: bytes, *, private: bool = False) -> None:
    """Writes a file as `whole` does. Raises OSError, which names the file.

    A file that was there keeps its permissions, and a link still leads to it. One that is `private` is for this user
    alone, and takes the place of a link.
    """
    path = path if private else path.resolve()
    try:
        with whole(path, 0o600 if private else 0o666) as file:
            file.write(data)
            if not private and path.exists():
                os.fchmod(file.fileno(), stat.S_IMODE(path.stat().st_mode))
    except OSError as error:
        error.filename = os.fspath(path)
        raise

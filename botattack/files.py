"""The only door to a file that somebody else may have put there: a regular file, opened without waiting, and read under
a bound.

A named pipe would be waited for without end, a device never ends, and a link leads elsewhere. All of these are errors
of the system here, with a reason that can be shown, as a file that is missing is one.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def regular(path: Path) -> Iterator[BinaryIO]:
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

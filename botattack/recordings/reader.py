"""Lines to events. A recording is never trusted: sizes are bounded, nothing in it is run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from botattack.errors import RecordingError
from botattack.events import AnyEvent, Asked, Reading, decode
from botattack.files import regular
from botattack.recordings.writer import EVENTS, LEASES, UNFINISHED

Made = TypeVar("Made")
_reading = msgspec.json.Decoder(Reading).decode
_READING = b'{"event":"reading"'
LONGEST_LINE = 64_000_000
"""Bytes; a longer line is not one of ours."""


def events(folder: Path) -> Iterator[AnyEvent]:
    """The events of a recording, oldest first, but for what people said who read it: that comes right after its
    beginning, since it decides which outcomes count. A torn last line is skipped.

    Raises RecordingError, naming the line, where another line cannot be read.
    """
    begun = False
    for event in lines(folder, decode):
        if not isinstance(event, Reading):
            yield event
        if not begun:
            begun = True
            yield from readings(folder)


def readings(folder: Path) -> Iterator[Reading]:
    """What people said who read a recording."""
    return lines(folder, _reading, only=_READING)


def lines(folder: Path, read: Callable[[bytes], Made], only: bytes = b"") -> Iterator[Made]:
    """The same, in the order of the file, for events that `read` decodes; of lines that begin so only."""
    path = folder / EVENTS
    try:
        with regular(path) as found:
            number = 0
            while line := found.readline(LONGEST_LINE):
                number += 1
                if not line.endswith(b"\n"):
                    if len(line) == LONGEST_LINE:
                        raise RecordingError(f"{path}:{number}: the line is longer than {LONGEST_LINE:,} bytes")
                    return
                if not line.startswith(only):
                    continue
                try:
                    event = read(line)
                except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                    raise RecordingError(f"{path}:{number}: not an event of a recording: {error}") from None
                if isinstance(event, Asked) and not event.replies and event.failure is None:
                    raise RecordingError(f"{path}:{number}: what was asked here neither came back nor failed")
                yield event
    except FileNotFoundError:
        what = UNFINISHED if (folder / LEASES).is_dir() else f"is not a recording: it has no {EVENTS}"
        raise RecordingError(f"{folder} {what}") from None
    except OSError as error:
        raise RecordingError(f"{path} cannot be read: {error.strerror}") from None

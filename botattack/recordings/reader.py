"""Lines to events. A recording is never trusted: sizes are bounded, nothing in it is run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from botattack.errors import RecordingError
from botattack.events import AnyEvent, Asked, decode
from botattack.files import regular
from botattack.recordings.writer import EVENTS

Made = TypeVar("Made")
LONGEST_LINE = 64_000_000
"""Bytes; a longer line is not one of ours."""


def events(folder: Path) -> Iterator[AnyEvent]:
    """The events of a recording, oldest first; a torn last line is skipped.

    Raises RecordingError, naming the line, where another line cannot be read.
    """
    return lines(folder, decode)


def lines(folder: Path, read: Callable[[bytes], Made]) -> Iterator[Made]:
    """The same for events that `read` decodes."""
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
                try:
                    event = read(line)
                except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                    raise RecordingError(f"{path}:{number}: not an event of a recording: {error}") from None
                if isinstance(event, Asked) and not event.replies and event.failure is None:
                    raise RecordingError(f"{path}:{number}: what was asked here neither came back nor failed")
                yield event
    except FileNotFoundError:
        raise RecordingError(f"{folder} is not a recording: it has no {EVENTS}") from None
    except OSError as error:
        raise RecordingError(f"{path} cannot be read: {error.strerror}") from None

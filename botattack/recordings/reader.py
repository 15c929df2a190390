"""Lines to events. A recording is never trusted: sizes are bounded, nothing in it is run."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from botattack.errors import RecordingError
from botattack.events import (
    AnyEvent,
    Asked,
    BoilerplateKnown,
    DocumentRemoved,
    Event,
    KnownRead,
    OriginalJudged,
    Paced,
    QuestionClosed,
    Reading,
    RunEnded,
    VariantJudged,
    decode,
)
from botattack.events.lines import whole_lines
from botattack.files import regular
from botattack.recordings.writer import EVENTS, LEASES, UNFINISHED

Made = TypeVar("Made", bound=Event)
AT_ANY_TIME = (Reading, KnownRead, Paced, DocumentRemoved)
"""Events that may follow the end of a run: they make no verdict, and a resumed run is announced by its start."""
_reading = msgspec.json.Decoder(Reading).decode
_READING = b'{"event":"reading"'
_boilerplate = msgspec.json.Decoder(BoilerplateKnown).decode
_BOILERPLATE = b'{"event":"boilerplate known"'
_FIX = "delete this line, or copy the recording again from where it was made"
LAST = 65_536
"""Bytes of a recording in which its end is looked for."""


def events(folder: Path) -> Iterator[AnyEvent]:
    """The events of a recording, oldest first, but for what people said who read it: that comes right after its
    beginning, since it decides which outcomes count. A torn last line is skipped.

    Raises RecordingError, naming the line, where another line cannot be read, or comes where none of its kind may.
    """
    begun = False
    for event in lines(folder, decode):
        if not isinstance(event, Reading):
            yield event
        if not begun:
            begun = True
            yield from readings(folder)


def end_of(folder: Path) -> RunEnded | None:
    """How a recording ended, read from its last `LAST` bytes alone; None if its end is not in them."""
    try:
        with regular(folder / EVENTS) as file:
            file.seek(-min(LAST, file.seek(0, os.SEEK_END)), os.SEEK_END)
            last = file.read(LAST)
    except OSError:
        return None
    for line in reversed(last[: last.rfind(b"\n") + 1].splitlines()):
        try:
            event = decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return None
        if not isinstance(event, AT_ANY_TIME):
            return event if isinstance(event, RunEnded) else None
    return None


def readings(folder: Path) -> Iterator[Reading]:
    """What people said who read a recording."""
    return lines(folder, _reading, only=_READING)


def boilerplate(folder: Path) -> Iterator[str]:
    """The sentences that the bot of a recording says around its answers."""
    return (each for known in lines(folder, _boilerplate, only=_BOILERPLATE) for each in known.sentences)


def lines(folder: Path, read: Callable[[bytes], Made], only: bytes | tuple[bytes, ...] = b"") -> Iterator[Made]:
    """Events in the order of the file, decoded by `read`; if `only` is given, only of lines that begin with it."""
    path = folder / EVENTS
    try:
        order = _Order()
        for number, line in whole_lines(path):
            if not line.startswith(only):
                continue
            try:
                event = read(line)
                order.check(event)
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


class _Order:
    """Which events may come next: after the end of a run only those of a resumed one, and one verdict of each unit."""

    def __init__(self) -> None:
        self._ended = False
        self._verdicts: dict[str, dict[str, str]] = {}
        """The verdicts on each question that is open, by key."""
        self._closed = array("Q")
        self._before: set[int] = set()
        """The questions that were closed before the run was resumed."""

    def check(self, event: Event) -> None:
        """Raises msgspec.ValidationError."""
        match event:
            case _ if event.BEGINS:
                # Eight bytes a closed question are enough until the run is resumed.
                self._before, self._ended = set(self._closed), False
            case _ if self._ended and not isinstance(event, AT_ANY_TIME):
                raise msgspec.ValidationError(f"it was added after the run had ended; {_FIX}")
            case RunEnded():
                self._ended = True
            case QuestionClosed():
                self._verdicts.pop(event.question, None)
                self._closed.append(int(event.question, 16))
            case OriginalJudged() | VariantJudged():
                before = self._verdicts.setdefault(event.question, {}).setdefault(event.key, event.verdict.kind)
                # An attack that makes the same words twice gets the same verdict twice.
                if before != event.verdict.kind or (self._before and int(event.question, 16) in self._before):
                    raise msgspec.ValidationError(f"it is a second verdict on what was judged before; {_FIX}")

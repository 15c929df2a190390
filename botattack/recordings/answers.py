"""A recording that answers in place of the bot."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec

from botattack.doors import Document
from botattack.errors import RecordingError, TargetError
from botattack.events import AnyEvent, Asked, RunStarted, decode
from botattack.files import regular
from botattack.model import Failure, Prompt, Reply, Unit
from botattack.protocols import Pace, Session, Target
from botattack.recordings.reader import LONGEST_LINE
from botattack.recordings.writer import EVENTS

Record = Literal["none", "missing", "all"]
"""What is asked of the bot itself: nothing, what the recording lacks, everything."""
NOT_RECORDED = "not recorded"


class RecordedFailure(TargetError):
    """How a unit ended when it was asked, or that it never was; asking again would change nothing."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message, status=failure.status, delivered=True, place=failure.place)
        self.kind = failure.kind  # type: ignore[misc]  # the kind it had then


class ReplayTarget(Target):
    """Answers units by their id; `live` is asked where `record` says so.

    Holds where in the file each unit is, not what it says. Raises RecordingError for a damaged recording.
    """

    def __init__(self, folder: Path, record: Record = "none", live: Target | None = None) -> None:
        self._path = folder / EVENTS
        self._record = record
        self._live = live
        self.name = ""
        self._places: dict[str, int] = {}
        self._index()

    def before(self, live: Target) -> ReplayTarget:
        """The same recording with the bot behind it."""
        self._live = live
        return self

    def _index(self) -> None:
        try:
            with regular(self._path) as file:
                place = 0
                while line := file.readline(LONGEST_LINE):
                    if line.endswith(b"\n") and b'"event":"asked"' in line[:40]:
                        self._places.setdefault(self._asked(line).unit, place)
                    elif b'"event":"run started"' in line[:40]:
                        started = self._event(line)
                        self.name = started.target if isinstance(started, RunStarted) else ""
                    place += len(line)
        except OSError as error:
            raise RecordingError(f"{self._path} cannot be read: {error.strerror}") from None

    def _event(self, line: bytes) -> AnyEvent:
        try:
            return decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise RecordingError(f"{self._path}: not an event of a recording: {error}") from None

    def _asked(self, line: bytes) -> Asked:
        event = self._event(line)
        if not isinstance(event, Asked):
            raise RecordingError(f"{self._path}: a line is not what it begins as")
        return event

    @asynccontextmanager
    async def session(self, unit: Unit, pace: Pace) -> AsyncIterator[Session]:
        recorded = self._recorded(unit)
        if recorded is None and self._live is not None and self._record != "none":
            async with self._live.session(unit, pace) as session:
                yield session
        else:
            yield _Recorded(recorded, unit)

    def _recorded(self, unit: Unit) -> Asked | None:
        place = self._places.get(unit.id)
        if place is None or self._record == "all":
            return None
        with regular(self._path) as file:
            file.seek(place)
            return self._asked(file.readline(LONGEST_LINE))

    def library(self, run: str) -> Any | None:
        """Where nobody is asked, nothing is added either."""
        return _NoChange() if self._live is None or self._record == "none" else self._live.library(run)

    async def close(self) -> None:
        if self._live is not None:
            await self._live.close()


class _NoChange:
    """A library that stays as it is."""

    async def add(self, document: Document, pace: Pace) -> dict[str, Any]:
        del document, pace
        return {}

    async def ready(self, *_: Any) -> None: ...

    async def remove(self, *_: Any, **__: Any) -> None: ...


class _Recorded:
    """A conversation as it went."""

    def __init__(self, asked: Asked | None, unit: Unit) -> None:
        self._asked = asked
        # Replies to turns that a door puts before those of the variant are not recorded: nobody judges them.
        self._turn = 0 if unit.play else len(unit.variant_turns) - len(unit.turns)

    async def ask(self, prompt: Prompt) -> Reply:
        del prompt
        if self._asked is None:
            raise RecordedFailure(
                Failure(NOT_RECORDED, "this was not asked in the recording; --record missing asks it")
            )
        if self._asked.failure is not None or self._turn >= len(self._asked.replies):
            raise RecordedFailure(
                self._asked.failure or Failure(NOT_RECORDED, "the recording has no reply to this turn")
            )
        self._turn += 1
        return self._asked.replies[self._turn - 1] if self._turn > 0 else Reply("")

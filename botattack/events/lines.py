"""Events as lines of a recording."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from botattack.errors import RecordingError
from botattack.events.base import FORMAT, Event, QuestionEvent
from botattack.events.questions import (
    Asked,
    AttackEnded,
    ConversationBegun,
    Left,
    NeedMet,
    OriginalJudged,
    QuestionClosed,
    QuestionOpened,
    TurnSaid,
    VariantJudged,
)
from botattack.events.readings import KnownRead, Reading
from botattack.events.run import (
    BoilerplateKnown,
    DocumentAdded,
    DocumentAdding,
    DocumentRemoved,
    MemoryProbed,
    Paced,
    RecordSkipped,
    RunEnded,
    RunStarted,
    ServiceAsked,
)
from botattack.files import regular
from botattack.places import read_place, write_place

EVENTS = "events.jsonl"
MANIFEST = "run.json"
LARGEST = 16_000_000
"""Bytes of a `run.json`."""
LONGEST_LINE = 64_000_000
"""Bytes; a longer line is not one of ours."""

AnyEvent = (
    RunStarted
    | RecordSkipped
    | BoilerplateKnown
    | MemoryProbed
    | QuestionOpened
    | NeedMet
    | Left
    | ConversationBegun
    | TurnSaid
    | Asked
    | OriginalJudged
    | VariantJudged
    | AttackEnded
    | QuestionClosed
    | ServiceAsked
    | DocumentAdding
    | DocumentAdded
    | DocumentRemoved
    | Paced
    | Reading
    | KnownRead
    | RunEnded
)


def question_of(event: Event) -> str:
    """The id of the question an event belongs to; empty for events of the run itself."""
    if isinstance(event, QuestionOpened):
        return event.question.id
    return event.question if isinstance(event, QuestionEvent) else ""


encode = msgspec.json.Encoder(enc_hook=write_place).encode
"""An event as a line of a recording, without its end."""
_decode = msgspec.json.Decoder(AnyEvent, dec_hook=read_place).decode


def decode(line: bytes) -> AnyEvent:
    """The event of a line; raises msgspec.MsgspecError, or UnicodeDecodeError, if it is none."""
    try:
        event: AnyEvent = _decode(line)
        return event
    except RecursionError:
        raise msgspec.ValidationError("it is nested too deeply") from None


class _Version(msgspec.Struct, frozen=True):
    """The one field that is read first in a `run.json` of any version: its format."""

    format: int


def refuse_format(path: Path, written: bytes) -> None:
    """Raises RecordingError if a `run.json` is of another version, and msgspec.MsgspecError if it is none. Checked
    before anything else: the fields of another version need not be those of this one."""
    version = msgspec.json.decode(written, type=_Version).format
    if version != FORMAT:
        raise RecordingError(
            f"{path}: this recording has format {version}, and this botattack reads format {FORMAT}; read it with "
            "the botattack that made it, or run it again"
        )


def whole_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a recording, numbered from 1; a torn last one is skipped. Raises OSError, and RecordingError for a
    line that is too long."""
    with regular(path) as found:
        number = 0
        while line := found.readline(LONGEST_LINE):
            number += 1
            if not line.endswith(b"\n"):
                if len(line) == LONGEST_LINE:
                    raise RecordingError(f"{path}:{number}: the line is longer than {LONGEST_LINE:,} bytes")
                return
            yield number, line

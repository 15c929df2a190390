"""Events as lines of a recording."""

from __future__ import annotations

import msgspec

from botattack.events.base import Event, QuestionEvent
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
from botattack.places import read_place, write_place

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

"""What every event is."""

from __future__ import annotations

import msgspec

from botattack.model import (
    QuestionId,
)

FORMAT = 1
"""Version of the recording format; older ones load for ever."""


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event"):
    at: float = 0.0

    @property
    def key(self) -> str:
        return ""


class QuestionEvent(Event, frozen=True):
    """An event of a question, given by its id, that was opened before."""

    question: QuestionId

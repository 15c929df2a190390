"""What every event is."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from botattack.model import QuestionId

FORMAT = 2
"""Version of the recording format: a recording says which it has, and one of another version is refused."""


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event"):
    KEY: ClassVar[str] = ""
    """What tells an event from others of its run, with its own fields as `{0.unit}`; empty if it may happen again."""

    BEGINS: ClassVar[bool] = False
    """Whether a run begins with it, or is resumed."""

    at: float = 0.0

    @property
    def key(self) -> str:
        return self.KEY.format(self)


class QuestionEvent(Event, frozen=True):
    """An event of a question, given by its id, that was opened before."""

    question: QuestionId

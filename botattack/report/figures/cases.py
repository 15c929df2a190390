"""What was asked, said and judged, joined question by question: the fold that every list of outcomes starts from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

import msgspec

from botattack.events import Asked, Event, OriginalJudged, QuestionClosed, QuestionOpened, VariantJudged
from botattack.model import Failure, Prompt, Question, Result

REPLY_LIMIT = 2000
"""Characters of a reply that are kept for a report."""


class Said(NamedTuple):
    """What a unit sent in its last turn and what came back, or why nothing did; replies are cut to REPLY_LIMIT."""

    sent: Prompt
    reply: str = ""
    failure: Failure | None = None


class Case(msgspec.Struct, frozen=True):
    """A judged variant."""

    judged: VariantJudged
    said: Said | None = None

    @property
    def result(self) -> Result | Literal["probe"]:
        """A probe of a search is no outcome."""
        return "probe" if self.judged.probe else self.judged.result

    @property
    def text(self) -> str:
        return self.said.sent.text if self.said else ""

    @property
    def reply(self) -> str:
        return self.said.reply if self.said else ""

    @property
    def claimed(self) -> bool:
        return self.judged.claimed


class QuestionCases(msgspec.Struct, frozen=True):
    """A question with all that became of it, cases in the order of judgement."""

    question: Question
    original: OriginalJudged | None = None
    said: Said | None = None
    cases: tuple[Case, ...] = ()

    @property
    def right(self) -> bool:
        return self.original is not None and self.original.standing == "kept"


class _Open(msgspec.Struct):
    question: Question | None = None
    original: OriginalJudged | None = None
    judged: list[VariantJudged] = []
    said: dict[str, Said] = {}

    def joined(self) -> QuestionCases | None:
        """None where the question itself never came."""
        if self.question is None:
            return None
        first = self.said.get(self.original.units[0]) if self.original and self.original.units else None
        cases = tuple([Case(judged, self.said.get(judged.unit)) for judged in self.judged])
        return QuestionCases(self.question, self.original, first, cases)


class Join:
    """Holds the questions that are open, and gives each up when it closes."""

    def __init__(self) -> None:
        self._open: dict[str, _Open] = {}

    def update(self, event: Event) -> QuestionCases | None:
        match event:
            case QuestionOpened():
                self._of(event.question.id).question = event.question
            case Asked():
                self._of(event.question).said[event.unit] = _said(event)
            case OriginalJudged():
                self._of(event.question).original = event
            case VariantJudged():
                self._of(event.question).judged.append(event)
            case QuestionClosed():
                return self._open.pop(event.question, _Open()).joined()
        return None

    def rest(self) -> Iterator[QuestionCases]:
        """The questions still open, as far as they came."""
        for question in self._open.values():
            if (joined := question.joined()) is not None:
                yield joined

    def _of(self, question: str) -> _Open:
        found = self._open.get(question)
        if found is None:
            found = self._open[question] = _Open()
        return found


def questions_of(events: Iterable[Event]) -> Iterator[QuestionCases]:
    """All questions of a recording, closed ones as they close, the others last."""
    join = Join()
    for event in events:
        if (closed := join.update(event)) is not None:
            yield closed
    yield from join.rest()


def _said(event: Asked) -> Said:
    reply = event.replies[-1].text[:REPLY_LIMIT] if event.replies else ""
    return Said(event.turns[-1], reply, event.failure)

"""A recording judged again with today's matchers, offline: the same events, with today's verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from botattack.engine.ask import Answer
from botattack.engine.judging import Judging
from botattack.engine.past import question_of
from botattack.errors import RecordingError
from botattack.events import AnyEvent, Asked, NeedMet, OriginalJudged, QuestionClosed, QuestionOpened, VariantJudged
from botattack.model import Question, Reply, Verdict, says_decoy

_FREQUENT = (VariantJudged, Asked)
"""Nearly all events: what the others need is not asked of these."""


@dataclass
class _Open:
    question: Question
    asked: dict[str, Asked] = field(default_factory=dict)
    baseline: tuple[Reply, ...] = ()
    met: dict[str, Any] = field(default_factory=dict)
    verdicts: dict[tuple[object, ...], Verdict] = field(default_factory=dict)
    """By everything a verdict depends on: equal replies to equal words are judged once."""

    def of(self, unit: str) -> Asked:
        found = self.asked.get(unit)
        if found is None:
            raise RecordingError(f"the recording is damaged: unit {unit!r} was judged and never asked")
        return found


def rejudged(events: Iterable[AnyEvent], judging: Judging) -> Iterator[AnyEvent]:
    """The events with every verdict made anew.

    A search keeps the path it was steered along. An original that is right only today was never attacked and stays
    so; one that is wrong only today keeps its variants, which then leave the rates. Memory is bounded by the window.
    """
    open_questions: dict[str, _Open] = {}
    for event in events:
        if isinstance(event, _FREQUENT):
            detail = open_questions.get(event.question)
            yield event if detail is None else _again(event, detail, judging)
            continue
        if isinstance(event, QuestionOpened):
            open_questions[event.question.id] = _Open(event.question)
        detail = open_questions.get(question_of(event) or "")
        yield event if detail is None else _again(event, detail, judging)
        if isinstance(event, QuestionClosed):
            open_questions.pop(event.question, None)


def _again(event: AnyEvent, detail: _Open, judging: Judging) -> AnyEvent:
    if isinstance(event, VariantJudged):
        replies = detail.of(event.unit).replies
        took = bool(replies) and says_decoy(event.decoy, replies[-1])
        return msgspec.structs.replace(event, verdict=_verdict(event, detail, judging), took_decoy=took)
    if isinstance(event, Asked):
        detail.asked[event.unit] = event
    elif isinstance(event, OriginalJudged):
        return _original(event, detail, judging)
    elif isinstance(event, NeedMet) and event.kind in judging.parts:
        detail.met[event.need] = msgspec.json.decode(event.result)
    return event


def _verdict(event: VariantJudged, detail: _Open, judging: Judging) -> Verdict:
    asked = detail.of(event.unit)
    prompt = asked.turns[-1]
    key: tuple[object, ...] | None = None
    reply = asked.replies[-1] if asked.replies and not asked.failure else None
    # A reply with fields or candidates may be judged by those, and they cannot be looked up.
    if reply is not None and not reply.fields and not reply.ranked:
        key = (prompt, reply.text, event.expect, event.reference)
        if key in detail.verdicts:
            return detail.verdicts[key]
    verdict = judging.variant(
        detail.question,
        _answer(asked),
        prompt=prompt,
        expect=event.expect,
        reference=event.reference,
        baseline=detail.baseline,
        met=detail.met,
    )
    if key is not None:
        detail.verdicts[key] = verdict
    return verdict


def _answer(asked: Asked) -> Answer:
    return Answer(asked.replies, asked.failure, asked.attempts)


def _original(event: OriginalJudged, detail: _Open, judging: Judging) -> OriginalJudged:
    answers = [_answer(detail.of(unit)) for unit in event.units]
    if not answers:
        raise RecordingError(f"the recording is damaged: question {event.question!r} was judged without an asking")
    detail.baseline = tuple(answer.replies[-1] for answer in answers if answer.replies)
    verdict, standing = judging.original(detail.question, answers, detail.met)
    return msgspec.structs.replace(event, verdict=verdict, standing=standing)

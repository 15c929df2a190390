"""A recording judged again with today's matchers, offline: the same events, with today's verdicts;
and raw replies read again as the target file says today."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from botattack import events
from botattack.cases import OpenCases, QuestionCase, whole
from botattack.engine.ask import Answer
from botattack.engine.judging import Judged, Judging, Own, own_of
from botattack.errors import BotattackError, RecordingError, TargetError, excerpt
from botattack.model import Failure, Need, Reply, Verdict, takes_decoy
from botattack.recordings.redaction import WITHHELD


@dataclass
class _Kept:
    """What is known of an open question beside its events."""

    own: Own = field(default_factory=dict)
    met: dict[str, Any] = field(default_factory=dict)
    verdicts: dict[tuple[object, ...], Verdict] = field(default_factory=dict)
    """By everything a verdict depends on: equal replies to equal words are judged once."""


def rejudged(told: Iterable[events.AnyEvent], judging: Judging, by: events.JudgedBy) -> Iterator[events.AnyEvent]:
    """The events with every verdict made again; their start says that it was `by` this judge.

    A search keeps the path it was steered along. An original that is right only today was never attacked and stays
    so; one that is wrong only today keeps its variants, which then leave the rates. Memory is bounded by the window.
    """
    opened, known, judging_now = OpenCases(whole), dict[str, _Kept](), judging
    for event in told:
        if isinstance(event, events.BoilerplateKnown) and event.learnt_from:
            judging_now = judging.knowing(event.sentences)
        closed = opened.update(event)
        if closed is not None:
            known.pop(closed.question.id, None)
        if isinstance(event, events.VariantJudged | events.OriginalJudged | events.NeedMet):
            case = opened.get(event.question)
            # -1: a damaged recording has lost the question, so nothing can be judged by it.
            if case is not None and case.number >= 0:
                yield _again(event, case, known.setdefault(event.question, _Kept()), judging_now)
                continue
        yield msgspec.structs.replace(event, judge=by) if isinstance(event, events.RunStarted) else event


def _again(
    event: events.VariantJudged | events.OriginalJudged | events.NeedMet,
    case: QuestionCase,
    known: _Kept,
    judging: Judging,
) -> events.AnyEvent:
    if isinstance(event, events.VariantJudged):
        replies = _asked(case, event.unit).replies
        verdict, turns = _verdict(event, case, known, judging)
        took = takes_decoy(event.decoy, replies, turns)
        return msgspec.structs.replace(event, verdict=verdict, turns=turns, took_decoy=took)
    if isinstance(event, events.OriginalJudged):
        return _original(event, case, known, judging)
    if event.kind in judging.parts:
        known.met[event.need] = msgspec.json.decode(event.result)
    return event


def _asked(case: QuestionCase, unit: str) -> events.Asked:
    found = case.asked.get(unit)
    if found is None:
        raise RecordingError(f"the recording is damaged: unit {unit!r} was judged and never asked")
    return found


def _verdict(event: events.VariantJudged, case: QuestionCase, known: _Kept, judging: Judging) -> Judged:
    asked = _asked(case, event.unit)
    key: tuple[object, ...] | None = None
    reply = asked.replies[-1] if len(asked.replies) == 1 and not asked.failure else None
    # A reply with fields or candidates may be judged by those, and they cannot be looked up.
    if reply is not None and not reply.fields and not reply.ranked:
        heard = judging.heard(case.question, asked.turns[-1], event.expect, event.reference)
        key = (heard, reply.text, event.expect, event.reference, event.right, event.decoy)
        if key in known.verdicts:
            return Judged(known.verdicts[key])
    answer = _answer(asked)
    if _part_failed(event.verdict, judging.needs(case.question, [answer], event.expect), known):
        return Judged(event.verdict, event.turns)
    judged = judging.variant(
        case.question,
        answer,
        expect=event.expect,
        own=known.own,
        met=known.met,
        right=event.right,
        decoy=event.decoy,
    )
    if key is not None:
        known.verdicts[key] = judged.verdict
    return judged


def _part_failed(was: Verdict, needs: Sequence[Need], known: _Kept) -> bool:
    """Whether the recorded verdict failed for want of what a part was to give: offline, it stays so."""
    return bool(was.failed) and any(need.id not in known.met for need in needs)


def _answer(asked: events.Asked) -> Answer:
    return Answer(asked.replies, asked.failure, asked.attempts, asked.turns)


def _original(
    event: events.OriginalJudged, case: QuestionCase, known: _Kept, judging: Judging
) -> events.OriginalJudged:
    answers = [_answer(_asked(case, unit)) for unit in event.units]
    if not answers:
        raise RecordingError(f"the recording is damaged: question {event.question!r} was judged without an asking")
    known.own = own_of(answers)
    if _part_failed(event.verdict, judging.needs(case.question, answers), known):
        return event
    (verdict, turns), standing = judging.original(case.question, answers, known.met)
    return msgspec.structs.replace(event, verdict=verdict, turns=turns, standing=standing)


UNKNOWN = "unknown"
"""Kind of failure of a reply whose recorded raw form lacks what today's extraction needs."""
Extract = Callable[[str], Reply]


def reextracted(told: Iterable[events.AnyEvent], extract: Extract) -> Iterator[events.AnyEvent]:
    """The same events with every reply extracted again; times and raw forms stay as they were.

    A reply that cannot be had from what was kept becomes a failure of the kind `unknown`, one in which today's
    extraction finds nothing the failure that a live run would have had. Units that failed before stay as they were.
    """
    for event in told:
        yield _extracted(event, extract) if isinstance(event, events.Asked) and event.replies else event


def _extracted(event: events.Asked, extract: Extract) -> events.Asked:
    replies = []
    for reply in event.replies:
        if why := _not_kept(reply.raw):
            return _failed(event, Failure(UNKNOWN, f"unknown: the raw reply was not kept, it {why}"))
        try:
            read = extract(reply.raw)
        except TargetError as error:
            return _failed(event, Failure(error.kind, error.told(excerpt), error.status, error.place))
        except BotattackError as error:
            return _failed(event, Failure(UNKNOWN, f"unknown: {error}"))
        replies.append(msgspec.structs.replace(read, latency=reply.latency, first=reply.first, raw=reply.raw))
    return msgspec.structs.replace(event, replies=tuple(replies))


def _not_kept(raw: str) -> str:
    if raw == WITHHELD:
        return "held a secret in pieces"
    return "" if raw else "was too long"


def _failed(event: events.Asked, failure: Failure) -> events.Asked:
    return msgspec.structs.replace(event, replies=(), failure=failure)

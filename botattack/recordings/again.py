"""A recording made ready to be asked again where it ended in errors: what hung on them is taken out, all else stays."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from botattack import events
from botattack.cases import QuestionCase, cases
from botattack.errors import RecordingError
from botattack.recordings import reader, sealing
from botattack.recordings.writer import EVENTS, locked

NEVER_ARRIVED = frozenset(("unreachable", "rate limited"))
"""Failures after which even a bot that must not be asked twice may be asked again."""


@dataclass(frozen=True)
class _Failed:
    """What is to be done again of one question: failed units, the attacks that heard of them or failed
    themselves, and the original where its answer failed or could not be judged."""

    units: set[str]
    attacks: set[str]
    original: bool


def without_errors(folder: Path, *, idempotent: bool = True) -> int:
    """Takes out every unit that ended in an error, with the verdicts, attacks and closings that hung on it; a resumed
    run then asks exactly those again. Gives how many there were. What the judge or an attack failed on is taken out
    too, but for the answers: it is done again without asking.

    An attack that saw an error may continue differently now: its verdicts are all made again, from recorded answers
    where there are any. The recording is replaced whole or not at all, and loses its seal until the run ends again.
    Without `idempotent`, only what surely never arrived is taken out. Raises RecordingError.
    """
    with locked(folder):
        failed = _failures(reader.events(folder), idempotent)
        if not failed:
            return 0
        draft = folder / (EVENTS + ".part")
        try:
            _write(draft, _left_over(_with_end(reader.events(folder)), failed))
            (folder / sealing.NAME).unlink(missing_ok=True)
            draft.replace(folder / EVENTS)
        except OSError as error:
            raise RecordingError(f"cannot write {draft}: {error.strerror}") from None
        finally:
            draft.unlink(missing_ok=True)
    return sum(len(question.units) for question in failed.values())


def _failures(told: Iterable[events.AnyEvent], idempotent: bool) -> dict[str, _Failed]:
    found = ((case.question.id, _failed(case, idempotent)) for case in cases(told))
    return {question: failed for question, failed in found if failed.units or failed.attacks or failed.original}


def _failed(case: QuestionCase, idempotent: bool) -> _Failed:
    failures = ((unit, asked.failure) for unit, asked in case.asked.items())
    units = {unit for unit, failure in failures if failure and (idempotent or failure.kind in NEVER_ARRIVED)}
    attacks = {one.attack for one in case.judged if one.verdict.failed or one.unit in units}
    attacks |= {attack for attack, ended in case.ended.items() if ended.failed}
    original = case.original
    return _Failed(
        units, attacks, original is not None and (bool(original.verdict.failed) or not units.isdisjoint(original.units))
    )


def _left_over(told: Iterable[events.AnyEvent], failed: dict[str, _Failed]) -> Iterator[events.AnyEvent]:
    for event in told:
        question = failed.get(events.question_of(event))
        if question is None or not _hangs_on(event, question):
            yield event


def _hangs_on(event: events.AnyEvent, failed: _Failed) -> bool:
    match event:
        case events.Asked() | events.Left():
            return event.unit in failed.units
        case events.OriginalJudged():
            return failed.original
        case events.VariantJudged() | events.AttackEnded():
            return failed.original or event.attack in failed.attacks
    return isinstance(event, events.QuestionClosed)


def _with_end(told: Iterable[events.AnyEvent]) -> Iterator[events.AnyEvent]:
    """A process that was killed left no total; what it sent must not be forgotten with the units taken out."""
    sent = retried = limited = ended = 0
    began = at = 0.0
    for event in told:
        yield event
        at, ended = event.at, isinstance(event, events.RunEnded) or (ended and not isinstance(event, events.RunStarted))
        if isinstance(event, events.Asked):
            sent += sum(attempt.requests for attempt in event.attempts)
            retried += sum(attempt.requests > 0 for attempt in event.attempts[1:])
            limited += sum(bool(a.failure and a.failure.kind == "rate limited") for a in event.attempts)
        elif isinstance(
            event, events.ServiceAsked | events.DocumentAdded | events.DocumentRemoved | events.MemoryProbed
        ):
            sent += event.requests
        elif isinstance(event, events.RunEnded):
            sent, retried, limited, began = 0, 0, 0, at
    if sent and not ended:
        why = "it broke off; its errors are asked again"
        yield events.RunEnded(
            at=at, exit=130, why=why, seconds=round(at - began, 3), requests=sent, retried=retried, rate_limited=limited
        )


def _write(draft: Path, told: Iterable[events.AnyEvent]) -> None:
    draft.touch(mode=0o600)
    with draft.open("wb") as file:
        for event in told:
            file.write(events.encode(event) + b"\n")
        file.flush()
        os.fsync(file.fileno())

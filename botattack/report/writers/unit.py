"""One asking in words: what was sent, what came back, what it means, and how it came about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from botattack.errors import RecordingError
from botattack.events import AnyEvent, Asked, OriginalJudged, QuestionOpened, VariantJudged
from botattack.model import Question, Verdict
from botattack.report.escape import visible
from botattack.report.writers.marks import join
from botattack.report.writers.words import marked, outcome


def describe_unit(events: Iterable[AnyEvent], unit: str) -> str:
    """Reads until the unit was judged; raises RecordingError where the recording has no such unit.

    A unit that several questions share is shown for the first of them.
    """
    questions: dict[str, Question] = {}
    asked: Asked | None = None
    for event in events:
        match event:
            case QuestionOpened():
                questions[event.question.id] = event.question
            case Asked() if event.unit == unit and asked is None:
                asked = event
            case VariantJudged() if asked and event.unit == unit and event.question == asked.question:
                return "\n".join(_variant(_opened(questions, event.question), asked, event))
            case OriginalJudged() if asked and unit in event.units and event.question == asked.question:
                return "\n".join(_original(_opened(questions, event.question), asked, event))
    raise RecordingError(f"no unit {unit!r} was judged in this recording")


def _opened(questions: Mapping[str, Question], question: str) -> Question:
    found = questions.get(question)
    if found is None:
        raise RecordingError(f"the recording is damaged: question {question!r} was asked and never opened")
    return found


def _variant(question: Question, asked: Asked, judged: VariantJudged) -> Iterator[str]:
    answer = "the same answer is right" if judged.expect == "same" else "another answer is right"
    yield f"attack     {visible(judged.attack)} ({answer}, distance {judged.distance})"
    head, *rest = map(join, marked(question.text, judged.edits, question.text))
    yield f"question   {head}"
    yield from (f"           {line}" for line in rest)
    yield from _asking(question, asked)
    yield from _verdict(judged.verdict)
    yield f"so         {'a probe of a search' if judged.probe else _result(judged)}"


def _result(judged: VariantJudged) -> str:
    means = outcome(judged.expect, judged.result)
    return f"{judged.result}: the bot {means}" if judged.expect == "different" else judged.result


def _original(question: Question, asked: Asked, judged: OriginalJudged) -> Iterator[str]:
    yield "original"
    yield f"question   {visible(question.text)}"
    yield from _asking(question, asked)
    yield from _verdict(judged.verdict)
    yield f"so         {judged.standing}"


def _asking(question: Question, asked: Asked) -> Iterator[str]:
    yield f"sent       {visible(asked.turns[-1].text)}"
    if question.answers:
        yield "expected   " + visible(" | ".join(answer.text for answer in question.answers))
    for reply in asked.replies:
        yield f"got        {visible(reply.text)}"
    if asked.failure:
        yield f"failed     {visible(asked.failure.message)} ({visible(asked.failure.kind)})"
    yield f"attempts   {len(asked.attempts)}"


def _verdict(verdict: Verdict) -> Iterator[str]:
    by = f", by {visible(verdict.matcher)}" if verdict.matcher else ""
    why = f": {visible(verdict.why)}" if verdict.why else ""
    yield f"verdict    {verdict.kind}{by}{why}"

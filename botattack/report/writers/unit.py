"""One asking in words: what was sent, what came back, what it means, and how it came about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from botattack.cases import QuestionCase, VariantCase, cases, whole
from botattack.errors import RecordingError
from botattack.events import AnyEvent, Asked, OriginalJudged, VariantJudged
from botattack.model import Expect, Verdict, places
from botattack.places import QUESTION
from botattack.report.escape import visible
from botattack.report.writers.alterations import marked
from botattack.report.writers.families import FAMILIES, outcome
from botattack.report.writers.marks import join

WHOLE = 20_000
"""Characters of a text that are shown: nearly always all, and never so many that nobody finds the rest."""


def describe_unit(events: Iterable[AnyEvent], unit: str) -> str:
    """Reads until a question that has the unit is closed; raises RecordingError if the recording has no such unit.

    A unit that several questions share is shown for the first of them.
    """
    for case in cases(events, whole):
        if lines := list(_lines(case, unit)):
            return "\n".join(lines)
    raise RecordingError(f"no unit {unit!r} was judged in this recording")


def _lines(question: QuestionCase, unit: str) -> Iterator[str]:
    asked, original = question.asked.get(unit), question.original
    variant = next((one for one in question.variants if one.judged.unit == unit), None)
    is_original = original is not None and unit in original.units
    if asked is None or not (variant or is_original):
        return
    if question.number < 0:
        raise RecordingError(f"the recording is damaged: question {question.question.id!r} was asked and never opened")
    if original is not None and is_original:
        yield from _original(question, asked, original)
    elif variant is not None:
        yield from _variant(question, asked, variant)


def _variant(question: QuestionCase, asked: Asked, case: VariantCase) -> Iterator[str]:
    judged = case.judged
    yield f"attack     {visible(judged.attack)} ({FAMILIES[judged.expect].right}, distance {judged.distance})"
    # What was sent follows on lines of its own.
    head, *rest = map(join, marked(case.alteration._replace(sent=())))
    yield f"question   {head}"
    yield from (f"           {line}" for line in rest)
    yield from _asking(question, asked, judged.expect)
    yield from _verdict(judged.verdict)
    if judged.decoy:
        yield f"planted    {visible(judged.decoy)}: the reply {'gives' if judged.took_decoy else 'does not give'} it"
    yield f"so         {'a probe of a search' if judged.probe else _result(judged)}"


def _result(judged: VariantJudged) -> str:
    means = outcome(judged.expect, judged.result)
    return f"{judged.result}: the bot {means}" if judged.expect != "same" else judged.result


def _original(question: QuestionCase, asked: Asked, judged: OriginalJudged) -> Iterator[str]:
    yield "original" if question.question.carrier == "request" else f"original, passages sent {question.door}"
    yield f"question   {visible(question.question.text)}"
    yield from _asking(question, asked)
    yield from _verdict(judged.verdict)
    yield f"so         {judged.standing}"


def _asking(question: QuestionCase, asked: Asked, expect: Expect = "same") -> Iterator[str]:
    for place, text in sorted(places(asked.turns).items()):
        yield f"sent       {'' if place == QUESTION else f'{place}: '}{visible(text, WHOLE)}"
    if question.question.answers:
        answers = visible(" | ".join(question.expected("gold")))
        yield f"expected   {FAMILIES[expect].other}{answers}"
    for number, reply in enumerate(asked.replies, 1):
        yield f"{'got' if number == len(asked.replies) else f'reply {number - 1}':<11}{visible(reply.text, WHOLE)}"
    if asked.failure:
        yield f"failed     {visible(asked.failure.message)} ({visible(asked.failure.kind)})"
    yield f"attempts   {len(asked.attempts)}"


def _verdict(verdict: Verdict) -> Iterator[str]:
    by = f", by {visible(verdict.matcher)}" if verdict.matcher else ""
    why = f": {visible(verdict.why)}" if verdict.why else ""
    yield f"verdict    {verdict.kind}{by}{why}"

"""One asking as a story: what was sent, what came back, what it means, and how it came about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from botattack.cases import QuestionCase, VariantCase, cases, right_in, whole
from botattack.config.docstrings import described
from botattack.errors import RecordingError
from botattack.events import Asked, Event, Marked, OriginalJudged, VariantJudged
from botattack.model import TurnVerdict, Verdict, places
from botattack.places import QUESTION
from botattack.report.escape import flowing, visible
from botattack.report.story.blocks import Fact, Facts, Story
from botattack.report.wording.alterations import marked
from botattack.report.wording.marks import join
from botattack.report.wording.outcomes import FAMILIES, outcome, reason

WHOLE = 20_000
"""Characters of a text that are shown: nearly always all, and never so many that nobody finds the rest."""


NEAR = 5
"""Units that are named if one is asked for by its beginning."""


def story(events: Iterable[Event], unit: str) -> Story:
    """Reads until a question that has the unit is closed; raises RecordingError if the recording has no such unit.

    A unit that several questions share is shown for the first of them.
    """
    near: dict[str, None] = {}
    for case in cases(events, whole):
        if facts := tuple(_facts(case, unit)):
            return Story("one asking", f"asking {visible(unit)}", (Facts(facts),))
        near |= dict.fromkeys([each for each in case.asked if each.startswith(unit)][: NEAR - len(near)])
    begin = f"; these begin so: {visible(', '.join(near))}" if near else ""
    raise RecordingError(f"no unit {unit!r} was judged in this recording{begin}")


def _facts(question: QuestionCase, unit: str) -> Iterator[Fact]:
    asked, original = question.asked.get(unit), question.original
    judged = next((one for one in question.judged if one.unit == unit), None)
    marked = next((one for one in question.marked if one.unit == unit), None)
    match marked.judged if marked else None:
        case OriginalJudged() as found:
            original = found
        case VariantJudged() as found:
            judged = found
    variant = question.variant(judged) if judged else None
    is_original = original is not None and unit in original.units
    if asked is None or not (variant or is_original):
        return
    if question.number < 0:
        raise RecordingError(f"the recording is damaged: question {question.question.id!r} was asked and never opened")
    if original is not None and is_original:
        yield from _original(question, asked, original)
    elif variant is not None:
        yield from _variant(question, asked, variant)
    if marked is not None:
        yield _mark(marked)


def _mark(marked: Marked) -> Fact:
    mark = marked.mark
    counts = "in no figure" if marked.left_out else "is counted, since the reply or the verdict on it is another here"
    counts = "the answer is counted" if marked.holds and not marked.left_out else counts
    counts = f"is counted as {mark.label}" if marked.settled else counts
    by = f" ({visible(mark.by)})" if mark.by else ""
    return Fact("marked", f"{mark.mark}: {flowing(mark.why)}{by}; {counts}")


def _variant(question: QuestionCase, asked: Asked, case: VariantCase) -> Iterator[Fact]:
    judged = case.judged
    yield Fact("attack", f"{visible(judged.attack)} ({FAMILIES[judged.expect].right}, distance {judged.distance})")
    # What was sent follows by itself.
    yield from (Fact("question", join(line)) for line in marked(replace(case.alteration, sent=())))
    expected = FAMILIES[judged.expect].other + " | ".join(question.expected("gold"))
    now = " | ".join(answer.text for answer in judged.right)
    yield from _asking(question, asked, judged.turns, now or expected)
    yield Fact("verdict", reason(judged.verdict))
    if judged.decoy:
        says = "says" if judged.took_decoy else "does not say"
        yield Fact("decoy", f"{visible(judged.decoy)}, the {described(judged.attack).planted}: the reply {says} it")
    yield Fact("so", "a probe, which is in no rate" if judged.probe else _result(judged))


def _result(judged: VariantJudged) -> str:
    means = outcome(judged.expect, judged.result)
    known = {"success": "broken", "robust": "held"}.get(judged.result, judged.result)
    return f"{known}: the bot {means}" if judged.expect != "same" else known


def _original(question: QuestionCase, asked: Asked, judged: OriginalJudged) -> Iterator[Fact]:
    door = question.alteration(asked.unit).door
    yield Fact("attack", f"none: the original{f', passages sent {door}' if door else ''}")
    yield Fact("question", visible(question.question.text))
    yield from _asking(question, asked, judged.turns if asked.unit == question.unit else ())
    first = "" if asked.unit == question.unit else "on the first asking: "
    yield Fact("verdict", f"{first}{reason(judged.verdict)}")
    yield Fact("so", judged.standing)


def _asking(
    question: QuestionCase, asked: Asked, verdicts: tuple[TurnVerdict, ...], expected: str = ""
) -> Iterator[Fact]:
    talk = len(asked.turns) > 1
    for place, text in sorted(places(asked.turns).items()):
        if place.kind != "turn" and not (talk and place == QUESTION):
            yield Fact("sent", f"{'' if place == QUESTION else f'{place}: '}{visible(text, WHOLE)}")
    if talk:
        yield from _talk(question, asked, {each.turn: each.verdict for each in verdicts})
    if question.question.has_gold:
        yield Fact("expected", visible(expected or " | ".join(question.expected("gold"))))
    if not talk and asked.replies:
        yield Fact("got", flowing(asked.reply, WHOLE))
    if asked.failure:
        yield Fact("failed", f"{visible(asked.failure.message)} ({visible(asked.failure.kind)})")
    yield Fact("attempts", f"{len(asked.attempts)}")


def _talk(question: QuestionCase, asked: Asked, verdicts: dict[int, Verdict]) -> Iterator[Fact]:
    """What the user and the bot said in turn, with the verdict on each reply that was judged and what was right."""
    replies = question.alteration(asked.unit).replies
    for number, prompt in enumerate(asked.turns):
        yield Fact(f"turn {number}", visible(prompt.text, WHOLE))
        if number < len(replies):
            yield Fact(f"reply {number}", flowing(replies[number], WHOLE))
        if number in verdicts:
            right = right_in(question.question.at(prompt.asks)) if prompt.asks is not None else ()
            means = f"; expected {visible(' | '.join(right))}" if right else ""
            yield Fact("", f"{reason(verdicts[number])}{means}")

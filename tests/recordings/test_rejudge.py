"""Judging a recording again: every reply by today's rule, equal ones once, and no faith in what the file says."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec
import pytest

from botattack.engine.judging import Judging
from botattack.errors import ExtractionFailed, RecordingError
from botattack.events import AnyEvent, Asked, OriginalJudged, VariantJudged
from botattack.matchers.judge import Judge
from botattack.matchers.own import OwnReference
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.protocols import Matcher
from botattack.recordings.rejudge import reextracted, rejudged
from botattack.report.comparison.changed import Changes, paired
from tests.report.streams import JUDGE, Asking, Try, edit, stream

TEXT = "what is the capital of france"
TYPO = (edit(TEXT, "capital", "captial"),)


@dataclass
class Counting(Matcher):
    """The real judge, and how often it was asked."""

    calls: list[tuple[str, str]] = field(default_factory=list)
    name: str = "counting"

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        self.calls.append((prompt.text, reply.text))
        return Judge().judge(prompt, reply, gold, baseline)


def again(events: list[AnyEvent], judge: Counting) -> list[AnyEvent]:
    return list(rejudged(events, Judging(judge, OwnReference()), JUDGE))  # type: ignore[arg-type]


def test_equal_replies_to_equal_words_are_judged_once() -> None:
    tries = (Try(edits=TYPO), Try(edits=TYPO), Try("wrong", TYPO, reply="Rome"), Try(attack="unchanged"))
    judge = Counting()
    told = again(stream([Asking(TEXT, tries=tries)]), judge)
    assert len(judge.calls) == len({*judge.calls}) + 1  # the original once for itself, once for the control
    verdicts = [event.verdict.kind for event in told if isinstance(event, VariantJudged)]
    assert verdicts == ["correct", "correct", "wrong", "correct"]


def test_replies_with_fields_are_judged_each_for_itself() -> None:
    events = [
        msgspec.structs.replace(event, replies=(Reply("Paris", fields={"intent": number}),))
        if isinstance(event, Asked)
        else event
        for number, event in enumerate(stream([Asking(TEXT, tries=(Try(edits=TYPO), Try(edits=TYPO)))]))
    ]
    judge = Counting()
    again(events, judge)
    assert len(judge.calls) == 3


def test_what_changed_is_told_with_its_unit() -> None:
    events = stream([Asking(TEXT, tries=(Try("wrong", TYPO, reply="It is Paris."), Try("correct", TYPO)))])
    changes = Changes()
    for was, now in paired(events, lambda told: rejudged(told, Judging(Judge(), OwnReference()), JUDGE)):  # type: ignore[arg-type]
        changes.update(was, now)
    (change,) = changes.found
    assert (change.row, change.was, change.now) == ("dpaeg", "wrong", "correct")
    lines = list(changes.lines("recordings/x"))
    assert lines[0] == "1 verdict changed since the run"
    assert {"wrong → correct  dpaeg", "what is the [capital → captial] of france"} <= {*lines}
    assert any(f"botattack replay recordings/x --unit {change.unit}" in line for line in lines)


@pytest.mark.parametrize("damage", ["no asking", "no units"])
def test_a_recording_is_never_trusted(damage: str) -> None:
    def damaged(event: AnyEvent) -> AnyEvent:
        if isinstance(event, OriginalJudged):
            return msgspec.structs.replace(event, units=() if damage == "no units" else ("elsewhere.0",))
        return event

    with pytest.raises(RecordingError, match="damaged"):
        again([damaged(event) for event in stream([Asking(TEXT)])], Counting())


def test_extraction_of_today_keeps_times_and_says_what_it_cannot_know() -> None:
    def extract(raw: str) -> Reply:
        if raw == "gone":
            raise ExtractionFailed("there is nothing at $.text", place="connect.extract.answer")
        return Reply(raw.upper(), ("a", "b"))

    def asked(raw: str) -> Asked:
        return Asked(
            question="q", unit=raw, turns=(Prompt("x"),), replies=(Reply("old", latency=1.5, first=0.5, raw=raw),)
        )

    found, gone, unknown = reextracted([asked("new"), asked("gone"), asked("")], extract)
    assert isinstance(found, Asked)
    assert found.replies == (Reply("NEW", ("a", "b"), {}, 1.5, 0.5, "new"),)
    assert [
        (event.replies, event.failure.kind) for event in (gone, unknown) if isinstance(event, Asked) and event.failure
    ] == [
        ((), "extraction failed"),
        ((), "unknown"),
    ]


def test_a_search_keeps_its_path_and_says_who_steered_it() -> None:
    told = [
        msgspec.structs.replace(event, parent="0123", verdict=Verdict("wrong", matcher="fuzzy"))
        if isinstance(event, VariantJudged)
        else event
        for event in stream([Asking(TEXT, tries=(Try("wrong", TYPO, reply="Rome"),))])
    ]
    changes = Changes()
    for was, now in paired(told, lambda events: rejudged(events, Judging(Judge(), OwnReference()), JUDGE)):  # type: ignore[arg-type]
        changes.update(was, now)
    assert list(changes.lines("x")) == [
        "no verdict changed since the run",
        "  dpaeg keeps the path it was steered along by fuzzy",
    ]

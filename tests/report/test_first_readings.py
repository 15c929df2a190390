"""The first originals of a run tell whether its target file reads the answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest

from botattack.events import Asked, Event, OriginalJudged
from botattack.model import Prompt, Reply, Verdict, VerdictKind
from botattack.report.figures.first_readings import FIRST, FirstReadings

QUESTIONS = (
    "When is the pool open?",
    "Who is the mayor?",
    "Where can I park?",
    "What does a permit cost?",
    "May I bring a dog?",
    "Do you sell stamps?",
)
ANSWERS = (
    "The pool is open from 8 to 20. It is closed on Mondays.",
    "The mayor is Zoë Müller. She took office last May.",
    "You can park at the old mill. It is free for two hours.",
    "A permit costs 12.50 €. Residents pay nothing for it.",
    "Only on a lead, please! Not in the pool, however.",
    "Yes, we sell stamps. Ask at the desk of the hall.",
)
Reading = Callable[[str, str], str]
MISREAD: dict[str, Reading] = {
    "always the same": lambda q, a: "Welcome to the town bot!",
    "the question": lambda q, a: q,
    "ids": lambda q, a: f"7f3a-{len(q):04} 8b1c-{len(q):04} doc_{len(q):04} page_{len(q):04}".replace(" ", "\n"),
    "half of it": lambda q, a: a.split(". ")[0].split("! ")[0],
}


def events(
    read: Reading, standing: str = "wrong", number: int = len(QUESTIONS), kind: VerdictKind = "wrong"
) -> list[Event]:
    made: list[Event] = []
    for at, (q, a) in enumerate(list(zip(QUESTIONS, ANSWERS, strict=True))[:number]):
        raw = json.dumps({"answer": a, "id": f"7f3a-{at:04}"})
        unit = f"u{at}.0"
        made.append(Asked(question=f"q{at}", unit=unit, turns=(Prompt(q),), replies=(Reply(read(q, a), raw=raw),)))
        made.append(OriginalJudged(question=f"q{at}", units=(unit,), standing=standing, verdict=Verdict(kind)))  # type: ignore[arg-type]
    return made


def doubt(told: Sequence[Event]) -> str:
    fold = FirstReadings()
    for event in told:
        fold.update(event)
    return fold.doubt


@pytest.mark.parametrize("kind", MISREAD)
def test_what_contradicts_the_file_is_said_whatever_the_verdicts(kind: str) -> None:
    found = doubt(events(MISREAD[kind]))
    assert found
    assert "\n" not in found
    assert doubt(events(MISREAD[kind], "kept"))


@pytest.mark.parametrize("standing", ["kept", "wrong", "unsure"])
def test_answers_are_not_accused(standing: str) -> None:
    assert not doubt(events(lambda q, a: a, standing))


def test_refusals_in_the_same_words_contradict_nothing() -> None:
    assert doubt(events(MISREAD["always the same"], "wrong", kind="refused")) == ""


def test_short_right_answers_and_few_replies_tell_nothing() -> None:
    assert not doubt(events(lambda q, a: "Yes.", "kept"))
    assert doubt(events(lambda q, a: "Yes."))
    assert not doubt(events(MISREAD["the question"], number=2))


def test_no_order_of_questions_changes_it_and_it_is_complete_after_a_few() -> None:
    told = events(MISREAD["half of it"])
    pairs = [told[at : at + 2] for at in range(0, len(told), 2)]
    assert doubt([event for pair in reversed(pairs) for event in pair]) == doubt(told)
    fold = FirstReadings()
    for number, pair in enumerate(pairs, 1):
        for event in pair:
            fold.update(event)
        assert fold.complete == (number >= FIRST)

"""A bot that says the same to everything ends a run within its first originals, however the run is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from uuid import UUID

import pytest

from botattack.attacks.unchanged import Unchanged
from botattack.engine.plan import Plan
from botattack.events import AnyEvent, Asked
from botattack.model import GoldAnswer, Question
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.metrics import Metrics
from botattack.report.wording.advice import advice
from botattack.report.wording.headlines import headline
from tests.engine.bots import Listed, Script, knows_numbers, questions
from tests.engine.test_run import FAST, Drop, a_plan, of, play

LOGIN = "Please log in to go on. It is 12:00."


def a_page() -> Callable[[str, int], str]:
    """A login page, which shows the time and an id of each visit."""
    visits = count(1)

    def says(_: str, __: int) -> str:
        visit = next(visits)
        return f"Please log in. It is {visit % 24}:{visit % 60:02d}:07 (request {UUID(int=visit**9)}, {visit:09d})."

    return says


@pytest.mark.parametrize("concurrency", [1, 5, 64])
@pytest.mark.parametrize("filter_", ["right", "all"])
@pytest.mark.parametrize("says", [lambda *_: LOGIN, lambda *_: "", a_page()], ids=["a page", "nothing", "clock and id"])
def test_it_stops_the_run_at_its_first_originals(
    says: Callable[[str, int], str], filter_: str, concurrency: int
) -> None:
    plan = a_plan(limits=replace(FAST, concurrency=concurrency), filter=filter_)
    ending, events = play(plan, Script(says), questions(200))
    assert ending.exit == 3
    assert "script says the same to everything: 8 of the first 8 questions" in ending.why
    assert len(of(events, Asked)) <= 8 + 2 * concurrency  # what was on its way then
    again, more = play(plan, Script(knows_numbers), questions(200), past=events)
    assert (again.exit, again.why, of(more, Asked)) == (3, ending.why, [])


@pytest.mark.parametrize(
    ("wrong", "right", "asked", "exit_"),
    [(6, 0, 8, 3), (6, 0, 6, 3), (5, 0, 8, 0), (5, 0, 5, 0), (7, 1, 8, 0), (6, 2, 8, 0), (8, 12, 20, 3)],
)
def test_six_of_the_first_eight_and_none_right(wrong: int, right: int, asked: int, exit_: int) -> None:
    """The first `wrong` questions get the one reply, the next `right` a right one, the others each another."""

    def says(text: str, seed: int) -> str:
        number = int(text[-4:]) if text[-4:].isdigit() else 0
        return LOGIN if number < wrong else knows_numbers(text, seed) if number < wrong + right else f"no {text}"

    for concurrency in (1, 64):
        ending, _ = play(a_plan(limits=replace(FAST, concurrency=concurrency)), Script(says), questions(asked))
        assert ending.exit == exit_


def test_a_reply_that_may_be_the_right_one_proves_nothing() -> None:
    """Only questions with other right answers show that a bot does not listen."""
    alike = Listed(Question(f"question {number}", (GoldAnswer("yes" if number % 2 else "no"),)) for number in range(40))
    without = Listed(Question(f"question {number}") for number in range(40))
    for asked in (alike, without):
        ending, _ = play(a_plan(), Script(lambda *_: LOGIN), asked)
        assert ending.exit == 0


@pytest.mark.parametrize("stop_after", [1, 9, 14, 17])
def test_stopped_anywhere_it_decides_the_same_when_it_is_continued(stop_after: int) -> None:
    plan = a_plan(limits=replace(FAST, concurrency=1))
    whole, _ = play(plan, Script(lambda *_: LOGIN), questions(40))
    _, before = play(plan, Script(lambda *_: LOGIN), questions(40), stop_after=stop_after)
    ending, _ = play(plan, Script(lambda *_: LOGIN), questions(40), past=before[:stop_after])
    assert (ending.exit, ending.why) == (3, whole.why)


def test_in_a_night_it_is_an_alarm() -> None:
    ending, _ = play(a_plan(is_night=True), Script(lambda *_: LOGIN), questions(40))
    assert ending.exit == 1
    assert "the same to everything" in ending.why


def a_noisy_plan(concurrency: int) -> Plan:
    return a_plan(attacks={"drop": Drop(), "unchanged": Unchanged()}, limits=replace(FAST, concurrency=concurrency))


def figures_of(events: list[AnyEvent]) -> Figures:
    fold = Metrics()
    for event in events:
        fold.update(event)
    return fold.value()


@pytest.mark.parametrize("concurrency", [1, 8])
@pytest.mark.parametrize("reply", [lambda _: "Too many questions.", lambda n: f"Try again (request {UUID(int=n**9)})."])
def test_a_bot_that_stops_answering_ends_the_run_and_nothing_is_laid_to_an_attack(
    reply: Callable[[int], str], concurrency: int
) -> None:
    asked = count(1)

    def says(text: str, seed: int) -> str:
        number = next(asked)
        return knows_numbers(text, seed) if number <= 60 else reply(number)

    plan = a_noisy_plan(concurrency)
    ending, events = play(plan, Script(says), questions(200))
    assert (ending.exit, "stopped answering" in ending.why) == (3, True)
    figures = figures_of(events)
    assert figures.outage is not None
    assert figures.outage.times >= 8
    assert headline(figures).endswith("Nothing that broke is laid to an attack.")
    assert [sentence.split(":")[0] for sentence, _ in advice(figures, "run")] == ["Ask again when the bot answers"]
    again, more = play(plan, Script(knows_numbers), questions(200), past=events)
    assert (again.exit, "stopped answering" in again.why, of(more, Asked)) == (3, True, [])


@pytest.mark.parametrize("concurrency", [1, 8])
@pytest.mark.parametrize(
    "hears",
    [
        lambda number, text, seen: "unknown" if len(text.split()) < 2 else "",  # breaks by every attack
        lambda number, text, seen: "You asked that already." if text in seen else "",  # never answers twice
        lambda number, text, seen: "Try later." if 60 < number <= 72 else "",  # a short fault
    ],
    ids=["attacks", "repeats", "a while"],
)
def test_a_bot_that_still_answers_something_does_not(
    hears: Callable[[int, str, set[str]], str], concurrency: int
) -> None:
    asked, seen = count(1), set[str]()

    def says(text: str, seed: int) -> str:
        said = hears(next(asked), text, seen)
        seen.add(text)
        return said or knows_numbers(text, seed)

    ending, events = play(a_noisy_plan(concurrency), Script(says), questions(40))
    assert (ending.exit, figures_of(events).outage) == (0, None)

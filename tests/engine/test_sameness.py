"""A bot that says the same to everything ends a run within its first originals, however the run is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from uuid import UUID

import pytest

from botattack.events import Asked
from botattack.model import GoldAnswer, Question
from tests.engine.bots import Listed, Script, knows_numbers, questions
from tests.engine.test_run import FAST, a_plan, of, play

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

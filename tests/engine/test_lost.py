"""What was right before and is wrong now is asked again, until that is sure or the budget has no room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from botattack.errors import RequestRefused
from botattack.events import OriginalJudged
from botattack.limits import Budget
from tests.engine.bots import Script, questions
from tests.engine.test_run import a_plan, of, play


def originals(reply: Callable[[int], str], number: int = 1, **plan: Any) -> list[OriginalJudged]:
    """Of `number` questions that were right before; `reply` is given how often the question was asked before."""
    asked: Counter[str] = Counter()

    def answer(text: str, seed: int) -> str:
        asked[text] += 1
        return reply(asked[text] - 1) if asked[text] else ""

    listed = questions(number)
    steady = frozenset(question.id for question, _ in listed)
    _, events = play(a_plan(attacks={}, watched=steady, known=number, **plan), Script(answer), listed)
    return of(events, OriginalJudged)


@pytest.mark.parametrize(
    ("right", "standing", "askings"),
    [({0}, "kept", 1), (set(), "wrong", 3), ({1}, "unstable", 2), ({2}, "unstable", 3)],
)
def test_it_is_asked_until_wrong_three_times_running_or_right_once(
    right: set[int], standing: str, askings: int
) -> None:
    (judged,) = originals(lambda number: "it is 0000" if number in right else "no idea")
    assert (judged.standing, len(judged.units), len({*judged.units})) == (standing, askings, askings)


def test_an_asking_that_fails_says_nothing_of_those_before() -> None:
    def reply(number: int) -> str:
        if number:
            raise RequestRefused("404")
        return "no idea"

    (judged,) = originals(reply)
    assert (judged.standing, len(judged.units)) == ("wrong", 1)


@pytest.mark.parametrize(("room", "sure"), [(0, 0), (1, 0), (2, 1), (20, 10)])
def test_it_is_asked_again_as_far_as_the_budget_has_room(room: int, sure: int) -> None:
    """And the plan always comes to its end."""
    said = count()  # a bot that says the same to everything would end the run
    judged = originals(lambda _: f"no idea {next(said)}", 10, budget=Budget(requests=10 + room))
    assert len(judged) == 10
    assert sum(len(one.units) for one in judged) == 10 + room
    assert sum(len(one.units) == 3 for one in judged) <= max(sure, room // 2)


def test_what_was_not_right_before_is_asked_once() -> None:
    _, events = play(a_plan(attacks={}), Script(lambda text, seed: "no idea"), questions(3))
    assert {len(judged.units) for judged in of(events, OriginalJudged)} == {1}

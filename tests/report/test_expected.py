"""What a run will come to: told long before the first question is done."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from botattack.attacks.building.settling import CONFIRMATIONS, usual_of
from botattack.attacks.letters.characters import Noise
from botattack.events import Asked, Event, QuestionClosed
from botattack.report.figures.expected import Expected
from botattack.report.wording.progress import Progress
from tests.report.streams import Asking, Try, started
from tests.report.test_terminal import Clock

SAME = {"dpaeg": "same", "unchanged": "same"}


def askings(many: int = 40) -> list[Asking]:
    """Four in five are attacked, by six variants of the ten that are allowed, and the control."""
    tries = (*(Try(),) * 6, Try(attack="unchanged"))
    return [Asking(text=f"w{n}", tries=tries) if n % 5 else Asking(text=f"w{n}", standing="wrong") for n in range(many)]


def test_all_originals_first_and_yet_the_rest_is_known() -> None:
    clock = Clock()
    progress = Progress(clock, Expected({"dpaeg": 10, "unchanged": 1}))
    progress.update(started(40, SAME))  # type: ignore[arg-type]
    for asking in askings():
        clock.now += 0.5
        for event in list(asking.events())[:3]:
            progress.update(event)
    assert progress.closed == 0
    # 32 attacked questions at most ten variants and a control each.
    assert progress.left == 32 * 11
    assert progress.line().startswith("40 of about 392 conversations · ")
    assert progress.line().endswith(" · 2.0/s · about 2 min 56 s left")


@pytest.mark.parametrize("loading", [0.0, 5.0, 60.0])
@pytest.mark.parametrize("each", [0.05, 1.0])
def test_no_time_is_said_before_some_seconds_of_answers(loading: float, each: float) -> None:
    clock = Clock()
    progress = Progress(clock, Expected({"dpaeg": 10, "unchanged": 1}))
    progress.update(started(200, SAME))  # type: ignore[arg-type]
    clock.now += loading
    began, said = clock.now + each, []
    for asking in askings(200):
        clock.now += each
        for event in list(asking.events())[:3]:
            progress.update(event)
        said.append(("left" in progress.line(), clock.now - began))
    assert {says for says, answered in said if answered < 2.9} == {False}
    assert {says for says, answered in said if answered > 3.1} == {True}
    # However long loading took, the pace is that of the answers.
    assert f"{1 / each:.1f}/s" in progress.line()


def test_the_more_questions_are_done_the_nearer_it_is() -> None:
    expected = Expected({"dpaeg": 10, "unchanged": 1})
    expected.update(started(40, SAME))  # type: ignore[arg-type]
    told = askings()
    Random(1).shuffle(told)
    whole = 40 + 32 * 7
    asked, errors = 0, []
    for asking in told:
        for event in asking.events():
            expected.update(event)
            asked += isinstance(event, Asked)
            if isinstance(event, QuestionClosed):
                errors.append(abs(asked + expected.left - whole))
    assert errors[-1] == expected.left == 0
    assert max(errors[20:]) < max(errors[:20])
    assert max(errors[30:]) <= whole * 0.15


@pytest.mark.parametrize("attempts", [1, 2, 3, 5])
@pytest.mark.parametrize("under_way", [1, 8, 40])
def test_a_search_counts_what_searches_ask_not_what_they_may(attempts: int, under_way: int) -> None:
    """At each moment until the end the whole is expected within half as much again, if that many attempts break a bot
    that half of them were expected to break in two, and within a fifth once three quarters are done."""
    rng, again = Random(attempts), (Try(attack="noise", search="again"),) * (CONFIRMATIONS + 1)
    told = [
        Asking(
            text=f"w{n}", tries=(*(Try(attack="noise", search="attempt"),) * rng.randint(1, 2 * attempts - 1), *again)
        )
        for n in range(40)
    ]
    expected = Expected({"noise": usual_of(Noise(stop_at_break=True))})
    expected.update(started(40, {"noise": "same"}))
    waiting, open_, asked, closed = [each.events() for each in told], list[Iterator[Event]](), 0, 0
    whole = sum(1 + len(each.tries) for each in told)
    while waiting or open_:
        open_ += [waiting.pop(0) for _ in range(min(len(waiting), under_way - len(open_)))]
        for one in list(open_):
            if (event := next(one, None)) is None:
                open_.remove(one)
                continue
            expected.update(event)
            asked += isinstance(event, Asked)
            closed += isinstance(event, QuestionClosed)
            assert 1 / 1.5 <= (asked + expected.left) / whole <= 1.5
            assert closed < 30 or 0.8 <= (asked + expected.left) / whole <= 1.2


@pytest.mark.parametrize(
    ("usual", "left"), [({"dpaeg": None, "unchanged": 1}, 20), ({"memory": None, "dpaeg": 10, "unchanged": 1}, 120)]
)
def test_what_does_not_say_makes_a_lower_bound_of_diagnoses_too(usual: dict[str, int | None], left: int) -> None:
    expected = Expected(usual)
    expected.update(started(10, SAME))  # type: ignore[arg-type]
    assert (expected.sure, expected.left) == (False, left)


def test_what_is_done_says_how_many() -> None:
    expected = Expected({"dpaeg": None, "unchanged": 1})
    expected.update(started(10, SAME))  # type: ignore[arg-type]
    for event in askings(2)[1].events():
        expected.update(event)
    assert expected.sure
    assert expected.left == 72


@pytest.mark.parametrize(
    ("more", "left"),
    [
        (Try(), 11),
        (Try(search="attempt"), 11),
        (Try(search="again"), 11),
        (Try(search="repeat"), 11),
        (Try(probe=True), 11),
    ],
)
def test_whatever_an_attack_asks_of_one_question_is_expected_of_the_next(more: Try, left: int) -> None:
    """Ten askings beside the original, whatever they are for: variants, probes, or what makes sure of a success."""
    expected = Expected({"dpaeg": None})
    asked = Asking(tries=(more,) * 10)
    expected.update(started(2, {"dpaeg": "same"}))
    for event in asked.events():
        expected.update(event)
    assert (expected.asked, expected.left) == (11, left)


def test_a_suite_is_known_to_the_last_request() -> None:
    expected = Expected(known=100)
    expected.update(started(40, SAME))  # type: ignore[arg-type]
    for event in askings(2)[1].events():
        expected.update(event)
    assert (expected.sure, expected.left) == (True, 92)


def test_changes_that_were_not_noticed_are_counted_apart() -> None:
    progress = Progress(Clock())
    progress.update(started(1, {"negate": "different"}))
    for event in Asking(tries=(Try(attack="negate", expect="different", meaning="changed"),)).events():
        progress.update(event)
    assert progress.done() == "2 conversations · 1 of 1 question · 0 broken answers · 1 change not noticed"


def test_a_budget_is_the_end_of_it_and_begins_again_on_resume() -> None:
    progress = Progress(Clock(), Expected({"dpaeg": 10, "unchanged": 1}, budget=20))
    progress.recall(started(40, SAME))  # type: ignore[arg-type]
    assert progress.left == 20
    first, second = askings(3)[1:]
    for event in first.events():
        progress.recall(event)
    assert progress.left == 20
    for event in second.events():
        progress.update(event)
    assert progress.left == 12

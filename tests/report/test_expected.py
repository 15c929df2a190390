"""What a run will come to: told long before the first question is done."""

from __future__ import annotations

from random import Random

from botattack.events import Asked, QuestionClosed
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
    assert progress.line().endswith("40 of about 392 conversations · 2.0/s · about 2 min 56 s left")


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


def test_an_attack_that_does_not_say_makes_a_lower_bound() -> None:
    expected = Expected({"dpaeg": None, "unchanged": 1})
    expected.update(started(10, SAME))  # type: ignore[arg-type]
    assert (expected.sure, expected.left) == (False, 20)
    for event in askings(2)[1].events():
        expected.update(event)
    assert expected.sure
    assert expected.left == 72


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
    assert progress.done() == "1 of 1 question · 0 broken answers · 1 change not noticed · 2 conversations"


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

"""The laws of the pace, step by step: what one request that left, one push-back and one pause change."""

from __future__ import annotations

import math

import pytest

from botattack.engine.pacing.laws import FixedRate, LearnedRate, law_for
from botattack.limits import Limits


def test_the_file_says_which_law_holds() -> None:
    assert law_for(Limits(rate=math.inf)) is None
    assert law_for(Limits(rate=5.0, burst=3)) == FixedRate(5.0, 3)
    assert law_for(Limits(), 4.0) == LearnedRate(ceiling=4.0)
    assert (FixedRate(5.0).rate, FixedRate(5.0).burst, LearnedRate().burst) == (5.0, 1, 1)
    assert LearnedRate().rate == 8.0
    assert LearnedRate(ceiling=4.0).rate == pytest.approx(0.85 * 4.0)


@pytest.mark.parametrize("waited", [True, False])
def test_a_told_rate_comes_back_by_a_thousandth_a_second_and_tells_no_change(waited: bool) -> None:
    law = FixedRate(10.0)
    assert law.catches_up
    assert law.left(0.0, waited=waited) is False
    law.pushed_back(5.0, answered=True)
    assert law.rate == pytest.approx(9.5)
    assert not law.catches_up
    for now, rate in ((5.5, 9.5), (6.0, 9.51), (6.9, 9.51), (7.0, 9.52), (60.0, 9.53)):
        assert law.left(now, waited=waited) is False
        assert law.rate == pytest.approx(rate)
    law.reopened(70.0)
    assert law.left(70.9, waited=waited) is False
    assert law.rate == pytest.approx(9.53)
    for second in range(71, 200):
        law.left(float(second), waited=waited)
    assert law.rate == 10.0
    assert law.catches_up


def test_a_told_rate_gives_way_by_half_at_most_and_only_to_a_bot_that_answers() -> None:
    law = FixedRate(10.0)
    law.pushed_back(1.0, answered=False)
    assert law.rate == 10.0
    for _ in range(100):
        law.pushed_back(1.0, answered=True)
    assert law.rate == 5.0
    # Where nobody knows since when, the first request begins to count.
    law.since = None
    law.left(100.0, waited=False)
    assert law.rate == 5.0
    law.left(101.0, waited=False)
    assert law.rate == pytest.approx(5.01)


@pytest.mark.parametrize(("ceiling", "grown"), [(None, 16.0), (20.0, 17.0 + 0.03 * 20.0)])
def test_a_learned_rate_grows_once_a_second_in_which_it_was_used(ceiling: float | None, grown: float) -> None:
    law = LearnedRate(ceiling=ceiling)
    before = law.rate
    assert law.left(0.0, waited=True) is False
    assert law.left(0.9, waited=False) is False
    assert law.rate == before
    assert law.left(1.0, waited=False) is True
    assert law.rate == pytest.approx(grown)
    assert law.left(9.0, waited=False) is False
    assert law.left(9.1, waited=True) is True
    assert law.left(9.2, waited=True) is False


@pytest.mark.parametrize(
    ("count", "seconds", "ceiling"), [(1, 0.0, 1.0), (2, 0.5, 1.0), (5, 0.5, 4.0), (5, 2.0, 2.0), (41, 2.0, 8.0)]
)
def test_what_got_through_is_the_ceiling(count: int, seconds: float, ceiling: float) -> None:
    law = LearnedRate()
    for _ in range(count):
        law.left(100.0, waited=False)
    law.pushed_back(100.0 + seconds, answered=True)
    assert law.ceiling == pytest.approx(ceiling)
    assert law.rate == pytest.approx(0.85 * ceiling)


def test_a_pause_begins_to_count_again() -> None:
    law = LearnedRate()
    for _ in range(9):
        law.left(0.0, waited=True)
    law.reopened(50.0)
    assert (law.count, law.began, law.binding) == (0, None, False)
    assert law.left(51.0, waited=False) is False
    for _ in range(4):
        law.left(51.0, waited=False)
    law.pushed_back(53.0, answered=True)
    assert law.ceiling == pytest.approx(2.0)


def test_a_bot_that_answers_nothing_halves_the_rate_down_to_one_in_twenty_seconds() -> None:
    law = LearnedRate()
    law.pushed_back(0.0, answered=False)
    assert (law.rate, law.ceiling) == (4.0, None)
    for _ in range(20):
        law.pushed_back(0.0, answered=False)
    assert law.rate == 0.05
    slower = LearnedRate(ceiling=0.01, rate=0.01)
    slower.pushed_back(0.0, answered=False)
    assert slower.rate == 0.01

"""Bets on a rate: never more often wrong than promised, and soon over where the rate is far from the limit."""

from __future__ import annotations

import pytest

from benchmarks.stopping import decided, simulated
from botattack.report.statistics.betting import Bets
from botattack.report.statistics.intervals import sequence_level, z_quantile
from tests.chance import most


def test_what_is_certain_is_shown_before_the_end() -> None:
    bets = Bets(0.5, 1, 40, 1e-12)
    for _ in range(20):
        bets.add(1, 1)
    assert not bets.above
    bets.add(1, 1)
    assert bets.above, "21 of 40 are more than half, whatever the others are"
    assert not bets.below


def test_nothing_is_shown_by_fewer_questions_than_a_rate_needs() -> None:
    bets = Bets(0.5, 20, 1000, 0.05)
    shown = []
    for _ in range(20):
        shown.append(bets.below)
        bets.add(0, 20)
    assert not any(shown)
    assert bets.below


@pytest.mark.parametrize("beyond", ["too many outcomes", "too many questions"])
def test_nothing_is_shown_where_the_plan_was_not_as_told(beyond: str) -> None:
    bets = Bets(0.5, 1, 40, 0.05)
    for _ in range(40):
        bets.add(0, 1)
    assert bets.below
    bets.add(*((0, 2) if beyond == "too many outcomes" else (0, 1)))
    assert not bets.below


@pytest.mark.parametrize(("limit", "every"), [(0.5, 4), (0.2, 10), (0.9, 50), (0.7, 2)])
@pytest.mark.parametrize("most", [1, 5])
def test_both_sides_are_one_another_mirrored(limit: float, every: int, most: int) -> None:
    """That many break is above a limit exactly when that few hold is below the rest of it, at the same question."""
    broke, held = Bets(limit, most, 200, 0.05), Bets(1 - limit, most, 200, 0.05)
    for number in range(200):
        x = most if number % every else number % (most + 1)
        broke.add(x, most)
        held.add(most - x, most)
        assert (broke.above, broke.below) == (held.below, held.above)
    assert broke.above == (1 - 1 / every > limit)


@pytest.mark.parametrize("rate", [0.15, 0.3, 0.5, 0.65])
def test_the_wealth_is_the_mean_over_bets_of_all_sizes(rate: float) -> None:
    """Of a plan without end each question that breaks wins every bet its share of (1 - g) / g. What was won decides
    once it is 1 / alpha."""
    sizes, won = (0.01, 0.03, 0.06, 0.1, 0.17, 0.27, 0.4, 0.6, 0.9), (1 - rate) / rate
    wealth = sum((1 + size * won) ** 21 for size in sizes) / len(sizes)
    for share, decides in ((0.999, False), (1.001, True)):
        bets = Bets(rate, 1, 10**9, share / wealth)
        for _ in range(21):
            bets.add(1, 1)
        assert bets.above == decides


def test_a_confidence_sequence_is_as_wide_as_published() -> None:
    """The boundary of Theorem 2.2 at its sharpest point, alpha 0.05, by hand."""
    assert z_quantile(sequence_level(100)) == pytest.approx(3.034, abs=0.01)
    widths = [z_quantile(sequence_level(clusters)) for clusters in (20, 50, 100, 300, 10_000)]
    assert min(widths) == widths[2]
    assert max(widths) < 4


@pytest.mark.slow
def test_few_plans_are_decided_wrongly_and_far_ones_for_less_than_half() -> None:
    near, far = (simulated(100, 3, rate, 40, 7) for rate in (0.21, 0.6))
    assert near.wrong <= 0.1
    assert (far.wrong, far.early) == (0, 1)
    assert far.asked < 0.5
    assert decided([0] * 99 + [3], 3)[0] < 0.5


@pytest.mark.slow
@pytest.mark.parametrize("questions", [100, 300])
def test_at_most_one_decision_in_twenty_is_wrong(questions: int) -> None:
    """`benchmarks/stopping.py` draws more often, at more rates. At most 15 of 160 plans of 100 questions may be decided
    wrongly, and 8 of 68 of 300; true rates of 15 and 22 % have more in 98 % of runs."""
    draws = 24_000 // (questions + 50)
    found = [simulated(questions, 3, rate, draws, 7) for rate in (0.1, 0.19, 0.2, 0.21, 0.3)]
    assert max(one.wrong for one in found) * draws < most(draws, 0.05) + 0.5
    assert all(one.asked <= 0.5 for one in found if abs(one.rate - 0.2) >= 0.1)

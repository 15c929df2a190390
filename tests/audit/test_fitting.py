"""Calibration and operating point, on labels made from known probabilities."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from botattack.audit import fitting
from botattack.matchers.learned import weigh
from botattack.matchers.reasons import weighed
from botattack.matchers.weights import Trees, weights
from botattack.model import GoldAnswer, Prompt
from training.operating import operating_point


def drawn(number: int, slope: float = 0.5, offset: float = 1.0) -> tuple[fitting.Array, fitting.Array]:
    """Log-odds, and labels that are correct as often as `slope` and `offset` make of them."""
    rng = np.random.default_rng(7)
    odds = rng.normal(0, 3, number)
    return odds, rng.random(number) < fitting.logistic(slope * odds + offset)


def test_platt_finds_slope_and_offset() -> None:
    slope, offset = fitting.platt(*drawn(20_000))
    assert (slope, offset) == pytest.approx((0.5, 1.0), abs=0.05)


@pytest.mark.parametrize("right", [[True] * 20 + [False] * 20, [False] * 20 + [True] * 20, [True] * 39 + [False]])
def test_platt_stays_finite_where_labels_are_separable_or_of_one_kind(right: list[bool]) -> None:
    odds = np.linspace(9, -9, 40)
    slope, offset = fitting.platt(odds, np.array(right), 5.0)
    assert np.isfinite([slope, offset]).all()
    assert abs(slope) < 10


def test_a_fit_calibrates_replies_that_were_held_out() -> None:
    odds, right = drawn(2000)
    rest, held = slice(None, 200), slice(200, None)
    slope, offset = fitting.platt(odds[rest], right[rest], 5.0)
    before, after = (
        fitting.calibration_error(fitting.logistic(found), right[held])
        for found in (odds[held], slope * odds[held] + offset)
    )
    assert after < before / 2


def test_weights_stay_as_they_were_if_held_out_labels_are_not_judged_better() -> None:
    # Log-odds of 1 and -1, of which 73 % are right, as they say; but each fifth of the questions is unlike the others.
    tree = Trees(features=((0,),), borders=((0.5,),), leaves=((-10_000, 10_000),), bias=0)
    known = msgspec.structs.replace(weights(), correct=tree)
    rows = [
        (fold, says, (number < share) == says)
        for fold, share in enumerate((10, 12, 15, 17, 19))
        for says in (True, False)
        for number in range(20)
    ]
    lines = np.zeros((len(rows), len(known.features)))
    lines[:, 0] = [says for _, says, _ in rows]
    right, groups = (np.array([row[place] for row in rows]) for place in (2, 0))
    found = fitting.fit(known, lines, right, groups)
    assert not found.helped
    assert found.weights is known
    assert found.after.log_loss > found.before.log_loss
    assert not fitting.fit(known, lines, ~right, groups).helped  # swapped labels are nothing to learn from
    too_sure = msgspec.structs.replace(known, correct=msgspec.structs.replace(tree, leaves=((-40_000, 40_000),)))
    less_sure = fitting.fit(too_sure, lines, right, groups)
    assert less_sure.helped
    assert 0.1 < less_sure.weights.correct.slope < 0.5
    assert str(len(rows)) in less_sure.weights.version
    assert not less_sure.weights.left_out  # how often these weights err was not measured


def test_the_operating_point_makes_both_errors_equally_frequent() -> None:
    odds, right = drawn(2000, slope=1.0, offset=-1.0)
    p = fitting.logistic(odds - 1)
    called = p >= operating_point(p, right)
    assert abs(int((called & ~right).sum()) - int((~called & right).sum())) <= 10


def test_what_evidence_weighs_is_the_log_odds_it_adds() -> None:
    known = weights()
    seen = weigh(Prompt("Who wrote Emma?"), "It was Charlotte Brontë.", (GoldAnswer("Jane Austen"),), known)
    assert seen is not None
    lines = np.array([seen.line, seen.line])
    first = next(each for each in weighed(seen.line, known) if each.means)
    lines[1, known.features.index(first.name)] = first.usual
    with_it, without = map(known.correct.log_odds, lines)
    assert first.log_odds == pytest.approx(with_it - without)

"""Corrected rates on judges and readers that are drawn at random: how often the interval is right, and how wide."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

import pytest

from botattack.report.statistics.powered import LABELS
from tests.report.drawn_labels import World, coverage, runs

DRAWS = 200
"""The docs tell what 10,000 draws give; a share of 95 % of 200 has an error of 1.5 points."""
RATES = (0.1, 0.5, 0.9)
SENSITIVITIES = (0.7, 0.85, 0.95)
SPECIFICITIES = (0.8, 0.95)
_CLUSTERED = World(0.0, questions=150, variants=10, correlation=0.3)
WORLDS = {
    "one variant a question": World(0.0),
    "few questions": World(0.0, questions=300),
    "ten variants a question": _CLUSTERED,
    "a judge with probabilities": _CLUSTERED._replace(graded=True),
    "drawn by uncertainty": _CLUSTERED._replace(graded=True, uncertain=0.5),
}


def grid(name: str) -> Iterator[World]:
    """The rates and judges on which one of WORLDS is tried."""
    base = WORLDS[name]
    for sensitivity in SENSITIVITIES:
        for specificity in [sensitivity] if base.graded else SPECIFICITIES:
            for rate in RATES:
                yield base._replace(rate=rate, sensitivity=sensitivity, specificity=specificity)


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_the_interval_holds_the_truth_whatever_the_judge_does(name: str) -> None:
    """In each world of the grid within three and a half errors of 95 %, and in all of them together (at least 1,800
    draws, an error of half a point) within 1.5 points."""
    held = []
    for world in grid(name):
        found = coverage(world, DRAWS, seed=7)
        assert 0.9 <= found.corrected <= 0.99, (world, found)
        assert found.widest <= 1.05, (world, found)
        held.append(found.corrected)
    assert fmean(held) == pytest.approx(0.95, abs=0.015)


def least(labels: int, draws: int, seed: int) -> float:
    """The least share of shown intervals that hold the true rate, over all worlds, with so many labels on average."""
    shares = []
    for name in WORLDS:
        for world in grid(name):
            shown = [one for one in runs(world._replace(labels=labels), draws, seed) if one is not None]
            if len(shown) >= draws / 2:
                shares.append(sum(one.interval[0] <= world.rate <= one.interval[1] for one in shown) / len(shown))
    return min(shares)


@pytest.mark.slow
def test_the_interval_holds_the_truth_from_the_fewest_labels_that_are_shown() -> None:
    # The least of sixty worlds, each drawn so often, is about 3.5 points under what they have in common.
    assert least(LABELS, DRAWS, seed=7) >= 0.93 - 0.035

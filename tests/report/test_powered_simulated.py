"""Corrected rates on judges and readers that are drawn at random: how often the interval is right, and how wide."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.report.drawn_labels import World, coverage

DRAWS = 1_000
"""`benchmarks/corrected_rates.py` draws 10,000 times; a share of 95 % of so few varies by 0.7 points (standard error)."""
RATES = (0.1, 0.3, 0.5, 0.7, 0.9)
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
    for world in grid(name):
        found = coverage(world, DRAWS, seed=7)
        assert 0.92 <= found.corrected <= 0.98, (world, found)
        assert found.widest <= 1.05, (world, found)

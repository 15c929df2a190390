from math import comb, gamma, pi, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.report.statistics.intervals import ClusterSums, clustered, interval, t_quantile, wilson, z_quantile

LEVEL = 0.95


@pytest.mark.parametrize(
    ("freedom", "level", "table"),
    [
        (19, 0.95, 2.0930240544),
        (29, 0.95, 2.0452296421),
        (39, 0.95, 2.0226909201),
        (99, 0.95, 1.9842169516),
        (399, 0.95, 1.9659272959),
        (19, 0.99, 2.8609346065),
        (10**9, 0.95, 1.9599639845),
    ],
)
def test_t_quantile_agrees_with_the_tables(freedom: int, level: float, table: float) -> None:
    assert t_quantile(level, freedom) == pytest.approx(table, abs=4e-7 if level == 0.95 else 4e-6)


@pytest.mark.parametrize("freedom", [19, 40, 150])
def test_t_quantile_holds_the_level_under_the_density(freedom: int) -> None:
    edge = t_quantile(LEVEL, freedom)
    grid = np.linspace(-edge, edge, 20_001)
    scale = gamma((freedom + 1) / 2) / (sqrt(freedom * pi) * gamma(freedom / 2))
    density = scale * (1 + grid**2 / freedom) ** (-(freedom + 1) / 2)
    assert np.trapezoid(density, grid) == pytest.approx(LEVEL, abs=1e-6)


def test_wilson_known_value() -> None:
    assert wilson(15, 50) == pytest.approx((0.1910, 0.4375), abs=1e-4)
    for edge in wilson(15, 50):  # where the score test just rejects
        assert abs(0.3 - edge) == pytest.approx(z_quantile(LEVEL) * sqrt(edge * (1 - edge) / 50))
    assert wilson(0, 20)[0] == 0.0
    assert wilson(20, 20)[1] == 1.0


def test_wilson_covers_its_level_on_average() -> None:
    for n in (20, 50, 200):
        hits = [wilson(x, n) for x in range(n + 1)]
        rates = np.linspace(0.05, 0.95, 181)
        coverage = [
            sum(comb(n, x) * p**x * (1 - p) ** (n - x) for x, (low, high) in enumerate(hits) if low <= p <= high)
            for p in rates
        ]
        assert 0.94 <= np.mean(coverage) <= 0.96


def test_clusters_of_one_are_wilson_and_equal_to_no_clusters() -> None:
    sums = ClusterSums()
    for x in [1] * 15 + [0] * 35:
        sums = sums.add(x, 1)
    assert interval(sums) == wilson(15, 50)


def test_whole_clusters_count_as_one_outcome_each() -> None:
    """Questions that break as a whole carry no more than one outcome each: about as wide as Wilson over questions."""
    sums = ClusterSums()
    for x in [10] * 30 + [0] * 70:
        sums = sums.add(x, 10)
    low, high = interval(sums)
    alone = wilson(30, 100)
    assert (high - low) == pytest.approx(alone[1] - alone[0], rel=0.05)


def test_the_logit_interval_by_hand() -> None:
    """Twenty questions of two variants: 5 broken twice, 10 once, 5 never, so the ratio's variance is binomial."""
    sums = ClusterSums()
    for x in [2] * 5 + [1] * 10 + [0] * 5:
        sums = sums.add(x, 2)
    spread = 10.0  # the sum of (x - n/2)²
    error = sqrt(spread / 40**2 * 20 / 19) / 0.25
    high = 1 / (1 + np.exp(-2.0930240544 * error))
    assert interval(sums) == pytest.approx((1 - high, high), abs=1e-6)


def test_equal_clusters_do_not_give_certainty() -> None:
    sums = ClusterSums()
    for _ in range(20):
        sums = sums.add(5, 10)
    low, high = interval(sums)
    assert high - low > 0.12


@pytest.mark.parametrize(("x", "bounds"), [(0, wilson(0, 30)), (10, wilson(30, 30))])
def test_no_variation_falls_back_on_questions(x: int, bounds: tuple[float, float]) -> None:
    sums = ClusterSums()
    for _ in range(30):
        sums = sums.add(x, 10)
    assert interval(sums) == bounds


clusters = st.integers(1, 30).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(st.lists(clusters, min_size=2, max_size=60))
@pytest.mark.slow
def test_the_interval_holds_the_rate_and_mirrors(counts: list[tuple[int, int]]) -> None:
    sums, mirrored = ClusterSums(), ClusterSums()
    for x, n in counts:
        sums, mirrored = sums.add(x, n), mirrored.add(n - x, n)
    low, high = interval(sums)
    assert 0 <= low <= sums.rate <= high <= 1
    assert interval(mirrored) == pytest.approx((1 - high, 1 - low))


def coverage(questions: int, variants: int, rate: float, correlation: float, draws: int, seed: int) -> float:
    """How often the interval holds the true rate over beta-binomial questions."""
    random = np.random.default_rng(seed)
    strength = 1 / correlation - 1
    p = random.beta(rate * strength, (1 - rate) * strength, (draws, questions))
    x = random.binomial(variants, p)
    held = 0
    for row in x:
        n = variants * questions
        sums = ClusterSums(
            questions, int(row.sum()), n, int((row * row).sum()), int(variants * row.sum()), n * variants
        )
        low, high = clustered(sums)
        held += low <= rate <= high
    return held / draws


def test_clustered_coverage() -> None:
    assert 0.92 <= coverage(100, 10, 0.3, 0.3, 1000, seed=11) <= 0.98


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.1, 0.3, 0.5, 0.8])
@pytest.mark.parametrize("variants", [10, 50])
@pytest.mark.parametrize("questions", [40, 100, 400])
def test_clustered_coverage_over_4000_draws(questions: int, variants: int, rate: float) -> None:
    assert 0.93 <= coverage(questions, variants, rate, 0.3, 4000, seed=20261120) <= 0.97


@pytest.mark.parametrize(("rate", "at_least"), [(0.02, 0.80), (0.005, 0.80)])
def test_rare_successes_cover_as_documented(rate: float, at_least: float) -> None:
    assert coverage(40, 10, rate, 0.3, 1000, seed=5) >= at_least


def test_wilson_over_variants_would_mislead() -> None:
    """Why questions are the clusters at all: taken for independent, ten variants a question cover far too seldom."""
    random = np.random.default_rng(3)
    p = random.beta(0.3 * 7 / 3, 0.7 * 7 / 3, (1000, 100))
    successes = random.binomial(10, p).sum(axis=1)
    held = [low <= 0.3 <= high for low, high in (wilson(int(x), 1000) for x in successes)]
    assert np.mean(held) < 0.8


def test_carriers() -> None:
    few = ClusterSums()
    for x in [10] + [0] * 99:
        few = few.add(x, 10)
    assert few.carriers == 1
    assert z_quantile(LEVEL) == pytest.approx(1.959964, abs=1e-6)

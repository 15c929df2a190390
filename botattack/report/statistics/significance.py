"""Tests of whether a change or a difference is more than chance: pure functions of counts, or of values.

No statistics library is asked for: the few functions needed are here, each compared with published values by tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import erfc, exp, lgamma, log, log1p, sqrt
from typing import TypeVar

from botattack.report.statistics.intervals import Interval

DRAWS = 10_000
"""Random draws of a permutation test; the smallest p it can give is 1 / (DRAWS + 1)."""

Name = TypeVar("Name")


def mcnemar(broken: int, fixed: int) -> float:
    """Two-sided exact McNemar test: how likely so uneven a split of the units that changed is by chance alone
    (binomial with 1/2; McNemar, Psychometrika 12, 1947)."""
    changed = broken + fixed
    if changed == 0:
        return 1.0
    few = min(broken, fixed)
    tail = sum(exp(_log_choose(changed, k) - changed * log(2)) for k in range(few + 1))
    return min(1.0, 2 * tail)


def fisher(x: int, n: int, other_x: int, other_n: int) -> float:
    """One-sided exact test of Fisher: how likely it is by chance alone that of all `x + other_x` so few, or fewer,
    fell on the `other_n` (JRSS 98, 1935). 1 where either group is empty."""
    drawn = x + other_x
    every = _log_choose(n + other_n, drawn)
    counts = range(max(0, drawn - n), other_x + 1)
    return min(1.0, sum(exp(_log_choose(other_n, k) + _log_choose(n, drawn - k) - every) for k in counts))


def mantel_haenszel(tables: Iterable[tuple[int, int, int, int]]) -> float:
    """One-sided test of Mantel and Haenszel (JNCI 22, 1959), corrected for continuity: how likely it is by chance alone
    that, in tables `(x, n, other_x, other_n)` of one question each, so many or more of all `x + other_x` fell on the
    `n`. 1 where none of them could have fallen otherwise."""
    excess = spread = 0.0
    for x, n, other_x, other_n in sorted(table for table in tables if table[1] and table[3]):
        drawn, every = x + other_x, n + other_n
        excess += x - drawn * n / every
        spread += drawn * (every - drawn) * n * other_n / (every**2 * (every - 1))
    return erfc((excess - 0.5) / sqrt(2 * spread)) / 2 if spread else 1.0


def sign_flip(differences: Iterable[int], seed: int) -> float:
    """Two-sided permutation test of whether differences of questions centre on zero: each keeps its size and gets a
    random sign (Good, Permutation Tests, 2000, 3.2.1). The same seed gives the same p.

    Differences of one size are drawn together: the signs of m of them sum up as 2 Binomial(m, 1/2) - m.
    """
    import numpy as np

    found = list(differences)
    sizes = Counter(abs(difference) for difference in found if difference)
    if not sizes:
        return 1.0
    random = np.random.Generator(np.random.PCG64(seed))
    sums = np.zeros(DRAWS, dtype=np.int64)
    for size, times in sorted(sizes.items()):
        sums += size * (2 * random.binomial(times, 0.5, DRAWS) - times)
    as_far = int((np.abs(sums) >= abs(sum(found))).sum())
    return (as_far + 1) / (DRAWS + 1)


def bootstrap(values: Sequence[float], seed: int, draws: int = DRAWS) -> tuple[float, Interval, float]:
    """The mean of at least one value, its 95 % percentile interval, and the two-sided p of its being 0 (Efron &
    Tibshirani, An Introduction to the Bootstrap, 1993, 13.3 and 15.4): twice the share of resampled means on the far
    side of 0. The same values and seed give the same figures, whatever the order.

    Equal values are drawn together: how often each is drawn is multinomial.
    """
    import numpy as np

    counts = sorted(Counter(values).items())
    found = np.array([value for value, _ in counts], dtype=float)
    shares = np.array([times for _, times in counts], dtype=float) / len(values)
    random = np.random.Generator(np.random.PCG64(seed))
    means = random.multinomial(len(values), shares, draws) @ found / len(values)
    low, high = (float(end) for end in np.quantile(means, (0.025, 0.975)))
    far = min(int((means <= 0).sum()), int((means >= 0).sum()))
    return float(shares @ found), (low, high), min(1.0, 2 * (far + 1) / (draws + 1))


def benjamini_hochberg(p_values: Mapping[Name, float]) -> dict[Name, float]:
    """p-values adjusted so that of all differences declared at q, at most the share q is false (JRSS B 57, 1995)."""
    adjusted: dict[Name, float] = {}
    least = 1.0
    ranked = sorted(p_values.items(), key=lambda entry: entry[1])
    for rank, (name, p) in reversed(list(enumerate(ranked, 1))):
        # Where the rank is the last, p × n / n may round to less than p.
        least = min(least, max(p, p * len(ranked) / rank))
        adjusted[name] = least
    return {name: adjusted[name] for name in p_values}


def difference(rate: float, interval: Interval, other: float, other_interval: Interval) -> Interval:
    """Interval for `rate - other` from the interval of each (MOVER; Zou & Donner, Statistics in Medicine 27, 2008).

    Answers to one question resemble each other, so that the two rates do; taken for independent, as here, the
    interval errs on the wide side.
    """
    (low, high), (other_low, other_high) = interval, other_interval
    below = sqrt((rate - low) ** 2 + (other_high - other) ** 2)
    above = sqrt((high - rate) ** 2 + (other - other_low) ** 2)
    return max(-1.0, rate - other - below), min(1.0, rate - other + above)


def student_p(t: float, freedom: int) -> float:
    """Two-sided p of Student's t; `freedom` at least 1."""
    return _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def questions_needed(spread: float, drop: float = 0.05) -> int:
    """How many questions would show a mean change of `drop` (two-sided 5 %, power 80 %), where the changes of single
    questions have the variance `spread`. A drop in that share of the questions has a variance of drop (1 - drop) by
    itself, however steady the bot was."""
    variance = max(spread, drop * (1 - drop))
    return int((1.959964 + 0.841621) ** 2 * variance / drop**2) + 1


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b) by its continued fraction (DLMF 8.17.22)."""
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1.0 - _incomplete_beta(b, a, 1.0 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    return front * _fraction(a, b, x)


def _fraction(a: float, b: float, x: float) -> float:
    """Lentz's way of evaluating it."""
    c, d = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 300):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1.0 / (1.0 + step * d)
            c = 1.0 + step / c
            value *= c * d
        if abs(c * d - 1.0) < 1e-14:
            break
    return value

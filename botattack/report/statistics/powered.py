"""Rates that people's labels correct: prediction-powered inference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from botattack.report.statistics.intervals import MIN_QUESTIONS, Interval, t_quantile, wilson, wilson_at

UNIT = 1_000_000
"""Weights and probabilities are counted in millionths, so that no order of items changes a digit."""
LABELS = 30
"""Labels from which a corrected rate is shown: the fewest with which its interval holds the truth in at least 93 of 100
draws of every world of benchmarks/corrected_rates.py. Its least share is 92.5 % with 20 labels and 93.3 % with 30."""
SURPRISE = 0.5
"""SURPRISE × trust² / labelled² is added to the variance, so that a few labels which all agree with the judge do not
make the interval too narrow."""


class Item(NamedTuple):
    """One judged reply: the `guess` of the judge, as the probability that it is broken. `weight` is the inverse of the
    chance with which it was drawn for readers, 0 if it was not; `label` is the share of 1 that they call it broken,
    None if they could not say."""

    guess: float
    weight: float = 0.0
    label: float | None = None


class Moments(NamedTuple):
    """Sums over clusters of items (the questions), and the sums of all products of two of these: all that the estimate
    needs. `labelled` clusters have a label; `labels` is how many labels there are."""

    sums: tuple[int, ...] = (0,) * 6
    products: tuple[tuple[int, ...], ...] = ((0,) * 6,) * 6
    labelled: int = 0
    labels: int = 0

    def add(self, items: Sequence[Item]) -> Moments:
        """With one more cluster."""
        rows = [_row(item) for item in items]
        more = tuple(map(sum, zip(*rows, strict=True)))
        read = sum(item.label is not None and item.weight > 0 for item in items)
        return self.plus(more, read)

    def plus(self, more: Sequence[int], read: int) -> Moments:
        """With one more cluster that has these sums and so many labels."""
        return Moments(
            tuple(one + other for one, other in zip(self.sums, more, strict=True)),
            tuple(
                tuple(known + one * other for known, other in zip(row, more, strict=True))
                for row, one in zip(self.products, more, strict=True)
            ),
            self.labelled + (read > 0),
            self.labels + read,
        )

    def product(self, factors: Sequence[float], others: Sequence[float]) -> float:
        """Σ (factors · cluster)(others · cluster)."""
        rows = zip(factors, self.products, strict=True)
        return sum(one * sum(x * y for x, y in zip(others, row, strict=True)) for one, row in rows)


def _row(item: Item) -> tuple[int, ...]:
    weight = round(item.weight * UNIT)
    read = weight if item.label is not None else 0
    guess = round(item.guess * UNIT)
    return UNIT, guess, weight, round(item.weight * guess), read, round(read * (item.label or 0.0))


class Powered(NamedTuple):
    """The share that readers would call broken if they read everything, and its 95 % interval; `alone` and
    `alone_interval` use nothing but the labels. `trust` is how far the judge is believed, from 0 to 1."""

    rate: float
    interval: Interval
    alone: float
    alone_interval: Interval
    trust: float
    labels: int


def powered(clusters: Moments, items: Moments, level: float = 0.95) -> Powered | None:
    """Power-tuned prediction-powered inference (PPI++; Angelopoulos, Duchi and Zrnic 2023) of a rate:

        rate = share of broken among the labels + trust × (mean guess of all − mean guess of the labelled)

    Labels are weighted by the inverse of their chance (Hájek 1971). The trust, 0 to 1, is what makes the variance
    least: 0 where the guesses tell nothing, so that the interval holds whatever the judge does. The variance is that of
    linearised sums over clusters, never below the one over single `items` (as in `statistics.clustered`). It says how
    many independent labels the estimate is worth, and Wilson's interval is that of so many. Labels that readers could
    not decide enter only the mean guess of the labelled.

    None with fewer than LABELS, or with labels in fewer than MIN_QUESTIONS clusters.
    """
    if clusters.labels < LABELS or clusters.labelled < MIN_QUESTIONS:
        return None
    n, guesses, weight, seen, read, broken = clusters.sums
    alone, labels = broken / read, clusters.labels
    if broken in (0, read):
        rests = wilson(clusters.labelled if broken else 0, clusters.labelled, level)
        return Powered(alone, rests, alone, rests, 0.0, labels)
    small = clusters.labelled / (clusters.labelled - 2)
    spreads = [_spread(clusters, clusters.sums).times(small), _spread(items, clusters.sums)]
    quantile = t_quantile(level, clusters.labelled - 2)

    def found(trust: float) -> tuple[float, Interval]:
        rate = min(1.0, max(0.0, alone + trust * (guesses / n - seen / weight)))
        variance = max(spread.at(trust) for spread in spreads) + SURPRISE * (trust / clusters.labelled) ** 2
        return rate, wilson_at(rate, alone * (1 - alone) / variance, quantile)

    trust = spreads[0].best
    (_, plain), (rate, tuned) = found(0.0), found(trust)
    if tuned[1] - tuned[0] > plain[1] - plain[0]:
        return Powered(alone, plain, alone, plain, 0.0, labels)
    return Powered(rate, tuned, alone, plain, trust, labels)


class _Spread(NamedTuple):
    """The variance of the rate, own + 2 × trust × both + trust² × theirs."""

    own: float
    both: float
    theirs: float

    def times(self, factor: float) -> _Spread:
        return _Spread(*(factor * part for part in self))

    def at(self, trust: float) -> float:
        return self.own + 2 * trust * self.both + trust**2 * self.theirs

    @property
    def best(self) -> float:
        """The trust, from 0 to 1, that makes it least."""
        return min(1.0, max(0.0, -self.both / self.theirs)) if self.theirs > 0 else 0.0


def _spread(moments: Moments, whole: Sequence[int]) -> _Spread:
    """What a cluster adds to the share among the labels and to the difference of mean guesses (linearised ratios;
    Cochran, Sampling Techniques, 3rd ed., 6.4), squared and summed."""
    n, guesses, weight, seen, read, broken = whole
    of_labels = (0.0, 0.0, 0.0, 0.0, -broken / read / read, 1 / read)
    of_guesses = (-guesses / n / n, 1 / n, seen / weight / weight, -1 / weight, 0.0, 0.0)
    return _Spread(
        moments.product(of_labels, of_labels),
        moments.product(of_labels, of_guesses),
        moments.product(of_guesses, of_guesses),
    )

"""How far readers agree, beyond what chance alone would give: pure functions of what each said of each item.

Ours because the libraries that know these coefficients are GPL, untyped or need scipy. Tests compare them with the
worked examples that their authors published.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal, NamedTuple

from botattack.report.statistics.intervals import Interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DRAWS = 2_000
"""Random draws of a bootstrap."""
Item = Mapping[str, str]
"""What each reader said of one item, by reader; who did not read it is missing."""
Scale = Literal["nominal", "ordinal"]
"""How far two labels are apart: different or not; by how many readings lie between them."""


@dataclass(frozen=True)
class Coefficient:
    """1 is perfect agreement, 0 what chance gives; `value` is None if every reading is the same. The 95 % `interval`
    is that of a bootstrap over the `items` that two readers or more have read."""

    value: float | None
    interval: Interval | None
    items: int


@dataclass(frozen=True)
class Same:
    """`same` of `n` items were given one label twice: by both `readers`, or by one of them on a second look."""

    readers: tuple[str, ...]
    same: int
    n: int


def fleiss_kappa(items: Sequence[Item], seed: int = 0) -> Coefficient:
    """Fleiss' kappa (Psychological Bulletin 76, 1971): (observed − expected) / (1 − expected) agreement of two readers
    of an item. Items may have been read by different numbers of readers: each then counts once."""
    return _resampled(items, _kappa, seed)


def krippendorff_alpha(items: Sequence[Item], scale: Scale = "nominal", seed: int = 0) -> Coefficient:
    """Krippendorff's alpha, 1 − observed / expected disagreement (Computing Krippendorff's Alpha-Reliability, 2011).
    Readings may be missing. On an ordinal scale, labels are sorted."""
    return _resampled(items, lambda found: _alpha(found, scale), seed)


def pairs(items: Sequence[Item]) -> tuple[Same, ...]:
    """For each pair of readers, of how many items that both have read they say the same."""
    same: Counter[tuple[str, str]] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for item in items:
        for pair in combinations(sorted(item), 2):
            both[pair] += 1
            same[pair] += item[pair[0]] == item[pair[1]]
    return tuple(Same(pair, same[pair], n) for pair, n in sorted(both.items()))


class _Table(NamedTuple):
    """Items that say the same together: `counts` has a row for each, and how many readers gave each of the `labels`;
    `times` says how often each is there, in each draw."""

    labels: list[str]
    counts: Floats
    times: Floats


def _resampled(items: Sequence[Item], coefficient: Callable[[_Table], Floats], seed: int) -> Coefficient:
    """The coefficient of all items, and the percentile interval of items drawn again (Efron and Tibshirani 1993)."""
    import numpy as np

    rows = Counter(tuple(sorted(Counter(item.values()).items())) for item in items if len(item) > 1)
    labels = sorted({label for row in rows for label, _ in row})
    if len(labels) < 2:
        return Coefficient(None, None, rows.total())
    ordered = sorted(rows.items())
    counts = np.array([[dict(row).get(label, 0) for label in labels] for row, _ in ordered], dtype=float)
    times = np.array([[number for _, number in ordered]], dtype=float)
    value = float(coefficient(_Table(labels, counts, times))[0])
    random = np.random.Generator(np.random.PCG64(seed))
    drawn = random.multinomial(rows.total(), times[0] / rows.total(), DRAWS).astype(float)
    found = coefficient(_Table(labels, counts, drawn))
    # A draw in which all say the same has no coefficient.
    low, high = (float(end) for end in np.quantile(found[np.isfinite(found)], (0.025, 0.975)))
    return Coefficient(value, (low, high), rows.total())


def _kappa(found: _Table) -> Floats:
    import numpy as np

    read = found.counts.sum(axis=1)
    agreed = (found.counts * (found.counts - 1)).sum(axis=1) / (read * (read - 1))
    shares = found.times @ found.counts
    shares /= shares.sum(axis=1, keepdims=True)
    expected, observed = (shares**2).sum(axis=1), found.times @ agreed / found.times.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        kappa: Floats = (observed - expected) / (1 - expected)
    return kappa


def _alpha(found: _Table, scale: Scale) -> Floats:
    import numpy as np

    read = found.counts.sum(axis=1)
    each = found.counts[:, :, None] * found.counts[:, None, :] - np.eye(len(found.labels)) * found.counts[:, :, None]
    coincidences = np.tensordot(found.times, each / (read - 1)[:, None, None], axes=1)
    totals = coincidences.sum(axis=2)
    apart = _distances(found.labels, totals, scale)
    observed = (coincidences * apart).sum(axis=(1, 2))
    expected = (totals[:, :, None] * totals[:, None, :] * apart).sum(axis=(1, 2)) / (totals.sum(axis=1) - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        alpha: Floats = 1 - observed / expected
    return alpha


def _distances(labels: list[str], totals: Floats, scale: Scale) -> Floats:
    """Squared, for each draw and two labels."""
    import numpy as np

    if scale == "nominal":
        return np.broadcast_to(1 - np.eye(len(labels)), (len(totals), len(labels), len(labels)))
    values = np.cumsum(totals, axis=1) - totals / 2
    distances: Floats = (values[:, :, None] - values[:, None, :]) ** 2
    return distances

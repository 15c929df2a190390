"""Fitting the judge to labelled replies: its calibration, its operating point and band, and how often it then errs."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import numpy as np

from botattack.matchers.weights import Rates, Weights

Array = np.ndarray[Any, Any]
FOLDS = 5
ENOUGH = 100
"""Labels from which the expected rates of error are those of the labels."""
_PRIOR = 5.0
"""How strongly the calibration is drawn to the one before: a few labels must not turn it round."""
_STEPS = 50
_BORDERS = np.round(np.arange(0.0, 1.0001, 0.02), 2)


class Held(NamedTuple):
    """How well held-out replies are judged: mean log loss, calibration error (ECE of ten bins of equal width), and how
    many are called as their label says."""

    log_loss: float
    calibration_error: float
    agreed: int


class Fitted(NamedTuple):
    """`weights` are the old ones unless the log loss of held-out labels is lower `after` than `before`. `probabilities`
    are those of each labelled reply, by weights that were not fitted to it."""

    weights: Weights
    helped: bool
    labels: int
    before: Held
    after: Held
    probabilities: tuple[float, ...]


def fit(
    known: Weights, lines: Array, right: Array, groups: Array, source: str, *, weight: Array | None = None
) -> Fitted:
    """The weights calibrated to labelled replies by Platt's scaling (Platt 1999), if that helps replies held out.

    `lines` are their evidence, `right` whether their label is correct. Each fifth of the `groups` (the questions) is
    held out in turn. Operating point and band stay, for a probability means the same everywhere; the rates of error are
    those of the labels if there are `ENOUGH`; `weight` is for how many replies each label stands there, one if nothing
    is said.
    """
    odds = known.says_correct.log_odds(lines)
    before = logistic(odds)
    fold = np.unique(groups, return_inverse=True)[1] % FOLDS
    after, called = np.empty(len(odds)), np.empty(len(odds), dtype=bool)
    for part in range(FOLDS):
        held, rest = fold == part, fold != part
        slope, offset = platt(odds[rest], right[rest], _PRIOR)
        after[held] = logistic(slope * odds[held] + offset)
        called[held] = after[held] >= known.point
    was, now = _held(before, right, before >= known.point), _held(after, right, called)
    scaling = platt(odds, right, _PRIOR)
    # Labels that turn the judge round are no calibration: somebody has swapped them.
    if now.log_loss >= was.log_loss or scaling[0] <= 0:
        return Fitted(known, False, len(odds), was, now, tuple(before.tolist()))
    weights = _calibrated(known, scaling, Labels(after, right, weight), source)
    return Fitted(weights, True, len(odds), was, now, tuple(after.tolist()))


class Labels(NamedTuple):
    """The judge's probability of each labelled reply, whether it is right, and for how many replies it stands: one
    each if nothing is said."""

    p: Array
    right: Array
    weight: Array | None = None

    @property
    def worth(self) -> int:
        """How many labels of one weight say as much (Kish)."""
        return len(self.p) if self.weight is None else round(float(self.weight.sum() ** 2 / (self.weight**2).sum()))

    def share(self, which: Array, among: Array | slice = slice(None)) -> float:
        """Of those `among`, or of all."""
        weights = None if self.weight is None else self.weight[among]
        return round(float(np.average(which[among], weights=weights)), 4)


def _calibrated(known: Weights, scaling: tuple[float, float], held: Labels, source: str) -> Weights:
    slope, offset = scaling
    old, counts = known.correct, len(held.p) >= ENOUGH
    correct = msgspec.structs.replace(
        old, slope=round(old.slope * slope, 4), offset=round(old.offset * slope + offset, 4)
    )
    return msgspec.structs.replace(
        known,
        version=f"{known.version.partition(' ')[0]} fitted to {len(held.p)} labels",
        correct=correct,
        **({"rates": rates(held, known.band, source), "curve": curve(held)} if counts else {}),
    )


def _held(p: Array, right: Array, called: Array) -> Held:
    return Held(log_loss(p, right), calibration_error(p, right), int((called == right).sum()))


def logistic(odds: Array) -> Array:
    found: Array = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    return found


def log_odds(p: Array) -> Array:
    """The other way round."""
    clipped = np.clip(p, 1e-6, 1 - 1e-6)
    found: Array = np.log(clipped / (1 - clipped))
    return found


def platt(odds: Array, right: Array, prior: float = 0.0) -> tuple[float, float]:
    """Slope and offset that make log-odds fit best: Newton's method on two numbers, drawn to 1 and 0 by the prior."""
    start = np.array([1.0, 0.0])
    design, signs = np.c_[odds, np.ones(len(odds))], np.where(right, 1.0, -1.0)

    def loss(at: Array) -> float:
        return float(np.logaddexp(0, -signs * (design @ at)).sum() + prior / 2 * ((at - start) ** 2).sum())

    found = start
    for _ in range(_STEPS):
        q = logistic(design @ found)
        bend = (design * (q * (1 - q))[:, None]).T @ design + (prior + 1e-9) * np.eye(2)
        step = np.linalg.solve(bend, design.T @ (right - q) - prior * (found - start))
        # Far from the optimum the curve is flat, and a whole step goes beyond it.
        halves = next((part for part in range(_STEPS) if loss(found + step / 2**part) <= loss(found)), None)
        if halves is None:
            break
        found = found + step / 2**halves
    return float(found[0]), float(found[1])


def rates(labels: Labels, ends: tuple[float, float], source: str) -> Rates:
    """How often replies are misjudged that are correct from the upper end on, and not correct up to the lower."""
    (p, right, _), (low, high) = labels, ends
    wrongly, missed = labels.share(p >= high, ~right), labels.share(p <= low, right)
    return Rates.of(wrongly, missed, labels.share((p > low) & (p < high)), labels.worth, source)


def curve(labels: Labels) -> tuple[tuple[float, float, float, float], ...]:
    """Of `Weights.curve`, one line for each fiftieth."""
    p, right, _ = labels
    return tuple(
        (float(at), labels.share(p >= at, ~right), labels.share(p < at, right), labels.share(p < at)) for at in _BORDERS
    )


def log_loss(p: Array, right: Array) -> float:
    """The mean of -log of what was said of what is."""
    return float(-np.log(np.clip(np.where(right, p, 1 - p), 1e-6, 1)).mean())


def calibration_error(p: Array, right: Array) -> float:
    """ECE of ten bins of equal width."""
    bins = np.clip((p * 10).astype(int), 0, 9)
    found = [abs(p[bins == b].mean() - right[bins == b].mean()) * (bins == b).mean() for b in np.unique(bins)]
    return float(sum(found))

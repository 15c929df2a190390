"""Fitting the judge to labelled replies: the calibration of its probabilities."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import numpy as np

from botattack.matchers.weights import Weights

Array = np.ndarray[Any, Any]
FOLDS = 5
_PRIOR = 5.0
"""How strongly the calibration is drawn to the one before: a few labels must not turn it round."""
_STEPS = 50


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


def fit(known: Weights, lines: Array, right: Array, groups: Array) -> Fitted:
    """The weights calibrated to labelled replies by Platt's scaling (Platt 1999), if that helps replies held out.

    `lines` are their evidence, `right` whether their label is correct. Each fifth of the `groups` (the questions) is
    held out in turn. Operating point and band stay, for a probability means the same everywhere.
    """
    odds = np.array([*map(known.correct.log_odds, lines)])
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
    weights = _calibrated(known, scaling, len(odds))
    return Fitted(weights, True, len(odds), was, now, tuple(after.tolist()))


def _calibrated(known: Weights, scaling: tuple[float, float], labels: int) -> Weights:
    (slope, offset), old = scaling, known.correct
    correct = msgspec.structs.replace(
        old, slope=round(old.slope * slope, 4), offset=round(old.offset * slope + offset, 4)
    )
    version = f"{known.version.partition(' ')[0]} fitted to {labels} labels"
    return msgspec.structs.replace(known, version=version, correct=correct, left_out=())


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


def log_loss(p: Array, right: Array) -> float:
    """The mean of -log of what was said of what is."""
    return float(-np.log(np.clip(np.where(right, p, 1 - p), 1e-6, 1)).mean())


def calibration_error(p: Array, right: Array) -> float:
    """ECE of ten bins of equal width."""
    bins = np.clip((p * 10).astype(int), 0, 9)
    found = [abs(p[bins == b].mean() - right[bins == b].mean()) * (bins == b).mean() for b in np.unique(bins)]
    return float(sum(found))

"""Judged replies of which some are labelled, drawn at random: what simulations of corrected rates are made of."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from botattack.report.statistics.intervals import Interval
from botattack.report.statistics.powered import UNIT, Moments, Powered, powered

Array = np.ndarray[Any, Any]


class World(NamedTuple):
    """`questions` with `variants` each. Of replies that are broken, the judge calls the share `sensitivity` so; of the
    others, the share `specificity` not. `correlation` is that of replies to one question; `labels` are drawn, a share
    of `uncertain` of them by the judge's uncertainty."""

    rate: float
    sensitivity: float = 0.85
    specificity: float = 0.9
    questions: int = 1000
    variants: int = 1
    correlation: float = 0.0
    labels: int = 150
    uncertain: float = 0.0
    graded: bool = False
    """Whether the judge gives probabilities: those it would be right with if half of all replies were broken, so that
    it is wrong where it is unsure; `specificity` is then that of its sensitivity."""


def runs(world: World, draws: int, seed: int) -> Iterator[Powered | None]:
    """The corrected rate of each of so many worlds."""
    random = np.random.Generator(np.random.PCG64(seed))
    for _ in range(draws):
        broken = random.random(world.questions * world.variants) < _propensity(world, random)
        guess = _guesses(world, broken, random)
        weight = _weights(world, guess, random)
        yield powered(*_moments(world, guess, weight, broken))


def _propensity(world: World, random: np.random.Generator) -> Array | float:
    if not world.correlation:
        return world.rate
    size = (1 - world.correlation) / world.correlation
    of_questions = random.beta(world.rate * size, (1 - world.rate) * size, world.questions)
    return np.repeat(of_questions, world.variants)


def _guesses(world: World, broken: Array, random: np.random.Generator) -> Array:
    if world.graded:
        apart = 2 * NormalDist().inv_cdf(world.sensitivity) ** 2
        scores: Array = np.where(broken, apart, -apart) + random.normal(size=len(broken)) * np.sqrt(2 * apart)
        return 1 / (1 + np.exp(-scores))
    called: Array = np.where(
        broken, random.random(len(broken)) < world.sensitivity, random.random(len(broken)) >= world.specificity
    )
    return called.astype(float)


def _weights(world: World, guess: Array, random: np.random.Generator) -> Array:
    """The inverse of the chance of what is drawn, 0 for the rest."""
    unsure = np.sqrt(np.clip(guess * (1 - guess), 1e-4, None))
    chance = world.labels * (world.uncertain * unsure / unsure.sum() + (1 - world.uncertain) / len(guess))
    order = random.permutation(len(guess))
    steps = np.floor(np.concatenate([[0.0], np.cumsum(np.minimum(chance, 1.0)[order])]) + random.random())
    weight = np.zeros(len(guess))
    picked = order[np.diff(steps) > 0]
    weight[picked] = 1 / np.minimum(chance, 1.0)[picked]
    return weight


def _moments(world: World, guess: Array, weight: Array, broken: Array) -> tuple[Moments, Moments]:
    """As `Moments.add` counts them, of all items at once."""
    weights, guesses = np.round(weight * UNIT), np.round(guess * UNIT)
    columns = (np.full(len(guess), UNIT), guesses, weights, np.round(weight * guesses), weights, weights * broken)
    items = np.stack(columns, axis=1)
    clusters = items.reshape(world.questions, world.variants, len(columns)).sum(axis=1)
    read = (weight > 0).reshape(world.questions, world.variants)
    labels = int(read.sum())
    return (_summed(clusters, int(read.any(axis=1).sum()), labels), _summed(items, labels, labels))


def _summed(rows: Array, labelled: int, labels: int) -> Moments:
    products = tuple(tuple(map(int, row)) for row in rows.T @ rows)
    return Moments(tuple(map(int, rows.sum(axis=0))), products, labelled, labels)


class Coverage(NamedTuple):
    """How often the interval holds the true rate, and that of the labels alone; its mean width, the same as a share of
    the other's, and the widest; the mean error of the rate."""

    corrected: float
    alone: float
    size: float
    width: float
    widest: float
    bias: float


def coverage(world: World, draws: int, seed: int) -> Coverage:
    found = [each for each in runs(world, draws, seed) if each is not None]
    assert len(found) == draws
    widths = [(_width(each.interval), _width(each.alone_interval)) for each in found]
    return Coverage(
        sum(each.interval[0] <= world.rate <= each.interval[1] for each in found) / draws,
        sum(each.alone_interval[0] <= world.rate <= each.alone_interval[1] for each in found) / draws,
        sum(one for one, _ in widths) / draws,
        sum(one for one, _ in widths) / sum(other for _, other in widths),
        max(one / other for one, other in widths),
        sum(each.rate for each in found) / draws - world.rate,
    )


def _width(interval: Interval) -> float:
    return interval[1] - interval[0]

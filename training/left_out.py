"""What models say of replies whose system and question, or whose collection, they were not trained on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from botattack.audit.fitting import log_odds, logistic, platt
from botattack.matchers.weights import LeftOut
from training.data import Row, mismatched
from training.learning import COLLECTIONS, FREE, Array, Examples, Recipe, examples, probability, refusing
from training.operating import band, operating_point

FOLDS = 5
ASSISTANTS = ("chatgpt", "gpt4", "newbing")
"""Systems of EVOUNA that are like the bots people deploy: the judge is calibrated on them and on the collections."""
APART = 2_000
"""Replies to another question on which models are counted."""


@dataclass(frozen=True)
class Calibration:
    """Slope and offset of the log-odds, the operating point and the band, as weights.json has them."""

    slope: float
    offset: float
    point: float
    band: tuple[float, float]

    @classmethod
    def of(cls, seen: Array, right: Array) -> Calibration:
        """The one that fits probabilities of replies left out best; NaN are not counted."""
        counted = ~np.isnan(seen)
        odds, was = log_odds(seen[counted]), right[counted]
        slope, offset = platt(odds, was)
        p = logistic(slope * odds + offset)
        point = operating_point(p, was)
        return cls(slope, offset, point, band(p, point))

    def applied(self, raw: Array) -> Array:
        """Calibrated probabilities."""
        return logistic(self.slope * log_odds(raw) + self.offset)


def calibration(base: Examples, ours: Examples, raw: Array, raw_ours: Array) -> Calibration:
    """What weights.json is calibrated by: assistants and collections that were left out."""
    assistants = np.array([row.source in ASSISTANTS for row in base.rows])
    seen = np.r_[np.where(assistants, raw, np.nan), raw_ours]
    return Calibration.of(seen, np.r_[base.right, ours.right])


def errors(of: Examples, p: Array, ends: tuple[float, float]) -> list[LeftOut]:
    """How often the replies of each source are misjudged if one is correct from the upper end on, and wrong up to the
    lower."""
    source, (low, high) = np.array([row.source for row in of.rows]), ends
    found = []
    for name in sorted(set(source)):
        wrong, right = p[(source == name) & ~of.right], p[(source == name) & of.right]
        shares = round(float((wrong >= high).mean()), 4), round(float((right <= low).mean()), 4)
        found.append(LeftOut(str(name), *shares, len(wrong) + len(right)))
    return found


def systems(base: Examples, ours: Examples, recipe: Recipe, names: Iterable[str], parts: Iterable[int]) -> Array:
    """The probability of each reply of EVOUNA by a model that saw neither its system nor its question; NaN for other
    systems than `names`, and for other fifths of the questions than `parts`."""
    source, fold = np.array([row.source for row in base.rows]), folds(base.rows)
    parts, found = tuple(parts), np.full(len(source), np.nan)
    for name in names:
        for part in parts:
            test, train = (source == name) & (fold == part), base.only((source != name) & (fold != part))
            model = recipe.trained(base.only(test).rows, train, ours)
            found[test] = probability(model, base.lines[test])
    return found


def collections(base: Examples, ours: Examples, recipe: Recipe) -> tuple[Array, Array]:
    """The probability of each reply of tests/verdicts by a model that saw nothing of its collection; and of replies to
    another question of that collection."""
    source, taken = np.array([row.source for row in ours.rows]), list[Array]()
    found = np.full(len(source), np.nan)
    for name in COLLECTIONS:
        test, train = ours.only(source == name), ours.only(source != name)
        model = recipe.trained(test.rows, base, train)
        found[source == name] = probability(model, test.lines)
        taken.append(_apart(model, test.rows, APART // len(COLLECTIONS)))
    return found, np.concatenate(taken)


def questions(base: Examples, ours: Examples, recipe: Recipe) -> Array:
    """The probability of replies to another question of EVOUNA, where neither question was trained on."""
    test, train = (base.only((folds(base.rows) == 0) == is_test) for is_test in (True, False))
    return _apart(recipe.trained(test.rows, train, ours), test.rows, APART)


def _apart(model: object, rows: list[Row], many: int) -> Array:
    return probability(model, examples(mismatched(rows, seed=1, many=many)).lines)


def refusals(ours: Examples, recipe: Recipe) -> Array:
    """The probability that a reply declines if it is not correct, each collection left out in turn."""
    source = np.array([row.source for row in ours.rows])
    found = np.full(len(source), np.nan)
    for name in COLLECTIONS:
        test = ours.only(source == name)
        model = refusing(ours.only(source != name), recipe.beside(test.rows), recipe.faqs)
        found[source == name] = probability(model, test.lines[:, FREE])
    return found


def folds(rows: Sequence[Row]) -> Array:
    return np.array([row.group for row in rows]) % FOLDS

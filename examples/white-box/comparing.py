"""Figures of each method, and how far they are from those of plain training."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

Counts = Mapping[str, Any]
Shares = Callable[[Counts], tuple[float, float]]
DRAWS = 10_000


def _all(counts: Counts, kind: str) -> tuple[int, int]:
    """How many variants of a kind there are, and how many are parsed as the original should be."""
    return sum(n for n, _ in counts[kind].values()), sum(right for _, right in counts[kind].values())


def _robust(counts: Counts) -> tuple[float, float]:
    n, right = _all(counts, "same")
    return counts["right"] * right, counts["right"] * n


def _changes(counts: Counts) -> tuple[float, float]:
    n, right = _all(counts, "changed")
    return counts["right"] * (n - right), counts["right"] * n


METRICS: Mapping[str, Shares] = {
    "standard": lambda counts: (counts["right"], 1),
    "perturbation": lambda counts: _all(counts, "same")[::-1],
    "robust": _robust,
    "black-box": lambda counts: (counts["harder"][0] - counts["harder"][1], counts["harder"][0]),
    "standard F1": lambda counts: (counts["f1"], 1),
    "perturbation F1": lambda counts: (counts["same f1"], _all(counts, "same")[0]),
    "must change: changes": _changes,
    "must change: kept": lambda counts: _all(counts, "changed")[::-1],
    "must change: F1": lambda counts: (counts["changed f1"], _all(counts, "changed")[0]),
}
"""What a question adds to the numerator and the denominator of each figure."""

Scores = Mapping[str, Sequence[Sequence[Counts]]]
"""What came of each question, for each seed, by method. Questions are in the same order everywhere."""


def figures(scores: Scores, base: str, draws: int = DRAWS) -> dict[str, dict[str, Any]]:
    """Return for each method and metric the figure of all seeds together, that of each seed, and the difference from
    `base` with its 95 % interval.

    The interval is a bootstrap of both questions and seeds (Owen 2007): each draw takes as many questions and as many
    seeds as there are, with replacement, the same for both methods. A question brings all its variants.
    """
    seeds, questions = len(scores[base]), len(scores[base][0])
    rng = np.random.default_rng(0)
    drawn_questions = rng.multinomial(questions, np.full(questions, 1 / questions), draws).astype(float)
    drawn_seeds = rng.multinomial(seeds, np.full(seeds, 1 / seeds), draws).astype(float)
    found: dict[str, dict[str, Any]] = {method: {} for method in scores}
    for metric, shares in METRICS.items():
        parts = {
            method: np.array([[shares(row) for row in seed] for seed in given]) for method, given in scores.items()
        }
        redrawn = {method: _rates(part, drawn_questions, drawn_seeds) for method, part in parts.items()}
        for method, part in parts.items():
            if part[:, :, 1].any():
                found[method][metric] = _figure(part, redrawn[method] - redrawn[base], parts[base], method == base)
    return found


def _rates(part: np.ndarray[Any, Any], questions: np.ndarray[Any, Any], seeds: np.ndarray[Any, Any]) -> Any:
    above, below = (((questions @ part[:, :, at].T) * seeds).sum(1) for at in (0, 1))
    return np.divide(above, below, out=np.full(len(above), np.nan), where=below > 0)


def _figure(part: Any, differences: Any, base: Any, is_base: bool) -> dict[str, Any]:
    above, below = part.sum((0, 1))
    each = [round(float(a / b), 4) if b else None for a, b in part.sum(1)]
    told: dict[str, Any] = {"value": round(float(above / below), 4), "n": round(float(below)), "seeds": each}
    base_above, base_below = base.sum((0, 1))
    if not is_base and base_below:
        low, high = np.nanpercentile(differences, [2.5, 97.5])
        difference = above / below - base_above / base_below
        told["difference"] = [round(float(value), 4) for value in (difference, low, high)]
    return told


def by_attack(scores: Scores) -> dict[str, dict[str, list[int]]]:
    """Return how many variants each attack made, and how many were parsed as the original should be, by method."""
    found: dict[str, dict[str, list[int]]] = {}
    for method, given in scores.items():
        total = found[method] = {}
        for counts in (counts for seed in given for counts in seed):
            for attack, (n, right) in (*counts["same"].items(), *counts["changed"].items()):
                number = total.setdefault(attack, [0, 0])
                number[0] += n
                number[1] += right
    return {method: dict(sorted(total.items())) for method, total in found.items()}

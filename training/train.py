"""Writes botattack/matchers/weights.json: trees fitted to all replies with readers' verdicts, and where they stop being sure.

The operating point, the band, the calibration and the rates of error are those of replies whose system and question, or whose
collection, the trees had not seen.
"""

from __future__ import annotations

import sys
from typing import Any

import msgspec
import numpy as np

from botattack.matchers.evidence.all import NAMES, columns
from botattack.matchers.evidence.declining import Declining
from botattack.matchers.trees import SCALE, Stored
from botattack.matchers.weights import Rates, Weights
from training.data import ROOT, collected, evouna, measured
from training.evaluate import COLLECTED_WEIGHT, COLLECTIONS, Array, fitted, left_out_collections, left_out_systems

TREES, REFUSAL_TREES = 300, 80
UNSURE = 0.09
"""Share of replies between both ends of the band."""


def stored(model: Any, features: Array, slope: float, offset: float) -> Stored:
    """Trees of catboost in integers; `features` are the places of its columns in a line of evidence."""
    trees, bias = _dumped(model)
    deepest = max(len(tree["splits"] or []) for tree in trees)
    rows = [_padded(tree, features, deepest) for tree in trees]
    return Stored(*(tuple(column) for column in zip(*rows, strict=True)), round(bias * SCALE), slope, offset)


def _dumped(model: Any) -> tuple[list[Any], float]:
    import json
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save_model(str(path), format="json")
        dumped = json.loads(path.read_text(encoding="utf-8"))
    scale, bias = dumped["scale_and_bias"]
    assert scale == 1
    return dumped["oblivious_trees"], float(np.ravel(bias)[0])


def _padded(tree: Any, features: Array, deepest: int) -> tuple[tuple[int, ...], tuple[float, ...], tuple[int, ...]]:
    """A tree with as many levels as the deepest: a level more asks what is never true."""
    splits = tree["splits"] or []
    more = deepest - len(splits)
    places = [int(features[split["float_feature_index"]]) for split in splits] + [0] * more
    borders = [round(split["border"], 5) for split in splits] + [1e9] * more
    leaves = [round(value * SCALE) for value in tree["leaf_values"]] + [0] * (2**deepest - 2 ** len(splits))
    return tuple(places), tuple(borders), tuple(leaves)


def platt(p: Array, right: Array) -> tuple[float, float]:
    """Slope and offset that make log-odds fit best: Newton's method on two numbers."""
    odds = np.log(np.clip(p, 1e-6, 1 - 1e-6) / np.clip(1 - p, 1e-6, 1))
    design, found = np.c_[odds, np.ones(len(odds))], np.array([1.0, 0.0])
    for _ in range(50):
        q = 1 / (1 + np.exp(-design @ found))
        found = found + np.linalg.solve((design * (q * (1 - q))[:, None]).T @ design, design.T @ (right - q))
    return float(found[0]), float(found[1])


def operating_point(p: Array, right: Array) -> float:
    """Where as many wrong replies are called correct as correct ones wrong."""
    points = np.round(np.arange(0.2, 0.8, 0.005), 3)
    return float(min(points, key=lambda point: abs(int((p >= point)[~right].sum()) - int((p < point)[right].sum()))))


def band(p: Array, point: float) -> tuple[float, float]:
    """The least sure share of replies, around the point in log-odds."""
    odds = np.log(p / (1 - p)) - np.log(point / (1 - point))
    width = float(np.quantile(np.abs(odds), UNSURE))
    ends = [1 / (1 + np.exp(-(np.log(point / (1 - point)) + side * width))) for side in (-1, 1)]
    return round(float(ends[0]), 3), round(float(ends[1]), 3)


def main() -> None:
    rows, ours = evouna(), collected(*COLLECTIONS)
    lines, our_lines = measured(rows), measured(ours)
    right, our_right = (np.array([row.label == "correct" for row in each]) for each in (rows, ours))
    seen = np.r_[
        left_out_systems(rows, lines, (our_lines, our_right), ("chatgpt", "gpt4", "newbing")),
        left_out_collections((lines, right), ours, our_lines),
    ]
    every, truth = np.vstack([lines, our_lines]), np.r_[right, our_right]
    counted = ~np.isnan(seen)
    slope, offset = platt(seen[counted], truth[counted])
    odds = np.log(np.clip(seen[counted], 1e-6, 1 - 1e-6) / np.clip(1 - seen[counted], 1e-6, 1))
    p, was = 1 / (1 + np.exp(-(slope * odds + offset))), truth[counted]
    point = operating_point(p, was)
    low, high = band(p, point)
    shares = np.r_[np.ones(len(rows)), np.full(len(ours), COLLECTED_WEIGHT)]
    correct = fitted(every, truth, shares, TREES)
    free = np.arange(len(NAMES))[columns(Declining)]
    not_right = [
        index for index, row in enumerate(ours) if row.labels & {"refused", "wrong"} and row.label != "correct"
    ]
    refused = fitted(
        our_lines[not_right][:, free],
        np.array(["refused" in ours[index].labels for index in not_right]),
        None,
        REFUSAL_TREES,
    )
    found = Weights(
        version="1",
        features=NAMES,
        correct=stored(correct, np.arange(len(NAMES)), round(slope, 4), round(offset, 4)),
        refused=stored(refused, free, 1.0, 0.0),
        usual=tuple(float(round(value, 4)) for value in np.median(every, axis=0)),
        point=point,
        band=(low, high),
        rates=Rates(
            round(float((p >= high)[~was].mean()), 4),
            round(float((p <= low)[was].mean()), 4),
            round(float(((p > low) & (p < high)).mean()), 4),
            int(counted.sum()),
            "replies of systems and collections left out",
        ),
    )
    path = ROOT / "botattack/matchers/weights.json"
    path.write_bytes(msgspec.json.encode(found) + b"\n")
    check = np.abs(
        1 / (1 + np.exp(-found.says_correct.log_odds(every[:500])))
        - _scaled(correct.predict_proba(every[:500])[:, 1], slope, offset)
    )
    sys.stdout.write(
        f"{path}: {path.stat().st_size / 1000:.0f} kB, point {point}, band {low} to {high}, {found.rates}; furthest from catboost {check.max():.4f}\n"
    )


def _scaled(p: Array, slope: float, offset: float) -> Array:
    return 1 / (1 + np.exp(-(slope * np.log(p / (1 - p)) + offset)))


if __name__ == "__main__":
    main()

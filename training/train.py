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
from botattack.matchers.fitting import band, curve, log_odds, logistic, operating_point, platt, rates
from botattack.matchers.trees import SCALE, Stored
from botattack.matchers.weights import Weights
from training.data import ROOT, collected, evouna, measured
from training.evaluate import COLLECTED_WEIGHT, COLLECTIONS, Array, fitted, left_out_collections, left_out_systems

TREES, REFUSAL_TREES = 300, 80


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
    odds, was = log_odds(seen[counted]), truth[counted]
    slope, offset = platt(odds, was)
    p = logistic(slope * odds + offset)
    point = operating_point(p, was)
    ends = band(p, point)
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
        band=ends,
        rates=rates(p, was, ends, "replies of systems and collections left out"),
        curve=curve(p, was),
    )
    path = ROOT / "botattack/matchers/weights.json"
    path.write_bytes(msgspec.json.encode(found) + b"\n")
    scaled = logistic(slope * log_odds(correct.predict_proba(every[:500])[:, 1]) + offset)
    check = np.abs(logistic(found.says_correct.log_odds(every[:500])) - scaled)
    sys.stdout.write(
        f"{path}: {path.stat().st_size / 1000:.0f} kB, point {point}, band {ends}, {found.rates}; furthest from catboost {check.max():.4f}\n"
    )


if __name__ == "__main__":
    main()

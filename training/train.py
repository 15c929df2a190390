"""Writes botattack/matchers/weights.json: trees fitted to replies that readers judged.

Where they stop being sure, how they are calibrated and how often they err is counted on replies whose system and
question, or whose collection, they had not seen.
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
from training.data import ROOT, collected, evouna, invented
from training.evaluate import (
    COLLECTED_WEIGHT,
    COLLECTIONS,
    Array,
    Examples,
    Extra,
    examples,
    fitted,
    left_out_collections,
    left_out_systems,
    trained,
)

VERSION = "1"
INVENTED_WEIGHT, MISMATCHED = 1.0, 2_000
ASSISTANTS = ("chatgpt", "gpt4", "newbing")
REFUSAL_TREES = 80


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
    if scale != 1:
        raise ValueError(f"catboost scales its trees by {scale}")
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
    base, ours = examples(evouna()), examples(collected(*COLLECTIONS), COLLECTED_WEIGHT)
    extra = Extra(examples(invented(), INVENTED_WEIGHT), MISMATCHED)
    seen = np.r_[left_out_systems(base, ours, extra, ASSISTANTS), left_out_collections(base, ours, extra)]
    truth, counted = np.r_[base.right, ours.right], ~np.isnan(seen)
    odds, was = log_odds(seen[counted]), truth[counted]
    slope, offset = platt(odds, was)
    p = logistic(slope * odds + offset)
    point = operating_point(p, was)
    ends = band(p, point)
    every = extra.beside(base.rows + ours.rows, [])
    correct = trained(base, ours, *every)
    free = np.arange(len(NAMES))[columns(Declining)]
    found = Weights(
        version=VERSION,
        features=NAMES,
        correct=stored(correct, np.arange(len(NAMES)), round(slope, 4), round(offset, 4)),
        refused=stored(refusing(ours, every[0], free), free, 1.0, 0.0),
        usual=tuple(float(round(value, 4)) for value in np.median(np.vstack([base.lines, ours.lines]), axis=0)),
        point=point,
        band=ends,
        rates=rates(p, was, ends, "replies of systems and collections it was not trained on"),
        curve=curve(p, was),
    )
    path = ROOT / "botattack/matchers/weights.json"
    path.write_bytes(msgspec.json.encode(found) + b"\n")
    sys.stdout.write(f"{path}: {path.stat().st_size / 1000:.0f} kB, point {point}, band {ends}, {found.rates}\n")


def refusing(ours: Examples, invented: Examples, free: Array) -> Any:
    """Trees for what is not correct: whether it declines rather than being wrong."""
    both = [
        (row, line)
        for each in (ours, invented)
        for row, line in zip(each.rows, each.lines, strict=True)
        if row.label in ("wrong", "refused")
    ]
    right = np.array(["refused" in row.labels for row, _ in both])
    return fitted(np.array([line[free] for _, line in both]), right, None, REFUSAL_TREES)


if __name__ == "__main__":
    main()

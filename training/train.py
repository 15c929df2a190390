"""Writes botattack/matchers/weights.json: trees fitted to replies that readers judged.

Trees for gold answers that are sentences correct these, fitted to tests/verdicts/faq.

Where they stop being sure, how they are calibrated and how often they err is counted on replies whose system and
question, or whose collection, they had not seen; the errors of each system and collection by themselves.
"""

from __future__ import annotations

import sys
from typing import Any

import msgspec
import numpy as np

from botattack.matchers.evidence.all import NAMES
from botattack.matchers.weights import SCALE, Trees, Weights
from training import left_out
from training.data import ROOT, SYSTEMS, beside_heads, collected, evouna
from training.learning import (
    COLLECTED_WEIGHT,
    COLLECTIONS,
    FREE,
    WHOLE,
    Array,
    Recipe,
    beside_sentences,
    examples,
    refusing,
)
from training.left_out import FOLDS

VERSION = "3"


def stored(model: Any, features: Array, slope: float, offset: float, more: Any = None) -> Trees:
    """Trees of catboost in integers; `features` are the places of its columns in a line of evidence. Those of `more`
    count beside gold sentences only."""
    trees, bias = _dumped(model)
    if more:
        trees += _gated(*_dumped(more))
    deepest = max(len(tree["splits"] or []) for tree in trees)
    rows = [_padded(tree, features, deepest) for tree in trees]
    features_of, borders, leaves = zip(*rows, strict=True)
    return Trees(features_of, borders, leaves, round(bias * SCALE), slope, offset)


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


def _gated(trees: list[Any], bias: float) -> list[Any]:
    """Trees with a level more, all of whose leaves are zero where the gold answer is no sentence."""
    gate = {"float_feature_index": WHOLE, "border": 0.5}
    trees[0]["leaf_values"] = [value + bias for value in trees[0]["leaf_values"]]
    return [
        {"splits": [*tree["splits"], gate], "leaf_values": [0] * len(tree["leaf_values"]) + tree["leaf_values"]}
        for tree in trees
    ]


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
    recipe = Recipe.shipped()
    raw = left_out.systems(base, ours, recipe, SYSTEMS, range(FOLDS))
    raw_ours = left_out.collections(base, ours, recipe)[0]
    known = left_out.calibration(base, ours, raw, raw_ours)
    sources = (base, raw), (ours, raw_ours)
    model = recipe.trained([], base, ours)
    more = beside_sentences(model, *beside_heads(recipe.faqs.rows))
    found = Weights(
        version=VERSION,
        features=NAMES,
        correct=stored(model, np.arange(len(NAMES)), round(known.slope, 4), round(known.offset, 4), more),
        refused=stored(refusing(ours, recipe.invented, recipe.faqs), FREE, 1.0, 0.0),
        usual=tuple(float(round(value, 4)) for value in np.median(np.vstack([base.lines, ours.lines]), axis=0)),
        point=known.point,
        band=known.band,
        left_out=tuple(one for of, p in sources for one in left_out.errors(of, known.applied(p), known.band)),
    )
    path = ROOT / "botattack/matchers/weights.json"
    path.write_bytes(msgspec.json.encode(found) + b"\n")
    kilobytes = path.stat().st_size / 1000
    sys.stdout.write(f"{path}: {kilobytes:.0f} kB, point {known.point}, band {known.band}, {found.left_out}\n")


if __name__ == "__main__":
    main()

"""A file of weights that no fitting writes is refused in one sentence that names the fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import pytest

from botattack.matchers.evidence.all import NAMES
from botattack.matchers.reasons import means
from botattack.matchers.weights import SCALE, BadWeights, read_weights, weights

SHIPPED = (files("botattack.matchers") / "weights.json").read_text(encoding="utf-8")
Change = Callable[[Any], Any]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda raw: raw["correct"].update(slope=-1), "$.correct.slope"),
        (lambda raw: raw["refused"].update(slope=0), "$.refused.slope"),
        (lambda raw: raw["correct"].update(slope=float("nan")), "JSON is malformed"),
        (lambda raw: raw["correct"].update(offset=float("inf")), "JSON is malformed"),
        (lambda raw: raw["correct"].update(slope="steep"), "got `str`"),
        (lambda raw: raw["correct"].update(bias=10**40), "$.correct.bias"),
        (lambda raw: raw["correct"]["leaves"][0].pop(), "the trees of correct are not whole"),
        (lambda raw: raw["refused"]["features"][0].__setitem__(0, -1), "the trees of refused are not whole"),
        (lambda raw: raw["left_out"][0].update(wrong_called_correct=1.5), "$.left_out[0].wrong_called_correct"),
        (lambda raw: raw["left_out"][0].pop("rows"), "$.left_out[0]"),
        (lambda raw: raw.update(version="x" * 301), "$.version"),
        (lambda raw: raw.update(band=[0.9, 0.2]), "the point must be within the band"),
        (lambda raw: raw["usual"].pop(), "usual must contain"),
        (lambda raw: raw.update(version="x" * 5_000_000), "larger than 5 MB"),
    ],
)
def test_damaged_weights_are_refused(tmp_path: Path, change: Change, said: str) -> None:
    raw, path = json.loads(SHIPPED), tmp_path / "weights.json"
    change(raw)
    path.write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(BadWeights) as error:
        read_weights(path)
    assert said in str(error.value)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


def test_older_weights_that_a_recording_keeps_still_judge(tmp_path: Path) -> None:
    raw, path = json.loads(SHIPPED), tmp_path / "weights.json"
    del raw["left_out"]
    path.write_text(json.dumps(raw | {"rates": {"rows": 300}, "curve": [[0, 1, 0, 0]]}), encoding="utf-8")
    found = read_weights(path)

    assert found.correct == weights().correct
    assert found.left_out == ()


@pytest.mark.slow
def test_trees_weigh_as_walking_each_of_them_does() -> None:
    known, chance = weights(), Random(0)
    trees = known.correct
    levels = [[*zip(*tree, strict=True)] for tree in zip(trees.features, trees.borders, strict=True)]
    borders = {place: border for tree in levels for place, border in tree}

    def walked(line: list[float]) -> float:
        reached = [sum((line[place] > border) << at for at, (place, border) in enumerate(tree)) for tree in levels]
        total = sum(leaves[leaf] for leaves, leaf in zip(trees.leaves, reached, strict=True))
        return trees.slope * (total + trees.bias) / SCALE + trees.offset

    usual = list(known.usual)
    for _ in range(6):
        line = [
            borders.get(at, 0) + chance.choice((-1, 0, 1)) if chance.random() < 0.4 else x for at, x in enumerate(usual)
        ]
        assert trees.log_odds(line) == walked(line)
        without = [[*line[:at], usual[at], *line[at + 1 :]] for at in range(len(line))]
        assert trees.pulls(line, usual, range(len(line))) == [walked(line) - walked(other) for other in without]


def test_a_share_is_said_as_none_all_or_per_cent() -> None:
    shares = set[str]()
    for place, name in enumerate(NAMES):
        line, said = list(weights().usual), dict[float, str]()
        for value in (0.0, 0.25, 1.0, 2.0):
            line[place] = value
            said[value] = means(place, tuple(line), weights())
            assert "{" not in said[value]
            assert ("%" in said[value]) <= (value == 0.25)
        assert "only none" not in said[0.0]
        shares |= {name} if "25%" in said[0.25] else set()
        assert name not in shares or "all" in said[1.0].split()
    assert len(shares) > 2

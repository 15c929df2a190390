"""A file of weights that no fitting writes is refused in one sentence that names the fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from botattack.matchers.weights import BadWeights, read_weights, weights

SHIPPED = (files("botattack.matchers") / "weights.json").read_text(encoding="utf-8")
Change = Callable[[Any], Any]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda raw: raw["correct"].update(slope=-1), "correct: slope must be above 0"),
        (lambda raw: raw["refused"].update(slope=0), "refused: slope must be above 0"),
        (lambda raw: raw["correct"].update(slope=float("nan")), "JSON is malformed"),
        (lambda raw: raw["correct"].update(offset=float("inf")), "JSON is malformed"),
        (lambda raw: raw["correct"].update(slope="steep"), "got `str`"),
        (lambda raw: raw["correct"].update(bias=10**40), "the trees of correct are not whole"),
        (lambda raw: raw["correct"]["leaves"][0].pop(), "the trees of correct are not whole"),
        (lambda raw: raw["refused"]["features"][0].__setitem__(0, -1), "the trees of refused are not whole"),
        (lambda raw: raw["curve"].reverse(), "curve must run from 0 to 1"),
        (lambda raw: raw.update(curve=raw["curve"][:9]), "curve must run from 0 to 1"),
        (lambda raw: raw["curve"][3].__setitem__(1, 2), "curve must run from 0 to 1"),
        (lambda raw: raw["curve"][3].pop(), "$.curve[3]"),
        (lambda raw: raw["rates"].update(rows=-3), "rates.rows must not be negative"),
        (lambda raw: raw["rates"].update(rows=True), "$.rates.rows"),
        (lambda raw: raw["rates"].update(unsure=1.5), "rates must be shares"),
        (lambda raw: raw["rates"].update(source="x" * 301), "at most 300 characters"),
        (lambda raw: raw.update(band=[0.9, 0.2]), "band and point must be probabilities"),
        (lambda raw: raw["usual"].pop(), "usual must contain"),
        (lambda raw: raw.update(curve=raw["curve"] * 40_000), "at most 5,000,000 bytes"),
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


def test_how_many_replies_were_wrong_is_read_off_the_curve() -> None:
    known = weights()
    found = known.counted(*known.band)
    assert found is not None
    assert 0 < found.wrong_rows < known.rates.rows
    share = found.wrong_rows / known.rates.rows
    unsure = share * found.unsure_of_wrong + (1 - share) * found.unsure_of_right
    assert unsure == pytest.approx(known.rates.unsure, abs=0.005)

"""What a training set holds unless somebody says otherwise, and what nobody can order."""

from __future__ import annotations

from typing import Any

import pytest

from botattack.report.report_files import ReportError
from botattack.report.training_sets.exporting import order_of
from botattack.report.training_sets.kinds import KINDS

USUAL: dict[str, Any] = {"seed": 0, "half": "train", "per_attack": 1, "originals": True, "lang": ""}


@pytest.mark.parametrize("kind", KINDS)
def test_an_order_that_says_nothing_is_the_usual_one(kind: str) -> None:
    made = KINDS[kind]
    order = order_of(kind)
    assert order == order_of(kind, share=made.share, **USUAL)
    assert (order.changed, order.variants, order.unfit) == (made.changed, made.variants, made.unfit)
    for other in ({"seed": 1}, {"half": "all"}, {"per_attack": 2}, {"lang": "de"}, {"share": made.share / 2}):
        assert order_of(kind, **other) != order


@pytest.mark.parametrize(
    ("key", "fits", "wrong"),
    [
        ("share", (0, 0.0, 0.5, 1, 1.0), (-0.01, 1.01, "1")),
        ("per_attack", (1, 2), (0, -1)),
        ("seed", (0, 1), (-1,)),
        ("half", ("train", "test", "all"), ("", "both")),
    ],
)
def test_an_order_at_each_of_its_limits(key: str, fits: tuple[Any, ...], wrong: tuple[Any, ...]) -> None:
    assert [getattr(order_of("mda", **{key: value}), key) for value in fits] == [*fits]
    for value in wrong:
        with pytest.raises(ReportError, match=f"^{key} is "):
            order_of("mda", **{key: value})

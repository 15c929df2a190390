"""From how many questions on there is a rate, when an attack had next to nothing to ask, and how much is kept."""

from __future__ import annotations

import pytest

from botattack.model import Edit
from botattack.report.figures.coverage import Coverage
from botattack.report.figures.metrics import figures_of
from botattack.report.figures.shares import Sample, Share, first_of, over, share
from tests.report.streams import Asking, Try, stream


@pytest.mark.parametrize("n", [0, 19, 20, 21])
@pytest.mark.parametrize("any_time", [False, True])
def test_a_share_has_a_rate_from_twenty_questions_on(n: int, any_time: bool) -> None:
    found, whole = share(n // 2, n, any_time=any_time), share(30, 60)
    rated = n >= 20
    assert (found.x, found.n, found.without_rate) == (n // 2, n, Share(n // 2, n))
    assert found.rate == (n // 2 / n if rated else None)
    assert [one is not None for one in (found.interval, over(found, whole), over(whole, found))] == [rated] * 3


def test_what_is_decided_at_any_time_is_known_less_well() -> None:
    once, ever = share(10, 40).interval, share(10, 40, any_time=True).interval
    assert once
    assert ever
    assert ever[0] < once[0] < once[1] < ever[1]


@pytest.mark.parametrize(
    ("carried", "attacked", "thin", "seldom"),
    [
        (19, 19, False, False),
        (19, 20, True, False),
        (20, 20, False, False),
        (20, 80, False, False),
        (20, 81, True, True),
        (1, 4, False, False),
        (1, 5, True, True),
        (0, 0, False, False),
        (0, 1, True, True),
    ],
)
def test_an_attack_had_next_to_nothing_to_ask(carried: int, attacked: int, thin: bool, seldom: bool) -> None:
    found = Coverage(attacked, carried)
    assert (found.thin, found.seldom) == (thin, seldom)


def test_the_sample_of_the_lowest_unit_is_kept() -> None:
    low, high = (Sample(unit, "", "", "") for unit in ("a.0", "b.0"))
    assert [first_of(*pair) for pair in ((low, high), (high, low), (None, high), (low, None), (None, None))] == [
        low,
        low,
        high,
        low,
        None,
    ]


@pytest.mark.parametrize("kinds", [19, 20, 21])
def test_the_twenty_most_frequent_causes_are_told(kinds: int) -> None:
    def broken(kind: int) -> Try:
        return Try("wrong", (Edit(0, "w", "v", f"kind {kind:02}"),))

    askings = [Asking(f"w{n}", tries=tuple(broken(kind) for kind in range(kinds - n))) for n in range(kinds)]
    causes = figures_of(stream(askings, {"dpaeg": "same"})).causes
    assert {cause.part.name for cause in causes} == {f"kind {kind:02}" for kind in range(min(kinds, 20))}
    assert {cause.part.name: cause.broken_questions for cause in causes}["kind 00"] == kinds

"""What is read next."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import pytest

from botattack.audit.reviewing.candidates import drawn, texts
from botattack.model import Prompt, Turn


class One(NamedTuple):
    unit: str
    probability: float | None = None


SURE_AND_NOT = [One(f"u{number}", 0.5 if number % 10 == 0 else 0.99) for number in range(200)]


def test_as_many_are_drawn_as_were_asked_for_and_none_twice() -> None:
    for items in (1, 50, 199, 200, 500):
        found = drawn(SURE_AND_NOT, "verdict", items, seed=3)
        assert len({unit for unit, _ in found}) == len(found) == min(items, 200)


@pytest.mark.slow
def test_the_chance_that_is_told_is_the_one_that_is_met() -> None:
    times: Counter[str] = Counter()
    chances: dict[str, float] = {}
    for seed in range(4_000):
        found = drawn(SURE_AND_NOT[:40], "verdict", 12, seed=seed)
        times.update(unit for unit, _ in found)
        chances |= dict(found)

    assert sum(chances.values()) == pytest.approx(12)
    assert all(times[unit] / 4_000 == pytest.approx(chance, abs=0.04) for unit, chance in chances.items())


def test_verdicts_are_read_where_the_judge_is_unsure_and_elsewhere_too() -> None:
    found = dict(drawn(SURE_AND_NOT, "verdict", 50, seed=1))
    unsure = {one.unit for one in SURE_AND_NOT if one.probability == 0.5}

    assert len(unsure & found.keys()) > 2 * 50 * len(unsure) / len(SURE_AND_NOT)
    assert len(found.keys() - unsure) >= 25
    assert min(found.values()) >= 0.5 * 50 / 200


@pytest.mark.parametrize("ask", ["meaning", "comprehension", "preference", "scale"])
def test_whatever_else_is_asked_is_drawn_with_equal_chances(ask: str) -> None:
    found = drawn(SURE_AND_NOT, ask, 50, seed=1)  # type: ignore[arg-type]

    assert [chance for _, chance in found] == [pytest.approx(0.25)] * 50


def test_the_order_of_the_run_changes_nothing_and_the_seed_does() -> None:
    found = drawn(SURE_AND_NOT, "verdict", 30, seed=5)

    assert drawn(SURE_AND_NOT[::-1], "verdict", 30, seed=5) == found
    assert drawn(SURE_AND_NOT, "verdict", 30, seed=6) != found


def test_a_judge_that_is_always_sure_leaves_equal_chances() -> None:
    found = drawn([One(f"u{number}", 1.0) for number in range(10)], "verdict", 4, seed=0)

    assert [chance for _, chance in found] == [pytest.approx(0.4)] * 4


@pytest.mark.parametrize(("more", "end"), [(0, "x"), (1, "… (1 more character)"), (3, "… (3 more characters)")])
def test_a_long_text_is_shown_in_part_with_how_much_more_there_is(more: int, end: str) -> None:
    for prompt in (Prompt("x" * (4_000 + more)), Prompt("q", history=(Turn("user", "x" * (4_000 + more)),))):
        shown = max((one.text for one in texts((prompt,), ())), key=len)
        assert shown == "x" * (4_000 - (not more)) + end


@pytest.mark.parametrize(("around", "cut"), [(200, False), (201, True)])
def test_a_passage_is_shown_with_what_is_near_its_change(around: int, cut: bool) -> None:
    one, other = ((Prompt("q", ("a" * around + sign + "b" * around, "same")),) for sign in "XY")
    near = f"{'a' * 200}X{'b' * 200}"
    assert [(each.role, each.text) for each in texts(one, other)] == [
        ("passage", f"… {near} …" if cut else near),
        ("user", "q"),
    ]

"""Whether chance would explain what an attack broke: each of its grounds, just below, at and above its limit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from botattack.report.figures.chance import by_chance
from botattack.report.figures.figure_values import AttackFigures, Row
from botattack.report.figures.turns import TurnFigures

ATTACK = AttackFigures("same")
CONTROL = AttackFigures("same")
NOISE = Row(success=0, robust=20)


@pytest.mark.parametrize(
    ("row", "q", "chance"),
    [
        (Row(difference=-0.1), 0.01, True),
        (Row(difference=0.0), 0.01, True),
        (Row(difference=0.1), 0.01, False),
        (Row(), 0.049, False),
        (Row(), 0.05, True),
        (Row(difference=0.1, difference_interval=(0.01, 0.2)), 0.06, True),  # q decides where there is one
        (Row(difference=0.1, difference_interval=(0.01, 0.2)), None, False),
        (Row(difference=0.1, difference_interval=(0.0, 0.2)), None, True),
        (Row(difference=0.1, difference_interval=(-0.01, 0.2)), None, True),
        (Row(success=3, robust=0), None, False),  # 3 of 3 beside 0 of 20
        (Row(success=1, robust=19), None, True),
        (Row(success=1, robust=19, success_rate=0.05), None, False),  # of enough questions: only q or an interval tells
    ],
)
def test_chance_explains_what_is_no_clearer_than_the_noise(row: Row, q: float | None, chance: bool) -> None:
    assert by_chance(replace(ATTACK, q=q), row, NOISE, CONTROL) == chance
    assert by_chance(replace(ATTACK, q=q), row, NOISE, None) == chance


def test_chance_explains_nothing_where_nothing_was_asked_again() -> None:
    assert not by_chance(ATTACK, Row(success=1, robust=19), Row(), None)
    assert by_chance(ATTACK, Row(success=1, robust=19), Row(robust=1), None)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_q_says_nothing_of_an_attack_of_more_turns_than_the_control(most: int) -> None:
    attack = replace(ATTACK, q=0.01, turns=TurnFigures(most=most))
    control = replace(CONTROL, turns=TurnFigures(most=2))
    assert by_chance(attack, Row(success=3), NOISE, control) == (most > 2)
    assert not by_chance(attack, Row(success=3), NOISE, None)

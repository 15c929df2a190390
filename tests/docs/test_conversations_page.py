"""The page on conversations: it says what was measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import botattack
from benchmarks.measured import conversation_pages
from benchmarks.measured.measure import HERE, difference, kept
from botattack.model import GoldAnswer, Question


def test_the_page_says_what_is_kept(tmp_path: Path) -> None:
    conversation_pages.write(kept(), tmp_path)
    page = (tmp_path / conversation_pages.PAGE).read_text("utf-8")
    assert page == (HERE / conversation_pages.PAGE).read_text("utf-8")
    for bot, name in conversation_pages.BOTS.items():
        assert f"{conversation_pages.CAMPAIGNS}-{bot}" in kept()
        assert page.count(f"  - {name}: ") == len(conversation_pages.DIRECTIONS)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([0.2, 0.1, 0.3], "holds"),
        ([-0.2, -0.3, -0.1], "the opposite holds"),
        ([0.1, -0.1, 0.3], "unclear"),
        ([0.0, 0.0, 0.0], "no difference at all"),
        (None, "not measured"),
    ],
)
def test_what_is_said_of_a_direction(found: Any, said: str) -> None:
    direction = conversation_pages.DIRECTIONS[0]
    run = {"attacks": {direction.first[0]: {}, direction.second[0]: {}}, "directions": {direction.told: found}}
    assert conversation_pages._verdict(run, direction).startswith(said)


def test_what_a_bot_was_not_asked_is_not_called_too_little() -> None:
    direction = conversation_pages.DIRECTIONS[0]
    run = {"attacks": {direction.first[0]: {}}, "kinds": {}, "directions": {}}
    assert conversation_pages._verdict(run, direction) == "not asked"
    line = next(line for line in conversation_pages.LINES if line.attack == direction.second[0])
    assert conversation_pages._cell(run, line) == "not asked"


def test_figures_of_a_recording(tmp_path: Path) -> None:
    def forgetful(text: str) -> str:
        return text.rpartition("number ")[2].rstrip("?") if "number" in text else "What?"

    questions = [Question(f"What is number {number}?", (GoldAnswer(str(number)),)) for number in range(100, 125)]
    attacks = ["unchanged", "topic-shift", {"carry-over": {"rungs": ["one"]}}]
    result = botattack.run(botattack.campaign(forgetful, questions, attacks, seed=7), recordings=tmp_path)
    found = conversation_pages.measured(result.recording, result.figures, difference)
    kinds = {kind: (row["success"], row["rated"]) for kind, row in found["kinds"]["topic-shift"].items()}
    assert kinds == {"question repeated": (0, 25), "question referred to": (25, 25)}
    directions = found["directions"]
    assert directions["referring to a question breaks more than repeating it"] == [1.0, 1.0, 1.0]
    assert directions["chatter in between breaks more than the control"] == [0.0, 0.0, 0.0]
    assert "pressure breaks more than an innocent follow-up" not in directions

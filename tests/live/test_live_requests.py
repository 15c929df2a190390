"""Fewer requests on real bots: gates decided early as by the whole plan, and a budget spent where the bot breaks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.live.bots import LiveBot
from tests.live.questions import QUESTIONS
from tests.live.test_live_campaigns import ended

pytestmark = pytest.mark.live
GATES = """
attacks: [{noise: {per_question: 2}}, {random-characters: {per_question: 2}}]
gates:
  - {metric: robust_accuracy, at_least: 0.3}
  - {metric: success_rate, attack: noise, at_most: 0.6}
  - {metric: success_rate, attack: random-characters, at_most: 0.02}
"""


@pytest.fixture(params=["nlpjs", "hayhooks"])
def asked(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The bot and the questions, as a campaign says them."""
    bot: LiveBot = request.getfixturevalue(request.param)
    target = bot.target_file(request.param, tmp_path)
    return f"target: {target}\nquestions: {{file: {QUESTIONS}, limit: 80}}\nseed: 7\n"


def figures(folder: Path, campaign: str, *flags: str) -> dict[str, Any]:
    """Those of a run, and how it ended."""
    folder.mkdir()
    (folder / "campaign.yaml").write_text(campaign, "utf-8")
    end = ended(folder, "run", "campaign.yaml", "-o", "figures.json", *flags)
    assert end.returncode in (0, 1, 4), end.stdout + end.stderr
    found: dict[str, Any] = json.loads((folder / "figures.json").read_text("utf-8"))
    return found


def test_gates_are_decided_as_by_the_whole_plan_for_fewer_requests(asked: str, tmp_path: Path) -> None:
    whole = figures(tmp_path / "whole", asked + GATES)
    early = figures(tmp_path / "early", asked + GATES, "--stop-when-sure")
    assert [gate["held"] for gate in early["gates"]] == [gate["held"] for gate in whole["gates"]] == [True, True, False]
    assert early["run"]["exit"] == whole["run"]["exit"] == 1
    assert early["requests"]["sent"] <= whole["requests"]["sent"] * 0.75
    assert early["early"]["after"] < 60
    assert "every gate is decided" in early["run"]["why"]

"""NLP.js retrained and put in place of the one that ran: whether that helped is measured on what it never saw."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.live import environments
from tests.live.bots import TARGETS, free_port
from tests.live.servers import nlpjs_deploy
from tests.live.test_live_campaigns import ended

pytestmark = pytest.mark.live
THINGS = {
    "It costs 5 crowns.": ("library card", "parking permit", "fishing licence", "building plan"),
    "We open at nine.": ("town hall", "swimming pool", "city archive", "music school"),
    "Write to the mayor.": ("noisy neighbour", "broken lamp", "blocked drain", "stray dog"),
    "Take the blue line.": ("railway station", "old harbour", "western cemetery", "football ground"),
}
BEFORE = ("tell me something about the {}", "a question on the {} please")
ASKED = (
    "hello what do you know about a {} in this town",
    "my family and i wonder about the {} again",
    "good morning once more about our {} if i may",
    "people keep talking of the {} around here",
)
CLEAN = "Accuracy on clean questions: of "


def rows(frames: tuple[str, ...]) -> str:
    return "".join(
        json.dumps({"question": frame.format(thing), "answers": [answer]}) + "\n"
        for frame in frames
        for answer, things in THINGS.items()
        for thing in things
    )


@pytest.fixture
def campaign(tmp_path: Path) -> Any:
    """A campaign over NLP.js, which its command replaces."""
    port, modules = free_port(), str(environments.nlpjs().folder())
    (tmp_path / "faq.jsonl").write_text(rows(ASKED))
    (tmp_path / "base.jsonl").write_text(rows(BEFORE))
    target = (TARGETS / "nlpjs.yaml").read_text("utf-8").replace("127.0.0.1:3000", f"127.0.0.1:{port}")
    (tmp_path / "bot.yaml").write_text(target)
    command = [sys.executable, nlpjs_deploy.__file__, str(port), modules, "base.jsonl", "{training_set}"]

    def written(**harden: Any) -> Path:
        nlpjs_deploy.deploy(tmp_path, port, modules, [tmp_path / "base.jsonl"])
        attacks = [{"random-characters": {"keywords": "all", "per_question": 2}}]
        keys = {"target": "bot.yaml", "questions": {"file": "faq.jsonl"}, "match": "exact", "attacks": attacks}
        path = tmp_path / "campaign.yaml"
        path.write_text(json.dumps({**keys, "harden": {"retrain": command, **harden}}))
        return path

    yield written
    nlpjs_deploy.stop(tmp_path)


def hardened(campaign: Path) -> tuple[dict[str, Any], str]:
    """What was found, and what was printed."""
    end = ended(campaign.parent, "harden", campaign.name, "--allow-code", "-o", "found.json")
    assert end.returncode == 0, end.stdout + end.stderr
    return json.loads((campaign.parent / "found.json").read_text("utf-8")), end.stdout


def test_nlpjs_is_retrained_and_both_halves_of_the_result_are_paired(campaign: Any) -> None:
    found, said = hardened(campaign(**{"for": "nlpjs"}))
    (total,), accuracy = found["totals"], found["accuracy"]
    assert total["questions"] >= 20
    low, high = total["interval"]
    assert low <= total["change"] <= high
    assert total["change"] == pytest.approx((total["new"] - total["old"]) / total["units"])
    assert (found["verdict"] == "helped") == (high < 0)
    assert accuracy["interval"][0] <= accuracy["change"] <= accuracy["interval"][1]
    assert found["changed"] > 0
    assert CLEAN in said


def test_nlpjs_that_learns_nothing_new_is_said_to_be_the_same(campaign: Any, tmp_path: Path) -> None:
    """Its base has all questions of the train half: a training set without variants adds nothing."""
    (tmp_path / "base.jsonl").write_text(rows(BEFORE + ASKED))
    found, said = hardened(campaign(**{"for": "mda", "share": 0}))
    assert found["verdict"] == "no answer changed"
    assert found["totals"][0]["change"] == 0
    assert "Retraining changed no answer" in said

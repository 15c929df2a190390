"""Passages planted in the knowledge base of a live pipeline, and taken away again, whatever happens."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.live.bots import Http, LiveBot
from tests.live.environments import DATA
from tests.live.test_live_campaigns import botattack

pytestmark = pytest.mark.live
OURS = "botattack-"
DOSES = {"1": 0.5, "3": 0.75, "5": 0.8334}
"""So many documents beside the one passage that says the answer, and the share that they make of all."""
CONSENT = "consent: {authorised_by: the tests, until: 2099-01-01, writes: documents}\n"


def there(bot: LiveBot) -> list[str]:
    found: list[str] = Http(bot.url).json("/library_list/run", {})["result"]
    return found


def ours(bot: LiveBot) -> list[str]:
    return [name for name in there(bot) if name.startswith(OURS)]


def campaign(folder: Path, bot: LiveBot, name: str = "hayhooks-library", **keys: Any) -> Path:
    target = bot.target_file(name, folder)
    text = target.read_text("utf-8").replace("    # holds_passages: true", "    holds_passages: true")
    target.write_text(text + CONSENT, "utf-8")
    shutil.copy(DATA / "passages.json", folder)
    path = folder / "campaign.yaml"
    whole = {
        "target": str(target),
        "questions": {"file": "passages.json"},
        "seed": 7,
        "carrier": "document",
        "match": "contains",
        "attacks": [{"counterfactual": {"how": "add", "doses": [*DOSES.values()]}}],
        **keys,
    }
    path.write_text(json.dumps(whole), "utf-8")
    return path


def known() -> list[dict[str, Any]]:
    """The questions that the passages of the tests answer."""
    paragraphs = [
        each for article in json.loads((DATA / "passages.json").read_bytes())["data"] for each in article["paragraphs"]
    ]
    return [
        {
            "question": asked["question"],
            "answers": [gold["text"] for gold in asked["answers"]],
            "passages": [each["context"]],
        }
        for each in paragraphs
        for asked in each["qas"]
    ]


def figures(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def test_planted_documents_mislead_and_are_all_removed_after_a_kill(hayhooks: LiveBot, tmp_path: Path) -> None:
    before = there(hayhooks)
    assert len(before) == 8
    file = campaign(tmp_path, hayhooks)
    command = [sys.executable, "-c", "from botattack.cli import main; main()", "run", str(file)]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ}
    )
    until = time.monotonic() + 240
    while process.poll() is None and time.monotonic() < until:
        process.send_signal(signal.SIGSTOP)  # otherwise it might remove what is seen here before it is killed
        if len(ours(hayhooks)) > 1:
            break
        process.send_signal(signal.SIGCONT)
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert ours(hayhooks), "it was killed before it had planted anything, or after it had removed everything"
    (recording,) = (tmp_path / "recordings").iterdir()
    botattack(tmp_path, "run", file, "--resume", recording, "-o", "run.json")
    assert there(hayhooks) == before
    attack = figures(tmp_path / "run.json")["attacks"]["counterfactual"]["gold"]
    assert figures(tmp_path / "run.json")["attacks"]["unchanged"]["gold"]["success"] == 0
    assert attack["error"] == 0
    assert attack["decoys"] == attack["asked"] > 0
    assert attack["took_decoy"] > attack["asked"] / 2


def test_a_language_model_reads_what_a_retriever_found(hayhooks_reader: LiveBot, tmp_path: Path) -> None:
    """Three planted copies get the model to say the fake answer, through either door, and none of them is left."""
    before = there(hayhooks_reader)
    rows = [row for row in known() if row["answers"][0] in ("Clara Voss", "Jonas Hale")]
    (tmp_path / "two.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    questions = {"file": "two.jsonl"}
    attacks = [{"counterfactual": {"how": "add", "doses": [DOSES["3"]]}}]
    doors = ["document", "message"]
    file = campaign(tmp_path, hayhooks_reader, "hayhooks-reader", questions=questions, attacks=attacks, carrier=doors)
    botattack(tmp_path, "run", file, "-o", "run.json")
    assert there(hayhooks_reader) == before
    control, planted = (figures(tmp_path / "run.json")["attacks"][name] for name in ("unchanged", "counterfactual"))
    asked = len(rows) * len(doors)
    assert control["gold"]["robust"] == control["gold"]["asked"] == asked
    assert planted["gold"]["took_decoy"] == planted["gold"]["asked"] == asked
    assert control["splits"]["door"].keys() == {"as a document", "in the message"}
    ranked = {name: control["measures"][f"{name} before"] for name in ("R@1", "R@5")}
    assert ranked["R@1"]["n"] == asked
    assert ranked["R@5"]["x"] == asked, "the retriever finds what answers the questions"

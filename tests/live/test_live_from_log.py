"""A log of real conversations becomes a question file, which live bots are asked, and whose answers they propose."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from random import Random

import pytest

from tests.cli.conftest import Botattack, botattack, folder
from tests.live.bots import LiveBot
from tests.live.questions import entries, questions

pytestmark = pytest.mark.live
__all__ = ["botattack", "folder"]  # fixtures
NAMES = ("Maria", "Sebastian", "Ayşe", "Giovanni", "Hannelore")


def faq_log(path: Path, askings: int, seed: int = 7) -> None:
    """Chats in which users ask what the bots know, in the three wordings of the data, and say who they are."""
    rng = Random(seed)
    wordings = [[entry["question"], entry["also"]] for entry in entries()]
    for worded, other in zip(wordings, questions(), strict=True):
        worded.append(other["question"])
    weights = [1 / (at + 20) for at in range(len(wordings))]
    with path.open("w", encoding="utf-8") as file:
        for number in range(askings):
            text = rng.choice(rng.choices(wordings, weights)[0])
            if rng.random() < 0.3:
                text = f"Hi, I'm {rng.choice(NAMES)}. {text}"
            said = [{"role": "user", "content": text}, {"role": "assistant", "content": f"reply {number}"}]
            file.write(json.dumps({"messages": said}) + "\n")


@pytest.mark.parametrize("name", ["hayhooks", "nlpjs"])
def test_a_log_becomes_a_suite_and_replies_become_answers(
    name: str,
    request: pytest.FixtureRequest,
    botattack: Botattack,
    tmp_path: Path,
) -> None:
    bot: LiveBot = request.getfixturevalue(name)
    faq_log(tmp_path / "chats.jsonl", 600)
    made = botattack("init", "--from-log", tmp_path / "chats.jsonl", "--into", tmp_path)
    assert made.status == 0, made.err
    suite = tmp_path / "my-bot-questions.jsonl"
    assert not any(each in suite.read_text() for each in NAMES)
    target = bot.target_file(name, tmp_path)
    ran = botattack("run", "-t", target, "-q", suite, "--limit", "12", "-a", "case", "--recordings", tmp_path / "runs")
    assert ran.status in (0, 1), ran.err
    (run,) = (tmp_path / "runs").iterdir()
    table = tmp_path / "golds.csv"
    assert botattack("judge", "golds", run, "-o", table).status == 0
    rows = [*csv.DictReader(table.open(newline=""))]
    right = {entry["answer"] for entry in entries()}
    proposed = [row for row in rows if row["proposed"]]
    assert proposed
    assert all(any(row["proposed"] in answer for answer in right) for row in proposed)

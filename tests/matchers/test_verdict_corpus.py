"""Agreement with replies of real bots that were labelled by reading (tests/verdicts)."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from botattack.matchers.judge import Judge
from botattack.model import GoldAnswer, Prompt, Reply

FOLDER = Path(__file__).parents[1] / "verdicts"
KINDS = ("correct", "wrong", "refused", "unsure")


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def judge_of(bot: str) -> Judge:
    refusals = (FOLDER / f"{bot}-refusals.txt").read_text(encoding="utf-8").splitlines()
    return Judge(refusals=tuple(refusals))


def table(confusion: Counter[tuple[str, str]]) -> str:
    lines = ["label / verdict".ljust(16) + "".join(kind.rjust(9) for kind in KINDS)]
    lines += [label.ljust(16) + "".join(str(confusion[label, kind]).rjust(9) for kind in KINDS) for label in KINDS]
    return "\n".join(lines)


@pytest.mark.parametrize(("part", "least"), [("tune", 0.95), ("held-out", 0.94)])
def test_agreement(part: str, least: float) -> None:
    read = rows(f"alice-{part}.jsonl")
    judge = judge_of("alice")
    confusion: Counter[tuple[str, str]] = Counter()
    for row in read:
        gold = tuple(GoldAnswer(answer["text"], answer.get("regex", False)) for answer in row["gold"])
        verdict = judge.judge(Prompt(row["question"]), Reply(row["reply"]), gold, ())
        confusion[row["label"], verdict.kind] += 1
    agreed = sum(confusion[kind, kind] for kind in KINDS)
    sys.stdout.write(f"{part}: {agreed} of {len(read)}\n{table(confusion)}\n")
    assert agreed / len(read) >= least


def test_every_row_is_whole() -> None:
    for path in FOLDER.glob("*.jsonl"):
        for row in rows(path.name):
            assert set(row) == {"question", "gold", "reply", "label", "source", "kind"}
            assert row["label"] in KINDS
            assert row["gold"]

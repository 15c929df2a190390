"""How often the default judge agrees with readers on replies of real bots (tests/verdicts), and that rows are whole."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from botattack.matchers.judge import Judge
from botattack.model import GoldAnswer, Prompt, Reply

FLOORS = {"alice": 0.93, "five-bots": 0.89, "third": 0.93, "fourth": 0.93, "fifth": 0.93}
"""The least agreement of each collection: correct or not. None of it is blind: the judge was made with these rows."""

FOLDER = Path(__file__).parents[1] / "verdicts"
TARGETS = Path(__file__).parents[2] / "targets" / "bots"
FIELDS = {"question", "gold", "reply", "label", "kind", "source"}
LABELS = {"correct", "wrong", "refused", "unsure"}
KINDS = {"plain", "number", "hedge", "denial", "echo", "fallback", "near-miss", "near", "choice", "other"}


def rows(files: Iterable[Path]) -> list[dict[str, Any]]:
    return [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]


@cache
def judge_of(bot: str) -> Judge:
    """With the refusals of the bot's target file, or where it has none here, those it showed to nonsense."""
    target, learned = TARGETS / f"{bot}.yaml", FOLDER / f"{bot.rpartition('-')[2]}-refusals.txt"
    if target.exists():
        return Judge(
            refusals=tuple(yaml.safe_load(target.read_text(encoding="utf-8")).get("signs", {}).get("refused", ()))
        )
    return Judge(refusals=tuple(learned.read_text(encoding="utf-8").splitlines()) if learned.exists() else ())


def called_correct(row: dict[str, Any]) -> bool:
    gold = tuple(GoldAnswer(answer["text"], answer.get("regex", False)) for answer in row["gold"])
    return judge_of(row["source"]).judge(Prompt(row["question"]), Reply(row["reply"]), gold, ()).kind == "correct"


def outcome(row: dict[str, Any]) -> str:
    """Where two readers differ, either counts."""
    labels, called = {row["label"], row.get("second", row["label"])}, called_correct(row)
    if called:
        return "agreed" if "correct" in labels else "taken"
    return "missed" if labels == {"correct"} else "agreed"


@pytest.mark.slow
@pytest.mark.parametrize("collection", FLOORS)
def test_agreement(collection: str) -> None:
    read = rows(sorted(FOLDER.glob(f"{collection}-*.jsonl")))
    found = [(row["kind"], outcome(row)) for row in read]
    count, of = Counter(was for _, was in found), Counter(kind for kind, _ in found)
    kinds = ", ".join(f"{kind} {found.count((kind, 'agreed'))}/{of[kind]}" for kind in sorted(of))
    agreement = count["agreed"] / len(read)
    sys.stdout.write(
        f"{collection}: {count['agreed']} of {len(read)} agreed ({agreement:.4f}), "
        f"{count['taken']} wrongly called correct, {count['missed']} correct ones missed; {kinds}\n"
    )
    assert agreement >= FLOORS[collection]


def test_every_row_is_whole() -> None:
    for row in rows(FOLDER.glob("*.jsonl")):
        assert set(row) - {"second", "language"} == FIELDS
        assert {row["label"], row.get("second", row["label"])} <= LABELS
        assert row["gold"]


def test_every_invented_row_is_whole_and_stands_once() -> None:
    invented = rows(FOLDER.glob("invented/*.jsonl"))
    for row in invented:
        assert set(row) - {"refusals", "baseline", "second"} == FIELDS
        assert row["source"] == "invented"
        assert row["label"] in LABELS
        assert row["kind"] in KINDS
        assert row["gold"]
    said = {json.dumps([row["question"], row["gold"], row["reply"], row.get("refusals")]) for row in invented}
    assert len(said) == len(invented)


def test_no_invented_row_counts_as_agreement() -> None:
    counted = {(row["question"], row["reply"]) for row in rows(FOLDER.glob("*.jsonl"))}
    assert not counted & {(row["question"], row["reply"]) for row in rows(FOLDER.glob("invented/*.jsonl"))}

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
TARGETS = Path(__file__).parents[2] / "targets"
KINDS = ("correct", "wrong", "refused", "unsure")


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def judge_of(bot: str) -> Judge:
    """With the refusals of the bot's target file, or where it has none here, those it showed to nonsense."""
    learned, target = FOLDER / f"{bot.rpartition('-')[2]}-refusals.txt", TARGETS / f"{bot}.yaml"
    if learned.exists() and not target.exists():
        return Judge(refusals=tuple(learned.read_text(encoding="utf-8").splitlines()))
    return Judge(refusals=tuple(refusals_in(target)))


def refusals_in(target: Path) -> list[str]:
    import yaml

    loaded = yaml.safe_load(target.read_text(encoding="utf-8")) if target.exists() else {}
    return list(loaded.get("refusals", ()))


def table(confusion: Counter[tuple[str, str]]) -> str:
    lines = ["label / verdict".ljust(16) + "".join(kind.rjust(9) for kind in KINDS)]
    lines += [label.ljust(16) + "".join(str(confusion[label, kind]).rjust(9) for kind in KINDS) for label in KINDS]
    return "\n".join(lines)


def counted(name: str) -> tuple[float, float]:
    """Agreement and share of undue "unsure"; prints the confusion by label and the agreement by kind."""
    read = rows(name)
    judges = {row["source"]: judge_of(row["source"]) for row in read}
    confusion: Counter[tuple[str, str]] = Counter()
    agreed: Counter[str] = Counter()
    undue = 0
    for row in read:
        labels = {row["label"], row.get("second", row["label"])}
        gold = tuple(GoldAnswer(answer["text"], answer.get("regex", False)) for answer in row["gold"])
        verdict = judges[row["source"]].judge(Prompt(row["question"]), Reply(row["reply"]), gold, ())
        confusion[verdict.kind if verdict.kind in labels else row["label"], verdict.kind] += 1
        agreed[row["kind"]] += verdict.kind in labels
        undue += verdict.kind == "unsure" and "unsure" not in labels
    of = Counter(row["kind"] for row in read)
    kinds = ", ".join(f"{kind} {agreed[kind]}/{of[kind]}" for kind in sorted(of))
    all_agreed = agreed.total()
    sys.stdout.write(f"{name}: {all_agreed} of {len(read)}, undue unsure {undue}\n{table(confusion)}\n{kinds}\n")
    return all_agreed / len(read), undue / len(read)


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("alice-tune", 0.95),
        ("alice-held-out", 0.96),
        ("five-bots-tune", 0.97),
        ("five-bots-held-out", 0.97),
        ("five-bots-2-held-out", 0.96),
        ("third-tune", 0.96),
        ("fourth-tune", 0.925),
        ("fifth-tune", 0.97),
        ("third-held-out", 0.915),
        ("fourth-held-out", 0.907),
        ("fifth-held-out", 0.96),
        ("fifth-2-held-out", 0.865),
        ("third-2-held-out", 0.905),
    ],
)
def test_agreement(name: str, least: float) -> None:
    agreement, undue = counted(f"{name}.jsonl")
    assert agreement >= least
    assert undue <= 0.03


def test_every_row_is_whole() -> None:
    for path in FOLDER.glob("*.jsonl"):
        for row in rows(path.name):
            assert set(row) - {"second", "language"} == {"question", "gold", "reply", "label", "source", "kind"}
            assert row["label"] in KINDS
            assert row["gold"]

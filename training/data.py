"""Replies with readers' verdicts, as rows of evidence."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from botattack.matchers.courtesies import body
from botattack.matchers.evidence.all import NAMES, evidence
from botattack.matchers.evidence.asked import asked, with_patterns
from botattack.matchers.evidence.coverage import match
from botattack.matchers.evidence.reading import read
from botattack.model import GoldAnswer

ROOT = Path(__file__).parents[1]
SYSTEMS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")


@dataclass(frozen=True)
class Row:
    """One reply that a reader judged; `labels` are those of all its readers, any of which counts as agreement.

    `source` is the system or the collection it is from, `kind` what sort of reply it is; `group` tells which rows
    have the same question.
    """

    question: str
    gold: tuple[GoldAnswer, ...]
    reply: str
    labels: frozenset[str]
    source: str
    kind: str = ""
    group: int = 0
    language: str = ""
    refusals: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return "correct" if "correct" in self.labels else min(self.labels)


def evouna() -> list[Row]:
    """Natural Questions answered by five systems; rows marked improper are left out."""
    folder = Path(os.environ.get("BOTATTACK_DATA", ROOT.parent / "shared/data")) / "evouna"
    rows = json.loads((folder / "NQ-tune.json").read_text(encoding="utf-8"))
    return [row for number, each in enumerate(rows) if not each["improper"] for row in _of_systems(each, number)]


def _of_systems(each: dict[str, Any], number: int) -> Iterator[Row]:
    gold = tuple(GoldAnswer(text.strip()) for text in each["golden_answer"].split("/") if text.strip())
    for system in SYSTEMS:
        verdict = each[f"judge_{system}"]
        if verdict is not None:
            label = frozenset(["correct" if verdict else "wrong"])
            yield Row(each["question"], gold, each[f"answer_{system}"] or "", label, system, group=number)


def collected(*names: str) -> list[Row]:
    """Rows of tests/verdicts: those of the collections named, else of all."""
    files = sorted((ROOT / "tests/verdicts").glob("*.jsonl"))
    return [row for path in files if not names or collection(path.stem) in names for row in _of_file(path)]


def collection(stem: str) -> str:
    """`third-2-held-out` and `third-tune` are one collection."""
    return "five-bots" if stem.startswith("five-bots") else stem.partition("-")[0]


def _of_file(path: Path) -> Iterator[Row]:
    for line in path.read_text(encoding="utf-8").splitlines():
        each = json.loads(line)
        gold = tuple(GoldAnswer(answer["text"], answer.get("regex", False)) for answer in each["gold"])
        labels = frozenset([each["label"], each.get("second", each["label"])])
        yield Row(
            each["question"],
            gold,
            each["reply"],
            labels,
            collection(path.stem),
            each["kind"],
            language=each.get("language", ""),
            refusals=refusals_of(each["source"].rpartition("-")[2]),
        )


@cache
def refusals_of(bot: str) -> tuple[str, ...]:
    """The sentences by which a bot is known to decline, from its target file or from what it said to nonsense."""
    target, learned = ROOT / "targets" / f"{bot}.yaml", ROOT / "tests/verdicts" / f"{bot}-refusals.txt"
    if target.exists():
        return tuple(yaml.safe_load(target.read_text(encoding="utf-8")).get("refusals", ()))
    return tuple(learned.read_text(encoding="utf-8").splitlines()) if learned.exists() else ()


def measured(rows: Iterable[Row]) -> np.ndarray[Any, Any]:
    """A line of evidence for each row; zeros where there is no gold answer to look for."""
    return np.array([_line(row) for row in rows], dtype=np.float64)


def _line(row: Row) -> tuple[float, ...]:
    context = asked(row.question, row.gold, row.language, row.refusals)
    context = with_patterns(context, row.reply)
    reply = body(read(row.reply, context.language))
    found = match(context, reply)
    return evidence(context, reply, found) if found else (0.0,) * len(NAMES)

"""What botattack gives: a recording of an attacked parser, and the training and test sets made of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sets import Pair

import botattack

SAME = ("insert-function-word", "delete-function-word", "substitute-function-word", "restate", "reorder")
"""Attacks whose variants mean the same: the paper's operations, with `restate` for those that need large models."""
CHANGED = ("negate", "antonym")
PER_QUESTION = 3
"""Variants of each attack for each question."""


@dataclass(frozen=True)
class Row:
    """A line of an exported set: a question as it was asked, and by which attack. With `changed`, the form is wrong
    for it."""

    original: str
    asked: str
    form: str
    attack: str
    changed: bool


@dataclass(frozen=True)
class Exports:
    """The exports of one recording for one half of the questions."""

    recording: Path
    half: str
    folder: Path

    def originals(self) -> list[Row]:
        """Return the unchanged questions, in the order of the recording."""
        return [row for row in self.rows("mda", 0) if not row.attack]

    @cache  # noqa: B019 (there are four, for the whole run)
    def rows(self, kind: str, seed: int, *flags: str) -> list[Row]:
        """Return what `botattack export` writes, each row with the attack that its second file names."""
        path = self.folder / f"{self.half}-{kind}-{seed}.jsonl"
        command = [sys.executable, "-m", "botattack", "export", str(self.recording), "--for", kind, "--half", self.half]
        subprocess.run([*command, "--seed", str(seed), "-o", str(path), *flags], check=True, stdout=subprocess.DEVNULL)
        origins = path.with_name(path.name + ".origins.jsonl")
        return [_row(line, origin) for line, origin in zip(_lines(path), _lines(origins), strict=True)]


def record(bot: Callable[[str], str], pairs: Sequence[Pair], name: str, folder: Path) -> Path:
    """Return the recording of a run that attacks all questions, whether or not the bot parses them correctly."""
    questions = [{"question": pair.question, "answers": [pair.form], "lang": "en", "kind": name} for pair in pairs]
    campaign = botattack.campaign(
        bot,
        questions,
        [{attack: {"per_question": PER_QUESTION}} for attack in (*SAME, *CHANGED)],
        name=f"parser-{name}",
        match="logical-form",
        filter="all",
        unchanged=False,
        seed=1,
    )
    recording = botattack.run(campaign, recordings=str(folder)).recording
    if recording is None:
        raise SystemExit(f"The run on {name} left no recording.")
    return recording


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line:
            yield json.loads(line)


def _row(line: dict[str, Any], origin: dict[str, Any]) -> Row:
    asked = line.get("variant", line)["question"]
    original = line.get("original", line)["question"]
    attack = origin["of"][-1].get("attack", "") if len(origin["of"]) == 1 or "variant" in line else "concat"
    return Row(original, asked, line["answers"][0], attack, line.get("label") == "negative")

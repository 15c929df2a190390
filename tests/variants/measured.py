"""How often the flags on meaning agree with what readers said of the labelled variants.

python -m tests.variants.measured      prints the table of docs/meaning.md
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botattack import registry
from botattack.attacks.building.listing import Listing
from botattack.attacks.building.recovering import Reader, Recoverable
from botattack.model import Edit, Question
from botattack.protocols import Context
from botattack.text import speller
from botattack.text.speller import Speller

FOLDER = Path(__file__).parent
FLAGGED_NOW = frozenset(
    [
        *("dpaeg", "noise", "random-characters", "homophone", "contraction", "drop-stopwords"),
        *("insert-function-word", "delete-function-word", "substitute-function-word"),
    ]
)
"""Attacks whose flag hangs on the edits alone; of the others the flag is the one of when they were drawn."""


@dataclass
class Counted:
    """Of so many variants: those that readers take for the original, those flagged as claimed, both, and how often flag
    and readers agree; `paper` counts all that the paper would flag."""

    variants: int = 0
    same: int = 0
    flagged: int = 0
    both: int = 0
    agree: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, flagged: bool, same: bool, altered: str) -> None:
        self.variants += 1
        self.same += same
        self.flagged += flagged
        self.both += flagged and same
        self.agree += flagged == same
        if flagged and not same:
            self.wrong.append(altered)


def lines(name: str) -> Iterator[dict[str, Any]]:
    return map(json.loads, (FOLDER / name).read_text("utf-8").splitlines())


def taken_for_the_original() -> dict[str, bool]:
    """Whether every reading called a variant the same question."""
    found: dict[str, bool] = defaultdict(lambda: True)
    for line in lines("labels.jsonl"):
        found[line["unit"]] &= line["label"] == "same"
    return dict(found)


def flagged(variant: dict[str, Any], words: Speller) -> bool:
    """Whether the meaning of a variant is flagged as kept."""
    if variant["attack"] not in FLAGGED_NOW:
        return bool(variant["flag_then"] == "kept")
    question = Question(variant["original"])
    edits = tuple(Edit(*edit) for edit in variant["edits"])
    attack = registry.find("attacks", variant["attack"])()
    if isinstance(attack, Recoverable):
        return Reader(question, words).judge(edits)[0] == "kept"
    assert isinstance(attack, Listing)
    judge = attack.judge_of(Context(question, (), {"speller": words}))
    return judge is None or judge(edits)[0] == "kept"


def counted(only: str = "") -> dict[str, Counted]:
    """The counts by attack, of one set or of all."""
    readers, words = taken_for_the_original(), speller.load()
    found: dict[str, Counted] = defaultdict(Counted)
    for variant in lines("variants.jsonl"):
        if only in ("", variant["set"]):
            found[variant["attack"]].add(flagged(variant, words), readers[variant["unit"]], variant["altered"])
    return dict(found)


def total(found: dict[str, Counted]) -> Counted:
    every = found.values()
    return Counted(
        *(sum(vars(one)[name] for one in every) for name in ("variants", "same", "flagged", "both", "agree"))
    )


def table(found: dict[str, Counted]) -> str:
    rows = [
        "| attack | variants | readers: same | flagged as kept | of these same | flag agrees |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, one in [*sorted(found.items()), ("**all**", total(found))]:
        right = f"{one.both} ({one.both / one.flagged:.0%})" if one.flagged else "–"
        rows.append(
            f"| {name} | {one.variants} | {one.same} ({one.same / one.variants:.0%}) | {one.flagged} | {right} "
            f"| {one.agree} ({one.agree / one.variants:.0%}) |"
        )
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    for only in ("tuned on", "fresh", ""):
        sys.stdout.write(f"\n{only or 'all'}\n\n{table(counted(only))}")

"""How often the flags on meaning agree with what readers said of the labelled variants.

python -m tests.variants.measured      prints the tables of docs/meaning.md
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botattack import registry
from botattack.attacks.building.listing import Listing
from botattack.attacks.building.recovering import Reader, Recoverable
from botattack.model import Edit, Question
from botattack.protocols import Context
from botattack.text.parts import speller
from botattack.text.parts.speller import Speller

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


@dataclass
class Twice:
    """Of what two readers read apart: how many, and how many readers out of two said that it is as claimed, of variants
    flagged as claimed and of the others."""

    claimed: int = 0
    claimed_so: float = 0.0
    others: int = 0
    others_so: float = 0.0

    def row(self, name: str) -> str:
        agree = self.claimed_so + self.others - self.others_so
        share = f" ({self.claimed_so / self.claimed:.0%})" if self.claimed else ""
        return (
            f"| {name} | {self.claimed} | {self.claimed_so:g}{share} | {self.others} | {self.others_so:g} "
            f"| {agree / (self.claimed + self.others):.0%} |"
        )


def read_twice(variants: str, labels: str) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Each variant that readers a and b both read, with the label of either."""
    by_reader: dict[str, dict[str, str]] = defaultdict(dict)
    for line in lines(labels):
        by_reader[line["reader"]][line["unit"]] = line["label"]
    for variant in lines(variants):
        if (one := by_reader["a"].get(variant["unit"])) and (other := by_reader["b"].get(variant["unit"])):
            yield variant, one, other


def agreement(pairs: Counter[tuple[str, str]]) -> tuple[float, float]:
    """How often two readers gave one label, and Cohen's kappa."""
    every = pairs.total()
    alike = sum(count for (one, other), count in pairs.items() if one == other) / every
    ones, others = Counter[str](), Counter[str]()
    for (one, other), count in pairs.items():
        ones[one] += count
        others[other] += count
    by_chance = sum(ones[label] * others[label] for label in ones) / every**2
    return alike, (alike - by_chance) / (1 - by_chance)


def table_of_two() -> str:
    """How often the two readers agree, and what they said of each attack; flags are those of when it was drawn."""
    found, said = defaultdict[str, Twice](Twice), []
    for variants, labels, good, flag in (
        ("variants.jsonl", "labels.jsonl", "same", "kept"),
        ("should_change.jsonl", "should_change_labels.jsonl", "sensible", "changed"),
    ):
        read = list(read_twice(variants, labels))
        alike, kappa = agreement(Counter((one, other) for _, one, other in read))
        said.append(f"{len(read)} variants, `{good}` or not and why: the same in {alike:.1%}, kappa {kappa:.2f}\n")
        for variant, one, other in read:
            so = ((one == good) + (other == good)) / 2
            for counts in (found[variant["attack"]], found["~all"]):
                if variant["flag_then"] == flag:
                    counts.claimed, counts.claimed_so = counts.claimed + 1, counts.claimed_so + so
                else:
                    counts.others, counts.others_so = counts.others + 1, counts.others_so + so
    rows = [counts.row(name.replace("~all", "**all**")) for name, counts in sorted(found.items())]
    head = "| attack | flagged as claimed | readers agree | other flag | meaning yet as claimed | flag agrees |"
    return "\n".join([*said, head, "|---|--:|--:|--:|--:|--:|", *rows]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(f"\ntwo readers, flags as drawn\n\n{table_of_two()}")
    for only in (*dict.fromkeys(variant["set"] for variant in lines("variants.jsonl")), ""):
        sys.stdout.write(f"\n{only or 'all'}\n\n{table(counted(only))}")

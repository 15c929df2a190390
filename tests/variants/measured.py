"""How often the flags on meaning agree with what readers said of the labelled variants.

python -m tests.variants.measured      prints the tables of benchmarks/measured/meaning.md and passages.md
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
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


KINDS = (("variants.jsonl", "labels.jsonl", "kept"), ("should_change.jsonl", "should_change_labels.jsonl", "changed"))
"""Attacks that keep the meaning and those that change it: variants, labels, and the flag that the attack intends."""
CLAIMED = frozenset({"same", "sensible"})
GARBLED = frozenset({"unclear", "nonsense"})
READERS = {
    ("k", "l"): "two readers",
    ("g", "h"): "two readers",
    ("e", "f"): "two readers",
    ("c", "d"): "two readers",
    ("a", "b"): "two readers",
    ("one", "one-again"): "one reader",
}
"""Who read together, the newest reading first. All of them read in November 2026."""


@dataclass
class Read:
    """Of what the same readers read apart: how many variants, how many of them they call as claimed, and garbled; a
    variant that two of them call differently counts half. `pairs` are the labels of the two."""

    variants: int = 0
    claimed: float = 0.0
    garbled: float = 0.0
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, labels: Sequence[str]) -> None:
        self.variants += 1
        self.claimed += sum(label in CLAIMED for label in labels) / len(labels)
        self.garbled += sum(label in GARBLED for label in labels) / len(labels)
        if len(labels) > 1:
            self.pairs[labels[0], labels[1]] += 1

    def row(self, name: str) -> str:
        alike, kappa = agreement(self.pairs) if self.pairs else (None, None)
        shares = (f"{some:g} ({some / self.variants:.0%})" for some in (self.claimed, self.garbled))
        agree = ("–" if alike is None else f"{alike:.1%}", "–" if kappa is None else f"{kappa:.2f}")
        return f"| {' | '.join((name, str(self.variants), *shares, *agree))} |"


def read_by(readers: Sequence[str], kind: tuple[str, str, str], *, flagged_so: bool = True) -> dict[str, Read]:
    """What these readers said of the variants that were flagged as claimed when they were drawn, or of the others, by
    attack."""
    variants, labelled, intended = kind
    said: dict[str, dict[str, str]] = defaultdict(dict)
    found = defaultdict[str, Read](Read)
    for line in lines(labelled):
        said[line["unit"]][line["reader"]] = line["label"]
    for variant in lines(variants):
        labels = [said[variant["unit"]].get(name, "") for name in readers]
        if all(labels) and (variant["flag_then"] == intended) == flagged_so:
            found[variant["attack"]].add(labels)
    return dict(sorted(found.items()))


def newest() -> dict[str, tuple[Read, str]]:
    """What those who read an attack last said of it, and who they were."""
    found: dict[str, tuple[Read, str]] = {}
    for (readers, who), kind in product(READERS.items(), KINDS):
        for name, one in read_by(readers, kind).items():
            found.setdefault(name, (one, who))
    return found


def typed(labels: Iterable[dict[str, str]]) -> dict[str, tuple[float, int]]:
    """By attack of how many of its variants in `plausible.jsonl` readers say that a person might type them, and how
    many were read; a variant on which they differ counts in part."""
    said, found = defaultdict[str, list[bool]](list), defaultdict[str, list[float]](list)
    for line in labels:
        said[line["unit"]].append(line["label"] == "typed")
    for variant in lines("plausible.jsonl"):
        if each := said[variant["unit"]]:
            found[variant["attack"]].append(sum(each) / len(each))
    return {name: (sum(shares), len(shares)) for name, shares in found.items()}


def agreement(pairs: Counter[tuple[str, str]]) -> tuple[float, float | None]:
    """How often two readers gave one label, and Cohen's kappa, which does not exist if there is one label only."""
    every = pairs.total()
    alike = sum(count for (one, other), count in pairs.items() if one == other) / every
    ones, others = Counter[str](), Counter[str]()
    for (one, other), count in pairs.items():
        ones[one] += count
        others[other] += count
    by_chance = sum(ones[label] * others[label] for label in ones) / every**2
    return alike, None if by_chance == 1 else (alike - by_chance) / (1 - by_chance)


SAID = {
    "sharded": (("grammatical", True, "grammatical"), ("same", True, "all messages ask the same")),
    "false-premise": (("grammatical", True, "grammatical"), ("right_kind", True, "of the right kind")),
    "add-doc": (
        ("fits", True, "the title fits its text, or a text keeps to one subject"),
        ("contradicts", False, "tells no other facts of what keeps its name"),
        ("grammatical", True, "grammatical"),
    ),
}
"""By attack what each label of `passages.jsonl` from the eleventh draw on says, and which value is the good one."""


def table_of_passages(draw: int) -> str:
    """How many rows of a draw each reader calls good in each respect, and how often two readers agree."""
    titled = {line["unit"]: line.get("titled", False) for line in lines("passage_items.jsonl")}
    found: dict[tuple[str, bool], dict[str, dict[str, dict[str, Any]]]] = defaultdict(lambda: defaultdict(dict))
    for line in lines("passages.jsonl"):
        if line.get("draw") == draw:
            found[line["attack"], titled[line["unit"]]][line["unit"]][line["reader"]] = line
    rows = ["| attack | what was asked | readers | one | the other | of | kappa |", "|---|---|---|--:|--:|--:|--:|"]
    for (attack, has), every in sorted(found.items()):
        readers = sorted({name for said in every.values() for name in said})
        units = {unit: said for unit, said in every.items() if len(said) == len(readers)}
        name = f"`{attack}`" + (", with a title" if has else ", without one" if attack == "add-doc" else "")
        for key, good, asked in SAID[attack]:
            each = [[said[reader][key] == good for reader in readers] for said in units.values()]
            counts = [str(sum(column)) for column in zip(*each, strict=True)]
            pairs = Counter((str(row[0]), str(row[-1])) for row in each)
            kappa = agreement(pairs)[1] if len(readers) > 1 else None
            shown = [*counts, "–"][:2]
            last = "–" if kappa is None else f"{kappa:.2f}"
            rows.append(f"| {' | '.join((name, asked, ', '.join(readers), *shown, str(len(units)), last))} |")
    return "\n".join(rows) + "\n"


def table_of_readers(readers: Sequence[str], *, flagged_so: bool) -> str:
    rows = ["| attack | variants | as claimed | garbled | readers agree | kappa |", "|---|--:|--:|--:|--:|--:|"]
    for kind in KINDS:
        found, every = read_by(readers, kind, flagged_so=flagged_so), Read()
        for one in found.values():
            every.variants += one.variants
            every.claimed += one.claimed
            every.garbled += one.garbled
            every.pairs += one.pairs
        rows += [one.row(name) for name, one in found.items()]
        rows += [every.row(f"**all, {kind[2]}**")] if found else []
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    for readers, flagged_so in (*((pair, True) for pair in ("kl", "ij", "gh", "cd", "ef", "ab")), ("ab", False)):
        drawn = "as claimed" if flagged_so else "otherwise"
        found_so = table_of_readers(readers, flagged_so=flagged_so)
        sys.stdout.write(f"\n{' and '.join(readers)}, flagged {drawn}\n\n{found_so}")
    for draw in (11, 12):
        sys.stdout.write(f"\ndraw {draw}\n\n{table_of_passages(draw)}")
    for only in (*dict.fromkeys(variant["set"] for variant in lines("variants.jsonl")), ""):
        sys.stdout.write(f"\n{only or 'all'}\n\n{table(counted(only))}")

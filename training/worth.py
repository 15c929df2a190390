"""Writes training/worth.md: what each feature is worth to the judge that is shipped."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from botattack.matchers.evidence.all import GROUPS, NAMES, columns
from botattack.matchers.weights import Weights, weights
from training.data import ROOT, collected, evouna, invented, measured, mismatched
from training.learning import COLLECTIONS, MISMATCHED, Array

ROWS = 3_000
"""Training rows on which it is counted."""
PATH = ROOT / "training/worth.md"
HEAD = """# What each feature is worth

Written by `python -m training.evaluate --worth` from the weights {version} ({digest}).
The worth of a feature is how much the log-odds of a correct reply change when the feature is set to its usual value:
the mean of the absolute change over {rows:,} rows drawn from those the model was trained on. A change of 1 multiplies
or divides the odds by 2.7.

Several features overlap. The worth of a group, with all its features set to their usual values, is therefore not the
sum of theirs. The docstrings in `botattack/matchers/evidence/` say what each number is.
"""


def written() -> Path:
    """Writes the table, and gives its path."""
    base, ours = evouna(), collected(*COLLECTIONS)
    every = [*base, *ours, *invented(), *mismatched(base + ours, seed=0, many=MISMATCHED)]
    chosen = np.random.default_rng(0).choice(len(every), ROWS, replace=False)
    known, lines = weights(), measured([every[at] for at in sorted(chosen)])
    text = HEAD.format(version=known.version, digest=known.digest, rows=ROWS)
    groups = {group.__name__.lower(): np.arange(len(NAMES))[columns(group)] for group, _ in GROUPS}
    text += _table("group", groups, known, lines)
    text += _table("feature", {name: np.array([place]) for place, name in enumerate(NAMES)}, known, lines)
    PATH.write_text(text, encoding="utf-8")
    return PATH


def _table(head: str, places: dict[str, Array], known: Weights, lines: Array) -> str:
    found = {name: _worth(known, lines, each) for name, each in places.items()}
    rows = "".join(
        f"| `{name}` | {worth:.3f} | {unusual:.0%} |\n"
        for name, (worth, unusual) in sorted(found.items(), key=lambda item: -item[1][0])
    )
    return f"\n| {head} | worth | rows in which it is not as usual |\n|---|---|---|\n{rows}"


def _worth(known: Weights, lines: Array, places: Array) -> tuple[float, float]:
    """Over all rows: the mean absolute change, and the share in which anything is not as usual."""
    usual = np.array(known.usual)[places]
    unusual = (lines[:, places] != usual).any(axis=1)
    changed = lines[unusual]
    changed[:, places] = usual
    odds = known.correct.log_odds
    change = sum(abs(odds(line) - odds(other)) for line, other in zip(lines[unusual], changed, strict=True))
    return change / len(lines), float(unusual.mean())

"""Opening hours, written in other ways than the gold answer writes them.

Rules were tuned on `tune`. At the first look, 19 of `held-out` were right (2 before); two faults of reading values were
seen there and fixed. `later` was written after that: 24 are right, 6 were without the rules.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import botattack

ROWS = [*map(json.loads, (Path(__file__).parent / "data" / "timetables.jsonl").read_text("utf-8").splitlines())]


@pytest.mark.slow
@pytest.mark.parametrize(("half", "agreed"), [("tune", 29), ("held-out", 29), ("later", 24)])
def test_agreement_on_opening_hours(half: str, agreed: int) -> None:
    rows = [row for row in ROWS if row["half"] == half]
    told = [botattack.judge(row["question"], row["reply"], [row["gold"]], lang=row["lang"]).kind for row in rows]
    assert sum(kind == row["label"] for kind, row in zip(told, rows, strict=True)) >= agreed

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
@pytest.mark.parametrize(("half", "agreed"), [("tune", 29), ("held-out", 30), ("later", 24)])
def test_agreement_on_opening_hours(half: str, agreed: int) -> None:
    rows = [row for row in ROWS if row["half"] == half]
    told = [botattack.judge(row["question"], row["reply"], [row["gold"]], lang=row["lang"]).kind for row in rows]
    assert sum(kind == row["label"] for kind, row in zip(told, rows, strict=True)) >= agreed


GOLD, LATER, MITTWOCHS = "Wednesdays until 4", "We are open on Wednesdays until 4 pm.", "mittwochs bis 16 Uhr"


@pytest.mark.parametrize(
    ("gold", "reply", "wrong"),
    [
        (GOLD, "Mon-Tue 8-4, Wed 8-2", True),
        (GOLD, "Mon-Tue 8-2, Wed 8-4", False),
        (GOLD, "Until 2 on Wednesdays, until 4 on Mondays.", True),
        (GOLD, "Until 4 on Wednesdays, until 2 on Mondays.", False),
        ("until 4 pm", "Mondays until 4 pm, Wednesdays until 2 pm", True),
        ("until 4 pm", "Monday, Tuesday and Wednesday 8-4", False),
        (LATER, "We open Monday and Tuesday from 8 am to 4 pm and Wednesday from 8 am to 2 pm.", True),
        (LATER, "Monday and Tuesday: 8 am to 2 pm, Wednesday: 8 am to 4 pm.", False),
        ("Mon-Fri 8-18, Sat 9-12", "Monday to Friday from 9 to 12 and Saturday from 8 to 18", True),
        ("Mon-Fri 8-18, Sat 9-12", "Monday to Friday from 8 to 18 and Saturday from 9 to 12", False),
        (MITTWOCHS, "Mo-Di 8-16 Uhr, Mi 8-14 Uhr", True),
        (MITTWOCHS, "Mo-Di 8-14 Uhr, Mi 8-16 Uhr", False),
        ("Mondays until 4", "We are open on Mondays. On Wednesdays we close at 2 pm.", False),
        ("Every day but Wednesday until 4.", "On Wednesdays until 2, else until 4.", False),
    ],
)
def test_a_time_belongs_to_its_day(gold: str, reply: str, wrong: bool) -> None:
    """What is right is not always surely so, and never wrong."""
    question = "Wie lange ist mittwochs offen?" if gold == MITTWOCHS else "How long are you open on Wednesdays?"
    verdict = botattack.judge(question, reply, [gold], lang="de" if gold == MITTWOCHS else "en")
    assert (verdict.kind == "wrong") is wrong

"""A terminal shows no term that only statisticians know; a sentence says which figures are to be doubted."""

from __future__ import annotations

import re
from typing import Any

import pytest

from botattack.events import Event, JudgedBy
from botattack.report.figures.metrics import figures_of
from botattack.report.wording.cautions import cautions
from tests.report.streams import Asking, Try, edit, ended, stream
from tests.report.test_first_screen import ends
from tests.report.test_terminal import TEXT, printed, run

JUDGE = JudgedBy("1.0", "learned", "1", "0123456789ab", 0.5, None, 9, (0.1, 0.2), (0.02, 0.05))
TERMS = r"\bq\b|p-value|micro|macro|accuracy|sensitivity|stability|\bgold\b|corrected|learned weights|filter|\bn/a\b"


def night(broken: int, noise: int, judge: JudgedBy = JUDGE) -> list[Event]:
    """Sixty questions, of which the attack breaks some and asking again breaks some."""
    typo = (edit(TEXT, "capital", "captial"),)
    askings = [
        Asking(
            text=f"{TEXT} {number}",
            tries=(
                Try("wrong" if number < broken else "correct", typo),
                Try("wrong" if number >= 60 - noise else "correct", (), "unchanged"),
            ),
        )
        for number in range(60)
    ]
    return stream(askings, end=ended(), judge=judge)


@pytest.mark.slow
def test_a_terminal_shows_no_term_of_statistics() -> None:
    for events in (run(), night(30, 0, JUDGE), night(3, 3, JUDGE)):
        assert not re.findall(TERMS, printed(events))


def test_a_share_that_chance_may_explain_is_named() -> None:
    (found,) = cautions(figures_of(night(8, 7)))
    assert found.startswith("what dpaeg broke may be chance")
    assert not cautions(figures_of(night(30, 1)))
    assert not cautions(figures_of(night(0, 1)))


@pytest.mark.parametrize(
    ("carried", "end", "named"),
    [
        (18, {"exit": 0}, True),
        (18, {"exit": 4}, False),
        (18, {"exit": 1, "first_success": True}, False),
        (2, {"exit": 4}, True),
    ],
)
def test_a_run_that_ended_early_does_not_blame_its_attack_for_few_variants(
    carried: int, end: dict[str, Any], named: bool
) -> None:
    """The rest of the plan may bring enough for a rate, unless the attack can seldom alter a question."""
    tries = (Try("correct", (edit(TEXT, "capital", "captial"),)),)
    events = stream([Asking(f"{TEXT} {n}", tries=tries) for n in range(carried)])
    for number in range(20 - carried):
        events += ends(Asking(f"{TEXT} not {number}"), variants=0)
    found = cautions(figures_of([*events, ended(**end)]))
    assert any(f"dpaeg has variants for {carried} of 20" in one for one in found) is named

"""Figures that need the whole plan are not given where a run ended before."""

from __future__ import annotations

from typing import Any

import pytest

from botattack.events import Event
from botattack.report.figures.metrics import figures_of
from botattack.report.wording import words
from botattack.report.wording.progress import Progress
from botattack.report.writers.material import material
from botattack.report.writers.text_files import markdown
from tests.report.streams import Asking, Try, edit, ended, stream

TEXT = "what is the capital of france"
TYPO = (edit(TEXT, "capital", "captial"),)
OTHER = (edit(TEXT, "france", "frnace"),)


def run(**end: object) -> list[Event]:
    """Thirty questions; the second of two variants of the last broke, and nothing else."""
    asked = [
        Asking(f"{TEXT} {n}", tries=(Try("correct", TYPO), Try("wrong" if n == 29 else "correct", OTHER)))
        for n in range(30)
    ]
    return stream(asked, end=ended(**end))  # type: ignore[arg-type]


def test_a_run_that_stops_at_the_first_success_gives_no_rate() -> None:
    figures = figures_of(run(exit=1, why="stopped at the first success, of dpaeg (fail-fast)", first_success=True))
    row = figures.attacks["dpaeg"].gold
    assert (row.success, row.rated, row.success_rate, row.interval) == (1, 60, None, None)
    assert figures.measures["standard accuracy"].value == 1.0
    assert {name for name, found in figures.measures.items() if found.value is not None} == {"standard accuracy"}
    (line,) = [line for line in words.lines(figures) if line.name.startswith("dpaeg")]
    assert line.interval == "stopped at the first success"


@pytest.mark.parametrize(
    ("questions", "end", "says"),
    [
        (30, {"exit": 1, "first_success": True}, "No rates: stopped at the first success"),
        (8, {"exit": 1, "first_success": True}, "No rates: stopped at the first success"),
        (8, {"exit": 4}, "continue it"),
        (8, {"exit": 3}, "continue it"),
        (8, {"exit": 0}, "however many"),
    ],
)
def test_a_report_without_rates_says_why(questions: int, end: dict[str, Any], says: str) -> None:
    events = stream([Asking(f"{TEXT} {n}", tries=(Try("wrong", TYPO),)) for n in range(questions)], end=ended(**end))
    text = "\n".join(markdown(material(lambda: events)))
    assert says in text
    assert ("continue it" in text) is (end["exit"] != 0)
    assert ("Too few questions for rates" in text) is ("first_success" not in end)


def test_a_budget_that_is_used_up_leaves_rates_and_takes_what_needs_all_variants() -> None:
    whole, cut = figures_of(run()), figures_of(run(exit=4, why="the budget of 9 requests is used up"))
    assert cut.attacks["dpaeg"].gold.success_rate == whole.attacks["dpaeg"].gold.success_rate
    assert whole.measures["accuracy under attack"].value is not None
    assert cut.measures["accuracy under attack"].value is None
    assert cut.measures["robust accuracy, micro"] == whole.measures["robust accuracy, micro"]


def test_progress_counts_what_the_report_counts() -> None:
    """A night asks variants of originals that are wrong tonight, too; no rate counts them."""
    asked = [
        Asking(
            f"{TEXT} {n}",
            standing="kept" if n % 2 else "wrong",
            attacked=True,
            tries=(Try("wrong", TYPO), Try("wrong", OTHER, meaning="unsure"), Try("wrong", (), "unchanged")),
        )
        for n in range(30)
    ]
    progress, events = Progress(lambda: 0.0), stream(asked, end=ended())
    for event in events:
        progress.update(event)
    rows = [attack.gold for name, attack in figures_of(events).attacks.items() if name != "unchanged"]
    assert f"{sum(row.success for row in rows)} broken answers" in progress.done()
    assert f"{figures_of(events).requests.sent} conversations" in progress.done()

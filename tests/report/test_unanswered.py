"""When errors rise with the attacks, and when they only come with the bot."""

from __future__ import annotations

import io

import pytest

from botattack.events import Asked, Event
from botattack.model import Edit, Failure
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.metrics import figures_of
from botattack.report.wording import headlines, words
from botattack.report.writers.terminal import Terminal
from tests.report.streams import Asking, Try, stream

TYPO = (Edit(0, "w", "v", "typo of keyword"),)


def run(altered: int, of_altered: int, unchanged: int, questions: int, *, control: bool = True) -> list[Event]:
    """So many errors among the variants and among the control, spread over the questions."""
    askings = []
    for number in range(questions):
        mine = range(number, of_altered, questions)
        tries = [Try("error" if place < altered else "correct", TYPO) for place in mine]
        if control:
            tries.append(Try("error" if number < unchanged else "correct", attack="unchanged"))
        askings.append(Asking(f"w{number}", tries=tuple(tries)))
    return stream(askings, None if control else {"dpaeg": "same"})


def figures(*counts: int, control: bool = True) -> Figures:
    return figures_of(run(*counts, control=control))


def test_errors_of_variants_alone_are_told() -> None:
    found = figures(30, 77, 0, 60)
    counted = found.unanswered
    assert (counted.altered, counted.of_altered, counted.unchanged, counted.of_unchanged) == (30, 77, 0, 60)
    assert "30 of 77 altered questions, 0 of 60 unchanged" in words.silence(found)
    assert words.silence(found)[1:] in headlines.headline(found)


@pytest.mark.parametrize("counts", [(0, 80, 0, 20), (8, 80, 2, 20), (2, 80, 0, 20), (3, 3, 0, 1), (0, 80, 5, 20)])
def test_errors_that_chance_explains_are_not(counts: tuple[int, int, int, int]) -> None:
    assert words.silence(figures(*counts)) == ""


def test_without_the_control_they_are_held_against_the_originals() -> None:
    askings = [Asking(f"o{number}", standing="error") for number in range(30)]
    silent = run(30, 60, 0, 30, control=False)
    counted = figures_of(silent).unanswered
    assert (counted.unchanged, counted.of_unchanged, counted.rises) == (0, 30, True)
    failing = [
        event if not isinstance(event, Asked) or event.unit != "original.0" else _failed(event, "timeout")
        for asking in askings
        for event in asking.events()
    ]
    counted = figures_of([*silent, *failing]).unanswered
    assert (counted.unchanged, counted.of_unchanged, counted.rises) == (30, 60, False)


@pytest.mark.parametrize("kind", ["unreachable", "rate limited", "unknown"])
def test_failures_that_no_question_is_to_blame_for_are_left_out(kind: str) -> None:
    events = [
        _failed(event, kind) if isinstance(event, Asked) and event.failure else event for event in run(30, 77, 0, 60)
    ]
    counted = figures_of(events).unanswered
    assert (counted.altered, counted.of_altered, counted.rises) == (0, 47, False)


def test_the_warning_stands_in_the_report_and_beside_it() -> None:
    out, err = io.StringIO(), io.StringIO()
    Terminal(out, err, width=200).finish(figures(30, 77, 0, 60), ())
    assert words.silence(figures(30, 77, 0, 60))[1:] in " ".join(out.getvalue().split())
    assert words.silence(figures(30, 77, 0, 60)) in err.getvalue()
    quiet_out, quiet_err = io.StringIO(), io.StringIO()
    Terminal(quiet_out, quiet_err, width=200).finish(figures(0, 77, 0, 60), ())
    assert "warning" not in quiet_out.getvalue() + quiet_err.getvalue()


def _failed(event: Asked, kind: str) -> Asked:
    return Asked(question=event.question, unit=event.unit, turns=event.turns, failure=Failure(kind, "no answer"))

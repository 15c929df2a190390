"""What the judge's errors do to a rate, and what reports say of the judge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from botattack.events import JudgedBy
from botattack.report.figures.correction import corrected
from botattack.report.figures.figure_values import AttackFigures, Row
from botattack.report.figures.metrics import figures_of
from botattack.report.writers import words
from tests.report.streams import Asking, Try, ended, started, stream

ROW = Row(questions=100, asked=400, success=100, robust=300, success_rate=0.25, interval=(0.2, 0.3))
BY = JudgedBy("1.0", "learned", "1", "0123456789ab", 0.5, None, 0.1, 0.05, 0.0, 1000, "replies")


def test_errors_of_the_judge_are_taken_out() -> None:
    # Of 400 answers 94.1 are broken: 0.9 of these and 0.05 of the others are called so, which makes 100.
    found = corrected(AttackFigures("same", ROW), BY)
    assert found is not None
    assert found.rate * 0.9 + (1 - found.rate) * 0.05 == pytest.approx(0.25)
    assert found.interval[0] < found.rate < found.interval[1]
    assert found.by_errors_alone[0] < 0.05 < found.by_errors_alone[1]


def test_a_rate_that_errors_alone_would_give_is_none() -> None:
    found = corrected(AttackFigures("same", replace(ROW, success_rate=0.04, interval=(0.02, 0.06))), BY)
    assert found is not None
    assert found.rate == 0
    assert found.by_errors_alone[0] < 0.04


@pytest.mark.parametrize(
    ("attack", "by"),
    [
        (AttackFigures("same", ROW), None),
        (AttackFigures("same", ROW), JudgedBy("1.0", "exact")),
        (AttackFigures("same", ROW), JudgedBy("1.0", "learned", wrong_called_correct=0.6, correct_called_wrong=0.4)),
        (AttackFigures("same", replace(ROW, success_rate=None, interval=None)), BY),
        (AttackFigures("same", replace(ROW, first_success=3)), BY),
        (AttackFigures("different", ROW), BY),
    ],
)
def test_what_cannot_be_corrected_is_not(attack: AttackFigures, by: JudgedBy | None) -> None:
    assert corrected(attack, by) is None


def test_reports_name_the_judge_and_the_corrected_rate() -> None:
    tries = (Try("wrong"), Try("correct"))
    askings = [Asking(text=f"w{number}", tries=tries) for number in range(40)]
    told = list(stream(askings, end=ended()))
    judged = [started(40, judge=BY) if type(event) is type(started(0)) else event for event in told]
    plain, known = figures_of(told), figures_of(judged)
    assert plain.attacks["dpaeg"].corrected is None
    assert "earlier botattack" in words.judge(plain.run.judge)
    assert known.attacks["dpaeg"].corrected is not None
    assert "0123456789ab" in words.judge(known.run.judge)
    assert "10 % of wrong" in words.judge(known.run.judge)
    assert "Corrected for the judge's errors, if they are as frequent here: about 53 %" in words.headline(known)
    assert words.headline(plain) in words.headline(known).replace(
        " Corrected for the judge's errors, if they are as frequent here: about 53 %.", ""
    )

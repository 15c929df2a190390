"""What the judge's errors do to a rate, and what reports say of the judge."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from botattack.audit import fitting
from botattack.audit.judged import judged_by
from botattack.events import JudgedBy
from botattack.matchers.learned import Taught
from botattack.matchers.weights import weights
from botattack.report.figures.correction import corrected
from botattack.report.figures.figure_values import AttackFigures, Row
from botattack.report.figures.metrics import figures_of
from botattack.report.statistics.intervals import wilson
from botattack.report.wording import headlines, judge_words
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


def test_rates_counted_on_few_replies_widen_the_interval() -> None:
    exact = corrected(AttackFigures("same", ROW), BY)
    few, many = (
        corrected(AttackFigures("same", ROW), msgspec.structs.replace(BY, rows=rows, wrong_rows=rows // 3))
        for rows in (100, 100_000)
    )
    assert exact
    assert few
    assert many
    assert few.rate == many.rate == exact.rate
    assert (
        few.interval[0]
        < many.interval[0]
        <= exact.interval[0]
        < exact.interval[1]
        <= many.interval[1]
        < few.interval[1]
    )
    assert many.interval == pytest.approx(exact.interval, abs=0.002)
    assert few.by_errors_alone[1] > exact.by_errors_alone[1]


def test_the_judge_may_be_unsure_of_wrong_replies_more_often() -> None:
    # Of 1,000 answers 300 are broken: 210 called so, 60 unsure, 30 called correct; of 700, 35 called broken, 35 unsure.
    by = msgspec.structs.replace(BY, share_unsure=0.095, unsure_of_wrong=0.2, unsure_of_right=0.05, wrong_rows=300)
    row = replace(ROW, success_rate=245 / 905, interval=(0.24, 0.3), success=245, robust=660)
    found = corrected(AttackFigures("same", row), by)
    assert found is not None
    assert found.rate == pytest.approx(0.3)


@pytest.mark.slow
@pytest.mark.parametrize("labels", [100, 200, 400])
@pytest.mark.parametrize("broken", [0.05, 0.15, 0.35, 0.6])
def test_the_interval_covers_the_truth_though_the_judge_was_measured_on_few_labels(labels: int, broken: float) -> None:
    rng, known = np.random.default_rng(1), weights()

    def drawn(number: int, share: float) -> tuple[fitting.Array, fitting.Array]:
        wrong = rng.random(number) < share
        return fitting.logistic(np.where(wrong, rng.normal(-2.6, 1.9, number), rng.normal(2.6, 1.9, number))), wrong

    covered = []
    for _ in range(800):
        p, wrong = drawn(labels, 0.3)
        read = fitting.Labels(p, ~wrong)
        measured = {"rates": fitting.rates(read, known.band, "labels"), "curve": fitting.curve(read)}
        by = judged_by(Taught(own=msgspec.structs.replace(known, **measured)))
        p, _ = drawn(300, broken)
        x, held = int((p <= known.band[0]).sum()), int((p >= known.band[1]).sum())
        row = replace(ROW, success=x, robust=held, success_rate=x / (x + held), interval=wilson(x, x + held))
        found = corrected(AttackFigures("same", row), by)
        if found is not None:
            covered.append(found.interval[0] <= broken <= found.interval[1])
    assert len(covered) > 700
    assert 0.93 <= np.mean(covered) <= 0.98


@pytest.mark.parametrize(
    ("attack", "by"),
    [
        (AttackFigures("same", ROW), None),
        (AttackFigures("same", ROW), JudgedBy("1.0", "exact")),
        (AttackFigures("same", ROW), JudgedBy("1.0", "learned", wrong_called_correct=0.6, correct_called_wrong=0.4)),
        (AttackFigures("same", replace(ROW, success_rate=None, interval=None)), BY),
        (AttackFigures("same", ROW, by_question=True), BY),
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
    assert "earlier botattack" in judge_words.judge(plain.run.judge)
    assert known.attacks["dpaeg"].corrected is not None
    assert "0123456789ab" in judge_words.judge(known.run.judge)
    assert "10 % of wrong" in judge_words.judge(known.run.judge)
    assert "Corrected for the judge's errors, if they are as frequent here: about 53 %" in headlines.sure(known)
    assert headlines.sure(plain).endswith("Not read by people.")
    assert headlines.sure(known).startswith(headlines.sure(plain).removesuffix(" Not read by people."))
    assert headlines.headline(known) == headlines.headline(plain)

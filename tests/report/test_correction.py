"""Only labels of people correct a rate; of the judge, reports say how differently it erred on systems left out."""

from __future__ import annotations

import re

import msgspec
import pytest

from botattack.audit.judged import judged_by
from botattack.events import NOBODY, JudgedBy, RunStarted
from botattack.matchers.combine import AnyOf
from botattack.matchers.learned import Learned, Taught
from botattack.matchers.lexical import Contains
from botattack.matchers.weights import weights
from botattack.protocols import Matcher
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.metrics import figures_of
from botattack.report.wording import cautions, reader_words, verdict_words, words
from tests.report.streams import Asking, Try, ended, started, stream


def judged(by: JudgedBy, broken: int = 20) -> Figures:
    """Forty questions, of which one variant each is broken, or held."""
    askings = [Asking(text=f"w{n}", tries=(Try("wrong" if n < broken else "correct"),)) for n in range(40)]
    told = stream(askings, end=ended())
    return figures_of([started(40, judge=by) if isinstance(event, RunStarted) else event for event in told])


@pytest.mark.parametrize("broken", [0, 1, 20, 40])
@pytest.mark.parametrize("by", [NOBODY, judged_by(Learned()), judged_by(Taught(correct=0.5))])
def test_no_judge_corrects_a_rate_by_how_it_errs_elsewhere(by: JudgedBy, broken: int) -> None:
    found = judged(by, broken)
    said = (*words.corrections(found), *cautions.cautions(found), *reader_words.lines(found))

    assert found.attacks["dpaeg"].gold.success_rate == broken / 40
    assert found.attacks["dpaeg"].corrected is None
    assert "orrected" not in " ".join(map(str, said))


def test_the_range_of_errors_is_that_of_the_systems_left_out() -> None:
    left_out, by = weights().left_out, judged_by(Learned())
    said = verdict_words.judging(by)

    assert len(left_out) == by.left_out > 5
    for ends, shares in (
        (by.wrong_as_correct, [one.wrong_called_correct for one in left_out]),
        (by.correct_as_wrong, [one.correct_called_wrong for one in left_out]),
    ):
        assert ends == (min(shares), max(shares))
        assert f"{100 * min(shares):.0f} to {100 * max(shares):.0f} %" in said
    assert said.partition("; ")[2].rstrip(".") in verdict_words.judge(by)
    assert by.digest in verdict_words.judge(by)


@pytest.mark.parametrize(
    ("ends", "told"),
    [((0.02, 0.02), "called 2 %"), ((0.018, 0.022), "called 2 %"), ((0.02, 0.03), "2 to 3 %")],
)
def test_a_range_of_one_figure_is_that_figure(ends: tuple[float, float], told: str) -> None:
    by = msgspec.structs.replace(judged_by(Learned()), wrong_as_correct=ends)
    assert f"{told} of the wrong replies correct" in verdict_words.judging(by)


@pytest.mark.parametrize(
    "matcher",
    [
        Learned(correct=0.5),
        Learned(unsure=(0.2, 0.9)),
        Taught(own=msgspec.structs.replace(weights(), left_out=())),
        Contains(),
        AnyOf((Learned(), Contains())),
    ],
)
def test_what_was_not_measured_has_no_range(matcher: Matcher) -> None:
    """Another band errs otherwise than the one that was measured, and so do weights fitted to other labels."""
    by = judged_by(matcher)
    for said in (verdict_words.judging(by), verdict_words.judge(by)):
        assert "is not known here" in said
        assert not re.search(r"\d %", said)

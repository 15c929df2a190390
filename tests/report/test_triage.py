"""Marks of people in the figures of a run."""

from __future__ import annotations

import pytest

from botattack.events import Mark, Marked, MarkKind, TriageRead, VariantJudged
from botattack.model import Verdict
from botattack.report.figures.metrics import figures_of
from botattack.report.wording.verdict_words import mark_lines
from tests.report.streams import RUN, Asking, ended, started


@pytest.mark.parametrize(
    ("of", "newer"),
    [
        (RUN, True),
        ("20261120T115959Z-alice-ffff", True),
        ("20261120T120000Z-alice-ffff", True),
        ("20261120T120000Z-alice-0000", True),
        ("20261120T120001Z-alice-0000", False),
    ],
)
def test_what_is_drawn_in_the_id_of_a_run_makes_it_no_newer(of: str, newer: bool) -> None:
    marks = {"b19eabe60000.0": Mark("accepted", "known", run=of)}

    (mark,) = figures_of([started(1), TriageRead(at=0.0, marks=marks), ended()]).marks

    assert mark.newer == newer


@pytest.mark.parametrize(("question", "named"), [("Which bus goes there?", 1), ("Who drives it?", 0)])
def test_a_mark_is_named_only_where_its_question_was_asked(question: str, named: int) -> None:
    marks = {"b19eabe60000.0": Mark("settled", "known", run=RUN, question="Which bus goes there?", label="correct")}
    told = [started(1), TriageRead(at=0.0, marks=marks), *Asking(question).events(), ended()]
    assert len(mark_lines(figures_of(told).marks)) == named


@pytest.mark.parametrize("kind", ["wrong-verdict", "settled"])
@pytest.mark.parametrize(
    ("fits", "others", "says", "not_said"),
    [
        (1, 3, "other askings of it are correct here", "no longer fits"),
        (1, 0, "why", "other askings"),
        (0, 3, "no longer fits: it was refused then, and is correct here", "other askings"),
    ],
)
def test_a_mark_fits_as_long_as_one_asking_of_these_words_brings_its_reply(
    kind: MarkKind, fits: int, others: int, says: str, not_said: str
) -> None:
    """A repeat that failed once is marked in its own run, where the other repeats were right."""
    mark = Mark(kind, "why", verdict="refused", reply="code 17", label="wrong", run=RUN, sent="Which bus?")
    told = [
        Marked(
            question="q",
            of="b19eabe60000",
            mark=mark,
            judged=VariantJudged(question="q", unit=f"b19eabe60000.{at}", attack="unchanged", verdict=Verdict(verdict)),
            holds=verdict == "refused",
        )
        for at, verdict in enumerate(["refused"] * fits + ["correct"] * others)
    ]
    figures = figures_of([started(1), TriageRead(at=0.0, marks={"b19eabe60000": mark}), *told, ended()])
    line = mark_lines(figures.marks)[-1]
    assert (says in line, not_said in line) == (True, False)

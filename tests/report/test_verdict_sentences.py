"""The sentences about judges, marks, readers, gates and thin evidence: each has its figures, names and thresholds."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from botattack.config.run_keys import Gate
from botattack.events import TRAITS, JudgedBy, Mark
from botattack.report.figures.coverage import Coverage
from botattack.report.figures.figure_values import (
    Corrected,
    Figures,
    LeftVariant,
    Measure,
    ReaderFigures,
    ReadFigures,
)
from botattack.report.figures.gates import checked, failures, held, proposed
from botattack.report.figures.marks import MarkFigures
from botattack.report.figures.metrics import figures_of
from botattack.report.statistics.agreement import Coefficient, Same
from botattack.report.wording import reader_words
from botattack.report.wording.cautions import few, too_few
from botattack.report.wording.verdict_words import judge, judging, mark_lines, mark_summary, thresholds
from tests.report.streams import Asking, ended, stream

LEARNED = JudgedBy("1.0", "learned", "2", "0123456789ab", 0.5, (0.3, 0.7), 9, (0.01, 0.07), (0.03, 0.03))


PLAIN = figures_of(stream([Asking()], end=ended()))


def figures(**more: Any) -> Figures:
    return replace(PLAIN, **more)


@pytest.mark.parametrize(
    ("by", "told"),
    [
        (
            LEARNED,
            "learned weights 2 (0123456789ab), correct from 0.7, wrong below 0.3, unsure between (0.5 if it must",
        ),
        (LEARNED, "on 9 sets of English replies that it was not trained on, it called 1 to 7 % of the wrong"),
        (LEARNED, "and 3 % of the correct ones wrong"),
        (
            JudgedBy("1.0", "any(learned)", "2", "0123", 0.5),
            "(0123) within the matcher any(learned), correct from 0.5,",
        ),
        (JudgedBy("1.0", "exact"), "the matcher exact of botattack 1.0; how often it errs is not known here"),
        (JudgedBy("1.0", "exact", "2", "", 0.5), "the matcher exact of botattack 1.0;"),
        (JudgedBy("1.0", "exact", "2", "0123"), "the matcher exact of botattack 1.0;"),
    ],
)
def test_a_judge_is_named_with_its_thresholds_and_errors(by: JudgedBy, told: str) -> None:
    assert told in judge(by)
    assert judging(by) == f"A program judges the replies; {judge(by).partition('; ')[2]}."
    assert thresholds(0.6834, None) == "correct from 0.683, wrong below"


def marks(number: int, kind: Any = "accepted", **more: Any) -> list[MarkFigures]:
    mark = Mark(kind, "because", by="ann", sent="who?", verdict="wrong", label="correct")
    return [MarkFigures(f"u{n}", mark, **more) for n in range(number)]


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ([], ""),
        (marks(1), ""),
        (marks(1, left_out=1), "1 marked finding is not counted as a failure: 1 accepted"),
        (
            marks(2, left_out=1) + marks(1, "wrong-verdict", left_out=2),
            "3 marked findings are not counted as failures: 2 accepted, 1 wrong-verdict",
        ),
    ],
)
def test_what_is_left_out_is_counted_by_the_kind_of_its_mark(found: list[MarkFigures], told: str) -> None:
    assert mark_summary(found) == told


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (marks(20, left_out=1), ["accepted: who?; because (ann)"] * 20),
        (marks(22, left_out=1), ["accepted: who?; because (ann)"] * 20 + ["and 2 marks more, in triage.yaml"]),
        (marks(1, "settled", settled=1), ["settled: who?; because (ann); counted as correct"]),
        (
            marks(1, "settled", settled=1, changed=1, now=("wrong", "refused")),
            ["counted as correct; other askings of it are wrong and refused here, and count"],
        ),
        (
            marks(1, newer=True, changed=1, now=("wrong",)),
            ["on “who?” no longer fits: the bot says something else here, so it counts again"],
        ),
        (
            marks(1, newer=True, changed=1, now=("correct",)),
            ["no longer fits: it was wrong then, and is correct here, so it counts again"],
        ),
        (marks(1, changed=1, now=("correct",)), []),
        (marks(1), ["nothing that was judged in this run fits 1 mark of triage.yaml (accepted: who?)"]),
        (marks(3), ["fits 3 marks of triage.yaml (accepted: who?; accepted: who?; accepted: who?)"]),
        (marks(5), ["fits 5 marks of triage.yaml (accepted: who?; accepted: who?; accepted: who?; and 2 more)"]),
    ],
)
def test_each_mark_is_named_with_what_became_of_it(found: list[MarkFigures], told: list[str]) -> None:
    lines = mark_lines(found)[bool(mark_summary(found)) :]
    assert [piece in line for piece, line in zip(told, lines, strict=True)] == [True] * len(told)


NO, PART = Coefficient(None, None, 0), Coefficient(0.5, (0.25, 0.75), 1200)
SAME = Same(("ann", "ben"), 17, 20)
NOBODY = Same((), 0, 0)
RATE = Measure(0.92, 1300, (0.9, 0.95), x=1200)


def read(**more: Any) -> ReadFigures:
    return replace(ReadFigures(100, 3, {}, {"": RATE}, NO, NO, (), (), (), (), NOBODY), **more)


READ: list[tuple[Any, ReadFigures, str]] = [
    ("meaning", read(), "meaning (3 readers, 100 items): 92.0 % (1,200 of 1,300; 90.0 – 95.0 %) of the readings call"),
    ("meaning", read(readers=1, items=1), "meaning (1 reader, 1 item): "),
    ("comprehension", read(rates={"": replace(RATE, interval=None)}), "100 items): 1,200 of 1,300 of the readings und"),
    ("comprehension", read(rates={"": RATE, "students": RATE}), "comprehension, group students: 92.0 % (1,200 of"),
    ("verdict", read(labels={"correct": 1200, "wrong": 3, "unclear": 0}), "100 items): correct: 1,200, wrong: 3"),
    ("verdict", read(judge=Same((), 1100, 1200)), "as people do: 1,100 of 1,200 that both decided"),
    (
        "scale",
        read(kappa=PART, alpha=PART, disagreed=("a",)),
        "alpha (ordinal) 0.50 (0.25 – 0.75); readers differ on 1 ",
    ),
    (
        "meaning",
        read(kappa=PART, alpha=replace(PART, value=None)),
        "kappa 0.50 (0.25 – 0.75), Krippendorff's alpha – (",
    ),
    ("meaning", read(kappa=PART, alpha=PART), "readers differ on 0 of 1,200 items"),
    ("meaning", read(pairs=(SAME, SAME)), "meaning, the same label: ann and ben 17 of 20, ann and ben 17 of 20"),
    ("meaning", read(repeats=(Same(("ann",), 3, 4),)), "the same label: ann on a second look 3 of 4"),
    ("meaning", read(known=(Same(("ann",), 3, 4),)), "items with a known answer, answered right: ann 3 of 4"),
]


@pytest.mark.parametrize(("ask", "found", "told"), READ)
def test_what_readers_said_is_counted(ask: Any, found: ReadFigures, told: str) -> None:
    lines = reader_words.lines(figures(readers=ReaderFigures({ask: found})))
    assert any(told in line for line in lines), lines
    assert reader_words.brief(figures(readers=ReaderFigures({ask: found}))).startswith(f"Read by people: {ask} (")


@pytest.mark.parametrize(("number", "more"), [(1, ""), (5, ""), (6, "and 1 more variant"), (8, "and 3 more variants")])
def test_variants_that_left_the_rates_are_counted_and_the_first_named(number: int, more: str) -> None:
    left = tuple(LeftVariant(f"u{n}", "case" if n else "noise", "", "different") for n in range(number))
    told = reader_words.lines(figures(readers=ReaderFigures({"meaning": read()}, left)))
    of = ", ".join([*[f"case {number - 1}"] * (number > 1), "noise 1"])
    assert told[0].startswith(f"{number} variant{'s' * (number > 1)} left the rates")
    assert told[0].endswith(of)
    assert [line for line in told if line.startswith("left out: ")] == [
        f"left out: u{n} (different)" for n in range(min(number, 5))
    ]
    assert any(line.startswith(f"{more}, in") for line in told) == bool(more)


def test_a_rate_that_people_correct_is_said_beside_that_of_the_judge() -> None:
    verdict = ReaderFigures({"verdict": read()}, corrected=Corrected(0.25, (0.2, 0.3), 1200))
    (told, *_) = reader_words.lines(figures(readers=verdict))
    assert told.endswith("grades of 1,200: 25 % broken, with 95 % confidence 20.0 – 30.0 %")
    (both, *_) = reader_words.lines(figures(readers=replace(verdict, judged=Measure(0.5))))
    assert both == f"{told}, where the judge says 50 %"
    (none, *_) = reader_words.lines(figures(readers=replace(verdict, corrected=None)))
    assert "people graded 100 replies, and it takes 30 that are not unclear, to variants of 20 questions" in none


@pytest.mark.parametrize("trait", TRAITS)
def test_what_readers_understood_is_told_by_each_trait(trait: str) -> None:
    found = read(rates={"": RATE, f"{trait}: one": RATE, f"{trait}: other": Measure(n=2, x=1), "students": RATE})
    ((header, rows),) = reader_words.by_trait(figures(readers=ReaderFigures({"meaning": found})))
    assert header[:2] == (f"meaning, {trait.replace('_', ' ')}", "same")
    assert rows == [("one", "1,200/1,300", "92.0 %", "90.0 – 95.0 %"), ("other", "1/2", "–", "–")]
    assert not any(trait in line for line in reader_words.lines(figures(readers=ReaderFigures({"meaning": found}))))


DROP, LEAST = Gate("robust_accuracy", drop_at_most=0.1), Gate("success_rate", attack="case", at_least=0.1)


@pytest.mark.parametrize(
    ("questions", "gates", "told"),
    [
        (93, [], []),
        (92, [], ["92 questions are too few for a rate within ± 10 points: that takes about 93 ", "give ± 10 if half"]),
        (20, [], ["20 questions are too few", "these give ± 20 if half"]),
        (19, [], ["19 questions are too few for any rate, which takes 20; ", "that takes about 93 "]),
        (1, [], ["1 question is too few for any rate"]),
        (0, [], ["0 questions are too few for any rate"]),
        (19, [LEAST, LEAST], ["; the run will fail, as gates need a rate: share broken by case"]),
        (19, [DROP], ["; if there is a baseline, the run will fail, as gates need a rate: robust accuracy"]),
    ],
)
def test_few_questions_are_said_before_a_run_with_what_it_takes(
    questions: int, gates: list[Gate], told: list[str]
) -> None:
    sentence = too_few(questions, gates)
    assert bool(sentence) == bool(told)
    assert [piece for piece in told if piece not in sentence] == []
    assert sentence.count("run will fail") == len({*gates})
    doors = too_few(questions, gates, doors=True)
    assert ("counted through each door, are too few" in doors) == (questions < 20)


@pytest.mark.parametrize(
    ("found", "asked", "told"),
    [
        (Coverage(60), False, "case could not alter any of 60 questions, so it says nothing"),
        (Coverage(1), False, "case could not alter the question, so it says nothing"),
        (Coverage(2), False, "case could not alter any of 2 questions, so it says nothing"),
        (
            Coverage(60, 1, 40),
            False,
            "case has variants for 1 of 60 questions, so it says little about this bot: for 40 ",
        ),
        (Coverage(60, 1, 40), True, "has variants of sure meaning for 1 of 60 questions, so its rate says little"),
        (Coverage(60, 1, 40), True, "(counted apart), for 19 it has none"),
        (Coverage(60, 0, 60), False, "for none of 60 questions, so it says nothing about this bot: for 60 "),
        (Coverage(60, 1, 0, 59), False, "so it says little about this bot: on 59 questions the attack failed"),
        (Coverage(60, 1, 1, 1), False, "for 57 it has none, on 1 question the attack failed"),
        (Coverage(60, 1), False, "case has variants for 1 of 60 questions, so it says little about this bot"),
        (Coverage(60, 15), False, "case has variants for 15 of 60 questions, too few for a rate, which takes 20"),
        (Coverage(60, 14), False, "case has variants for 14 of 60 questions, so it says little"),
    ],
)
def test_an_attack_with_few_variants_says_of_how_many_and_why(found: Coverage, asked: bool, told: str) -> None:
    assert told in few("case", found, asked=asked)


@pytest.mark.parametrize(
    ("attacked", "carried", "thin", "seldom"),
    [
        (20, 19, True, False),
        (20, 20, False, False),
        (19, 18, False, False),
        (19, 4, True, True),
        (100, 25, False, False),
        (100, 24, True, True),
    ],
)
def test_an_attack_is_thin_below_twenty_questions_or_a_quarter(
    attacked: int, carried: int, thin: bool, seldom: bool
) -> None:
    assert (Coverage(attacked, carried).thin, Coverage(attacked, carried).seldom) == (thin, seldom)


@cache
def right(share: float, unstable: int = 0) -> Figures:
    """Of a hundred questions so many right."""
    kept = round(100 * share)
    askings = [Asking(f"w{n}", standing="kept" if n < kept else "wrong") for n in range(100)]
    return figures_of(stream([*askings, *(Asking(f"u{n}", standing="unstable") for n in range(unstable))], end=ended()))


@pytest.mark.parametrize(
    ("bound", "limit", "now", "told"),
    [
        ("at_least", 0.8, 0.8, "standard accuracy is 80.0 %, at least 80.0 %"),
        ("at_least", 0.81, 0.8, "standard accuracy is 80.0 %, below 81.0 %"),
        ("at_most", 0.8, 0.8, "standard accuracy is 80.0 %, at most 80.0 %"),
        ("at_most", 0.79, 0.8, "standard accuracy is 80.0 %, above 79.0 %"),
        ("drop_at_most", 0.05, 0.85, "went from 90.0 % to 85.0 %, not more than 5.0 points for the worse"),
        ("drop_at_most", 0.05, 0.84, "went from 90.0 % to 84.0 %, more than 5.0 points for the worse"),
        ("drop_at_most", 0.05, 0.95, "went from 90.0 % to 95.0 %, not more than 5.0 points for the worse"),
    ],
)
def test_a_gate_says_its_figure_and_on_which_side_of_its_bound_it_is(
    bound: str, limit: float, now: float, told: str
) -> None:
    gate = Gate("standard_accuracy", **{bound: limit})  # type: ignore[arg-type]
    (found,) = checked(held([gate], right(0.9)), right(now))
    assert found.sentence.endswith(told)
    assert found.failed == any(word in told for word in ("below", "above", ", more"))
    (less,) = checked(held([gate], right(0.9)), right(now, unstable=1))
    assert " without 1 question that the bot answers inconsistently" in less.sentence


def test_a_drop_needs_a_baseline_with_a_figure() -> None:
    gate = Gate("standard_accuracy", drop_at_most=0.05)
    assert not checked(held([gate]), right(0.9))
    (found,) = checked(held([gate], figures()), right(0.9))
    assert found.failed
    assert "of the baseline cannot be given: too few questions" in found.sentence


def test_gates_that_few_right_answers_fail_are_counted_in_one_sentence() -> None:
    gates = held([Gate("success_rate", attack="dpaeg", at_most=0.1), Gate("robust_accuracy", at_least=0.1)])
    assert failures(checked(gates[:1], figures()), figures())[0].startswith("share broken by dpaeg ")
    (told,) = failures(checked(gates, figures()), figures())
    assert told == "only 1 of 1 question were answered correctly, and rates need 20: 2 gates cannot be checked"


def test_gates_that_keep_what_a_run_showed_are_at_the_low_end_of_its_intervals() -> None:
    shown, line = proposed(right(0.9))
    assert shown.startswith("standard accuracy 90.0 %")
    assert line.startswith("gates: [{metric: standard_accuracy, at_least: 0.82}")
    assert proposed(figures()) == ("", "")

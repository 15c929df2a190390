"""The lines of a report about the run, its table of attacks and what was not counted: each has its figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from botattack.events import Mark
from botattack.report.figures.coverage import Coverage
from botattack.report.figures.figure_values import (
    AttackFigures,
    FaultFigures,
    Figures,
    GateFigures,
    QuestionFigures,
    RequestFigures,
    Row,
    Unanswered,
)
from botattack.report.figures.marks import MarkFigures
from botattack.report.figures.metrics import figures_of
from botattack.report.stories.run import Read, story
from botattack.report.story.blocks import Facts, Section, Sentence, Story
from botattack.report.wording import words
from tests.report.streams import Asking, ended, stream

ROW = Row(questions=9, existing=30, variants=30, asked=30, success=3, robust=27, unchanged=9, unchanged_broken=1)
CONTROL = AttackFigures("same", replace(ROW, success=1, robust=8, asked=9))


PLAIN = figures_of(stream([Asking()], end=ended()))


def figures(**more: Any) -> Figures:
    return replace(PLAIN, **more)


def table(**attacks: AttackFigures) -> list[tuple[str, str, str, int, bool]]:
    found = words.lines(figures(attacks={"unchanged": CONTROL, **attacks}))
    return [(line.name, words.share(line.row), line.control, line.depth, line.by_question) for line in found]


@pytest.mark.parametrize(
    ("attack", "lines"),
    [
        (AttackFigures("same", ROW), [("case", "3/30", "1/9", 0, False)]),
        (AttackFigures("same", replace(ROW, unchanged=0)), [("case", "3/30", "–", 0, False)]),
        (
            AttackFigures("same", ROW, splits={"kind": {"a": ROW, "b": ROW, "c": Row()}}),
            [("case", "3/30", "1/9", 0, False), ("a", "3/30", "1/9", 1, False), ("b", "3/30", "1/9", 1, False)],
        ),
        (AttackFigures("same", ROW, splits={"kind": {"a": ROW}}), [("case", "3/30", "1/9", 0, False)]),
        (
            AttackFigures("same", ROW, splits={"door": {"in a": ROW, "in b": Row()}}),
            [("case", "3/30", "1/9", 0, False), ("in a", "3/30", "1/9", 1, False), ("in b", "0/0", "–", 1, False)],
        ),
        (
            AttackFigures("same", ROW, unsure=ROW, own=ROW),
            [
                ("case", "3/30", "1/9", 0, False),
                ("may ask something else", "3/30", "1/9", 1, False),
                ("without known answers ‡", "3/30", "1/9", 1, False),
            ],
        ),
        (AttackFigures("same", own=ROW), [("case ‡", "3/30", "1/9", 0, False)]),
        (AttackFigures("same", ROW, by_question=True, control=ROW), [("case", "3/30", "3/30", 0, True)]),
        (AttackFigures("same", ROW, by_question=True), [("case", "3/30", "–", 0, True)]),
    ],
)
def test_an_attack_has_its_line_and_one_for_each_part_with_outcomes(
    attack: AttackFigures, lines: list[tuple[str, str, str, int, bool]]
) -> None:
    assert table(case=attack) == [*lines, ("unchanged (control)", "1/9", "", 0, False)]


def test_an_attack_after_which_another_answer_is_right_is_compared_with_nothing() -> None:
    ((name, _, control, *_), *_) = table(negate=AttackFigures("different", ROW, coverage=Coverage(1206, 45)))
    assert (name.endswith(", for 45 of 1,206 questions"), control) == (True, "–")
    ((name, *_), *_) = table(negate=AttackFigures("different", ROW, coverage=Coverage(45, 45)))
    assert "questions" not in name


@pytest.mark.parametrize(
    ("status", "why", "told"),
    [
        (None, "", "This run has not ended. "),
        (0, "all questions asked", ""),
        (1, "a gate failed", "Failed: a gate failed. "),
        (4, "interrupted", "Stopped: interrupted. "),
        (2, "is it there?", "Stopped: is it there? "),
        (2, "", ""),
    ],
)
def test_how_a_run_ended_is_said_first_if_it_did_not_end_well(status: int | None, why: str, told: str) -> None:
    assert words.ended(status, why) == told
    assert words.unsaid("a gate failed; it was late", "Failed: a gate failed.") == "it was late"


@pytest.mark.parametrize(
    ("requests", "more", "told"),
    [
        (RequestFigures(1234), {}, "1,234 sent; no errors"),
        (RequestFigures(9, 2, 1), {}, "9 sent, 2 retried, 1 rate limited; no errors"),
        (RequestFigures(9, services=3), {}, "9 sent (3 of them to services); no errors"),
        (RequestFigures(9, cut_off=1), {}, "9 sent; no errors; 1 conversation begun and not finished"),
        (RequestFigures(9, cut_off=2), {}, "9 sent; no errors; 2 conversations begun and not finished"),
        (RequestFigures(9, learned_rate=2.5), {}, "; learned pace 2.5/s, to be set as limits: {rate: 2.5/s}"),
        (
            RequestFigures(9),
            {"failures": {"timeout": 1, "reset": 2}},
            "3 conversations failed, not counted: 1 timeout, 2 r",
        ),
        (
            RequestFigures(9),
            {"attacks": {"case": AttackFigures("same", replace(ROW, error=1))}},
            "9 sent; 1 error, not counted",
        ),
        (RequestFigures(9), {"questions": QuestionFigures(3)}, "9 sent; no question finished"),
        (RequestFigures(0), {"questions": QuestionFigures(3)}, "0 sent; no errors"),
    ],
)
def test_requests_are_counted_by_what_became_of_them(requests: RequestFigures, more: dict[str, Any], told: str) -> None:
    assert told in words.requests_line(figures(requests=requests, **more))


ASKED = QuestionFigures(total=1300, asked=1200, correct=1000, wrong=150, refused=50, kept=1000)


@pytest.mark.parametrize(
    ("questions", "told"),
    [
        (ASKED, "1,200 of 1,300 asked: 1,000 "),
        (replace(ASKED, gone=100), "1,100 of 1,300 asked, and 100 that the file no longer has: "),
        (
            replace(ASKED, doors={"in a": (1000, 7), "in b": (20, 3)}),
            "each door (in a 7 of 1,000 right, in b 3 of 20 right)",
        ),
        (replace(ASKED, follow_ups=300, follow_ups_failed=100), "; 100 of the 200 that failed follow earlier turns"),
        (replace(ASKED, bad_records=1), "; besides 1 bad record"),
        (replace(ASKED, bad_records=2), "; besides 2 bad records"),
        (replace(ASKED, duplicates=1), "; 1 record repeats a question: its answers count"),
        (replace(ASKED, duplicates=2), "; 2 records repeat a question: their answers count"),
        (QuestionFigures(3), "0 of 3 asked: no answer yet"),
    ],
)
def test_questions_are_counted_by_what_became_of_them(questions: QuestionFigures, told: str) -> None:
    assert told in words.questions_line(figures(questions=questions))


@pytest.mark.parametrize(("follow_ups", "failed"), [(300, 99), (1200, 100), (0, 0)])
def test_follow_ups_are_named_only_if_half_of_what_failed_are_and_not_all_questions(
    follow_ups: int, failed: int
) -> None:
    questions = replace(ASKED, follow_ups=follow_ups, follow_ups_failed=failed)
    assert "follow earlier turns" not in words.questions_line(figures(questions=questions))


@pytest.mark.parametrize(
    ("part", "attack", "told"),
    [
        (
            "judge",
            None,
            "the judge failed on 1,003 verdicts, which are not counted: 1,000 × r0, 1 × r1, 1 × r2 and 1 oth",
        ),
        (
            "attack",
            "case",
            "attack case failed on 1,003 questions before its end: 1,000 × r0, 1 × r1, 1 × r2 and 1 other",
        ),
        (
            "measures",
            None,
            "leave out 1,003 questions on which they failed: 1,000 × r0, 1 × r1, 1 × r2 and 1 other reason",
        ),
    ],
)
def test_what_failed_is_counted_with_three_of_its_reasons(part: Any, attack: str | None, told: str) -> None:
    found = tuple(FaultFigures(part, attack, f"r{n}", 1 if n else 1000) for n in range(4))
    other = FaultFigures("judge" if part != "judge" else "measures", None, "r", 1)
    both = figures(faults=(*found, other))
    assert len(words.faults(both)) == 2
    ((only,), (all_reasons,)) = words.faults(both, part), words.faults(figures(faults=found[:3]))
    assert told in only
    assert " and " not in all_reasons.partition(": ")[2]


@pytest.mark.parametrize(
    ("row", "more", "told"),
    [
        (ROW, {}, "asked 30 variants, for 9 questions"),
        (replace(ROW, existing=1200), {}, "asked 30 of 1,200 possible variants, for 9 questions"),
        (replace(ROW, asked=1, existing=1, questions=1), {}, "asked 1 variant, for 1 question"),
        (replace(ROW, broken_questions=2), {}, "; 2 questions broke: 3 × "),
        (replace(ROW, refused=2), {}, ": 2 × did not answer, 1 × wrong answer"),
        (
            replace(ROW, requests=60, variants=12, broken_questions=1, first_success=1.0),
            {"by_question": True},
            "12 of 30 possible variants, for 9 questions, in 60 requests; 1 question broke, half of them within 1 re",
        ),
        (replace(ROW, broken_questions=1, first_success=2.5), {}, "half of them within 2.5 requests"),
        (
            replace(ROW, unsure=5, other=2, error=3, marked=4, probes=6),
            {},
            "; not counted: 2 neither the old answer nor the right one, 3 unsure, 3 failed, 4 left out by marks or "
            "readers, 6 only to compare",
        ),
    ],
)
def test_the_note_of_an_attack_counts_what_it_asked_and_what_came_of_it(
    row: Row, more: dict[str, Any], told: str
) -> None:
    ((name, detail, _),) = words.details(figures(attacks={"case": AttackFigures("same", row, **more)}))
    assert name == "case"
    assert told in detail


def test_outcomes_that_are_no_rate_of_the_attack_have_notes_of_their_own() -> None:
    notes = words.details(figures(attacks={"case": AttackFigures("same", ROW, unsure=ROW, own=ROW)}))
    assert [detail.partition("asked ")[0] for _, detail, _ in notes] == [
        "",
        "may ask something else: ",
        "without known answers: ",
    ]


def shown(found: Figures, *, whole: bool = True) -> Story:
    return story(found, (), "rec", read=Read() if whole else None)


def facts(blocks: Sequence[object]) -> list[tuple[str, str, str]]:
    return [
        (fact.label, str(fact.text), fact.tone) for block in blocks if isinstance(block, Facts) for fact in block.rows
    ]


def test_each_alarm_has_its_label_and_its_tone_and_the_worst_comes_first() -> None:
    run = figures().run
    gate = GateFigures("robust_accuracy", None, "at_least", 0.5, 0.6, None, True, "it is at least 50 %")
    mark = MarkFigures("u1", Mark("accepted", "because", sent="who?"), left_out=1)
    found = figures(
        gates=(gate, replace(gate, held=False), replace(gate, held=False, undecided=True)),
        unanswered=Unanswered(1200, 2400, 3, 4000, 0.0, rises=True),
        faults=(FaultFigures("judge", None, "r", 1),),
        run=replace(run, weaker=("it is weak",)),
        questions=replace(ASKED, doors={"in a": (3, 0), "in b": (3, 1)}),
        marks=(mark,) * 25,
    )
    for whole, most in ((True, 20), (False, 3)):
        told = facts(shown(found, whole=whole).blocks)
        assert told[:7] == [
            ("gates", "held    it is at least 50 %", "good"),
            ("gates", "FAILED  it is at least 50 %", "bad"),
            ("gates", "undecided  it is at least 50 %", "warning"),
            ("warning", words.silence(found), "bad"),
            ("faults", words.faults(found)[0], "bad"),
            ("weaker", "it is weak", "warning"),
            ("caution", "passages in a: none of 3 questions was answered correctly, so no rate counts any", "warning"),
        ]
        marked = told[7:]
        assert {(label, tone) for label, _, tone in marked} == {("marked", "plain")}
        assert sum(text.startswith("accepted: who?") for _, text, _ in marked) == most
        assert marked[-1][1].startswith(f"and {25 - most} marks more")
    assert "1,200 of 2,400 altered questions, 3 of 4,000 unchanged" in words.silence(found)


def test_a_report_ends_with_the_run_and_its_judge() -> None:
    found = figures(questions=replace(ASKED, first={"wrong": ("u1", "who?"), "unsure": ("u2", "where?")}))
    found = replace(found, run=replace(found.run, boilerplate=("Hello there!",), learnt_from=20))
    *_, about, judge = shown(found).blocks
    assert isinstance(about, Section)
    assert isinstance(judge, Section)
    assert (about.id, about.shown, judge.shown) == ("about", "everywhere", "files")
    told = facts(about.blocks)
    assert [label for label, _, _ in told] == ["run", "run", "questions", "judge", "left out", "requests"]
    assert told[0][1] == found.run.id
    assert told[4][1] == "1 sentence that the bot says around its answers, learnt from 20 answers: “Hello there!”"
    firsts = [block.text for block in about.blocks if isinstance(block, Sentence)]
    assert firsts == ["The first wrong: who?", "The first unsure: where?"]
    down = shown(figures(questions=QuestionFigures(3, asked=3, error=3)))
    assert [label for label, *_ in facts(down.blocks[-2].blocks)] == ["run", "run", "questions", "requests"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("sentences", "told"),
    [
        (["Hi."], "1 sentence that the bot says around its answers, known beforehand: “Hi.”"),
        (
            ["a.", "b.", "c.", "d.", "e."],
            "5 sentences that the bot says around its answers, known beforehand: “a.”, “b.”",
        ),
        (["a.", "b.", "c.", "d.", "e."], "“c.” and 2 more"),
        (["x" * 61], "“" + "x" * 60 + "… (1 more characters)”"),
    ],
)
def test_what_was_left_out_of_judging_is_shown_with_three_sentences(sentences: list[str], told: str) -> None:
    (line,) = words.boilerplate(replace(figures().run, boilerplate=tuple(sentences)))
    assert told in line


def test_the_table_of_attacks_explains_the_marks_that_are_in_it_alone() -> None:
    gold, own = AttackFigures("same", ROW), AttackFigures("same", own=ROW)
    negated = AttackFigures("different", ROW)
    assert not words.legends(figures(attacks={"dpaeg": gold}))
    (of_own,) = words.legends(figures(attacks={"dpaeg": own}))
    assert of_own.startswith("‡ ")
    (of_negated,) = words.legends(figures(attacks={"dpaeg": gold, "negate": negated}))
    ((name, *_), *_) = table(negate=negated)
    assert of_negated.split()[0] == name.split()[-1]
    assert words.legends(figures(attacks={"dpaeg": own, "negate": negated})) == [of_negated, of_own]

"""Two runs held against each other: pairing, tiers, and what people and machines read of it."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from botattack.events import Asked, Event
from botattack.model import Carrier, Edit, Reference, Reply, Searched, VerdictKind
from botattack.report.comparison.diff import DiffRow, RunComparison, compare
from botattack.report.comparison.side_by_side import ReadRun, side_by_side
from botattack.report.printing import console
from botattack.report.report_files import ReportError
from botattack.report.stories import comparison as comparison_words
from botattack.report.stories import side_by_side as bots
from botattack.report.stories.comparison import story
from botattack.report.story.in_markdown import lines
from botattack.report.story.in_terminal import show
from botattack.report.wording.words import terms
from botattack.report.writers.comparison_files import FILES
from tests.report.streams import Asking, Try, edit, ended, fits, stream
from tests.report.test_terminal import HOSTILE

TEXT = "what is the capital of france"
TYPO = (edit(TEXT, "capital", "captial"),)


def run(
    wrong: int, questions: int = 60, variants: int = 1, originals: int = 0, holding: int = 0, **more: object
) -> list[Event]:
    """`wrong` of the questions break under their variants but the `holding` first; `originals` are wrong themselves."""
    askings = []
    for number in range(questions):
        verdict = "wrong" if number < wrong else "correct"
        edits = [(TYPO[0], Edit(len(TEXT), "", "!" * n, "marks")) if n else TYPO for n in range(variants)]
        broken = (Try("correct" if n < holding else verdict, each) for n, each in enumerate(edits))
        tries = (*broken, Try("correct", (), "unchanged"))
        standing = "wrong" if number >= questions - originals else "kept"
        reply = HOSTILE if number == 0 else "Paris"
        asking = Asking(f"{TEXT} {number}", standing=standing, attacked=True, tries=tries, reply=reply)
        askings.append(asking)
    return stream(askings, end=ended(), **more)  # type: ignore[arg-type]


def row(comparison: RunComparison, name: str = "dpaeg") -> DiffRow:
    return next(row for row in comparison.rows if row.name == name)


def test_one_run_held_against_itself() -> None:
    comparison = compare(run(10), run(10))
    assert [each.name for each in comparison.rows] == ["originals", "dpaeg", "unchanged"]
    assert {each.tier for each in comparison.rows} == {"steady"}
    assert not comparison.changes
    found = row(comparison)
    assert (found.questions, found.units, found.old, found.new, found.p, found.change) == (60, 60, 10, 10, 1.0, 0.0)
    assert found.interval is not None
    assert found.interval[0] < 0 < found.interval[1]


def test_originals_come_first_and_the_control_last() -> None:
    attacks = ("unchanged", "zeal", "case", "dpaeg")
    asked = [Asking(f"{TEXT} {n}", tries=tuple(Try("correct", TYPO, attack) for attack in attacks)) for n in range(9)]
    told = stream(asked, dict.fromkeys(attacks, "same"), end=ended())
    assert [each.name for each in compare(told, told).rows] == ["originals", "case", "dpaeg", "zeal", "unchanged"]


def test_mcnemar_where_a_question_has_one_unit() -> None:
    found = row(compare(run(0), run(9)))
    assert (found.broken, found.fixed, found.p) == (9, 0, pytest.approx(2 / 2**9))
    assert (found.tier, found.change) == ("regression", 0.15)
    assert found.q == pytest.approx(2 / 2**9)  # the only attack of its family
    fixed = row(compare(run(9), run(0)))
    assert (fixed.broken, fixed.fixed, fixed.tier) == (0, 9, "improvement")


def test_questions_are_what_is_permuted_where_they_have_several_units() -> None:
    """Fifty broken units of five questions are no more than five questions tell."""
    found = row(compare(run(0, variants=10), run(5, variants=10)))
    assert (found.units, found.broken) == (600, 50)
    assert found.p == pytest.approx(2 / 2**5, abs=0.01)
    assert found.tier != "regression"


@pytest.mark.parametrize(("broken", "tier"), [(6, "drift"), (20, "regression")])
def test_no_change_whose_interval_holds_0_is_called_a_regression(broken: int, tier: str) -> None:
    comparison = compare(run(0, variants=4), run(broken, variants=4, holding=3))
    found = row(comparison)
    assert found.q is not None
    assert found.interval is not None
    assert found.q <= 0.05
    assert (found.tier, found.interval[0] > 0) == (tier, tier == "regression")
    assert comparison_words.first_line(comparison).startswith("Worse" if tier == "regression" else "No regression")


def test_what_stands_only_before_adjusting_is_a_drift() -> None:
    found = row(compare(run(0), run(0, originals=6)), "originals")
    assert found.p == pytest.approx(2 / 2**6)
    assert (found.q, found.tier) == (pytest.approx(4 / 2**6), "drift")


def test_variants_of_originals_not_right_on_both_nights_are_set_apart() -> None:
    comparison = compare(run(0), run(0, originals=12))
    assert (row(comparison).units, row(comparison).set_apart) == (48, 12)
    originals = row(comparison, "originals")
    assert (originals.old, originals.new, originals.tier) == (0, 12, "regression")


def test_missing_and_added_units_enter_no_statistics() -> None:
    found = row(compare(run(0, variants=3), run(0, questions=70)))
    assert (found.missing, found.added, found.units) == (120, 10, 60)


def test_a_probe_of_a_search_is_no_unit() -> None:
    def searched(verdict: VerdictKind) -> list[Event]:
        tries = (Try("correct", TYPO), Try(verdict, (TYPO[0], Edit(len(TEXT), "", "!", "marks")), probe=True))
        return stream([Asking(f"{TEXT} {n}", tries=tries) for n in range(30)], end=ended())

    found = row(compare(searched("correct"), searched("wrong")))
    assert (found.units, found.new, found.tier) == (30, 0, "steady")


def test_few_questions_are_not_enough() -> None:
    found = row(compare(run(0, questions=19), run(19, questions=19)))
    assert (found.tier, found.p, found.new) == ("not enough data", None, 19)


def test_a_noisy_baseline_says_so() -> None:
    noisy = [
        Asking(f"{TEXT} {n}", tries=(Try("correct", TYPO), Try("wrong" if n < 9 else "correct", (), "unchanged")))
        for n in range(60)
    ]
    comparison = compare(stream(noisy, end=ended()), stream(noisy, end=ended()))
    assert {each.tier for each in comparison.rows} == {"unstable baseline"}


@pytest.mark.parametrize("doors", [("request",), ("request", "message")])
def test_unstable_questions_are_set_apart_and_count_once_whatever_their_doors(doors: tuple[Carrier, ...]) -> None:
    one = [
        Asking(f"{TEXT} {n}", standing="unstable" if n < 3 else "kept", carrier=door)
        for n in range(30)
        for door in doors
    ]
    comparison = compare(stream(one, end=ended()), stream(one, end=ended()))
    assert comparison.unstable == 3
    found = row(comparison, "originals")
    assert (found.questions, found.units, found.set_apart) == (27, 27 * len(doors), 3 * len(doors))


def test_notes_tell_what_spoils_a_comparison() -> None:
    other = run(0, seed=8, target="bob")
    notes = compare(run(0), other[:-1]).notes
    assert [note.split(" (")[0] for note in notes] == [
        "these are runs of two targets: alice and bob",
        "the seeds differ",
        "the newer run did not finish",
    ]


@pytest.mark.parametrize(
    ("seconds", "retried", "told"),
    [
        (0.4, 14, []),
        (0.7, 19, []),  # twice as long, but no half second more, and not yet 5 % of 400
        (
            1.6,
            40,
            ["the bot takes 1.6 s for an answer (median), and took 0.3 s in the older run", "10.0 % of the requests"],
        ),
    ],
)
def test_a_bot_that_became_slower_or_fails_more_often_is_noted(seconds: float, retried: int, told: list[str]) -> None:
    def night(latency: float, again: int) -> list[Event]:
        timed = [
            msgspec.structs.replace(event, replies=(Reply("Paris", latency=latency),))
            if isinstance(event, Asked)
            else event
            for event in run(0)
        ]
        return [*timed[:-1], ended(requests=400, retried=again)]

    comparison = compare(night(0.3, 8), night(seconds, retried))
    assert [said.startswith(start) for said, start in zip(comparison.slower, told, strict=True)] == [True] * len(told)
    assert ("The bot takes" in comparison_words.first_line(comparison)) is bool(told)


@pytest.mark.parametrize(("search", "shared", "noted"), [("", 3, False), ("outcome", 0, True)])
def test_what_is_searched_anew_for_each_bot_is_no_variant_that_bots_share(
    search: Searched, shared: int, noted: bool
) -> None:
    tries = (Try("wrong", TYPO, search=search), Try("correct", (), "unchanged"))
    told = stream([Asking(f"{TEXT} {n}", tries=tries) for n in range(3)], end=ended())
    found = side_by_side([ReadRun(lambda: told, "one"), ReadRun(lambda: told, "other")])
    assert (found.shared_units, len(found.shared), "dpaeg" in found.attacks) == (shared, shared, not noted)
    assert [row.units for row in found.pairs[0].rows if row.name == "dpaeg"] == [3]
    assert any(note.endswith("paired tests alone: dpaeg") for note in found.notes) is noted


def test_bots_share_the_variants_of_attacks_alone() -> None:
    """The control is no variant."""
    found = side_by_side([ReadRun(partial(run, wrong), f"run {wrong}") for wrong in (3, 5)])
    assert {name: [each.broken for each in bots] for name, bots in found.attacks.items()} == {"dpaeg": [3, 5]}
    assert [(each.units, each.broken) for each in found.attacks["dpaeg"]] == [(60, 3), (60, 5)]
    assert found.shared_units == 3


def test_names_of_rows_and_bots_are_whole_at_80_columns() -> None:
    told = [run(5 + 26 * number, variants=2, target=f"helpdesk-test-{number}") for number in range(2)]
    out = io.StringIO()
    show(bots.story(side_by_side([ReadRun(lambda one=one: one, "") for one in told])), console(out, 80))
    paired = out.getvalue().partition("Paired tests: helpdesk-test-0 (first) and helpdesk-test-1 (second)")[2]
    assert [paired.count(f"\n{name} ") for name in ("row", "originals", "dpaeg", "unchanged")] == [1] * 4
    assert re.search(r"dpaeg .* second$", paired, re.MULTILINE)


@pytest.mark.parametrize(("also", "named"), [((), ["case", "dpaeg"]), (("dpaeg",), ["case"])])
def test_attacks_without_a_variant_in_any_run_are_named(also: tuple[str, ...], named: list[str]) -> None:
    attacks: Any = {"dpaeg": "same", "case": "same", "unchanged": "same"}
    silent = stream([Asking(f"{TEXT} {n}", tries=(Try(attack="unchanged"),)) for n in range(3)], attacks=attacks)
    tries = tuple(Try(attack=attack) for attack in ("unchanged", *also))
    told = [silent, stream([Asking(f"{TEXT} {n}", tries=tries) for n in range(3)], attacks=attacks)]
    several = side_by_side([ReadRun(lambda one=one: one, "") for one in told])
    for notes in (several.notes, compare(*told).notes):
        assert [note for note in notes if "made no variant" in note] == [
            f"{', '.join(named)} made no variant in any run, so nothing of it is compared"
        ]


def test_a_table_of_paired_tests_has_its_note() -> None:
    told = [run(5 + 26 * number, variants=2) for number in range(2)]
    found = bots.story(side_by_side([ReadRun(lambda one=one: one, "") for one in told]))
    (note,) = (block.blocks[0] for block in found.blocks if str(block).find("Paired tests: ") >= 0)
    assert "McNemar" in str(note)


@pytest.mark.parametrize(("reference", "noted"), [("gold", 0), ("own", 1)])
def test_a_comparison_says_what_right_means_where_no_answer_is_known(reference: Reference, noted: int) -> None:
    runs = [
        stream([Asking(f"{TEXT} {n}", answers=(), reference=reference, reply=reply) for n in range(30)], end=ended())
        for reply in ("Paris", "Rome")
    ]
    several = side_by_side([ReadRun(lambda: runs[0], "one"), ReadRun(lambda: runs[1], "other")])
    for notes in (compare(*runs).notes, several.notes):
        assert sum(note.startswith("30 questions without a known answer: ") for note in notes) == noted


def shown(comparison: RunComparison) -> str:
    out = io.StringIO()
    show(story(comparison), out)
    return out.getvalue()


def test_a_terminal_and_markdown_say_the_same() -> None:
    comparison = replace(compare(run(2), run(12)), recording="recordings/new one")
    text, file = shown(comparison), "\n".join(lines(story(comparison)))
    for says in ("regression in dpaeg.", "[capital → captial]", "'recordings/new one'"):
        assert says in text
        assert says in file


@pytest.mark.parametrize(("questions", "told"), [(60, True), (19, False)])
def test_whose_interval_is_shown_is_said_where_one_is(questions: int, told: bool) -> None:
    comparison = compare(run(0, questions=questions), run(5, questions=questions))
    told_by = [block for block in story(comparison).blocks if terms("notes")["comparison"] in str(block)]
    assert bool(told_by) is told


def test_a_terminal_shows_one_screen_of_a_comparison_and_its_file_says_each_reason_once() -> None:
    comparison = compare(run(2), run(30, originals=12))
    screen, whole = io.StringIO(), "\n".join(lines(story(comparison)))
    show(comparison_words.screen(comparison), screen)
    assert len(screen.getvalue().splitlines()) <= 45 < len(whole.splitlines())
    assert whole.count("not right each time") == 1
    assert comparison_words.first_line(comparison) in " ".join(screen.getvalue().split())


def test_the_first_line_of_a_night_says_what_may_be_chance() -> None:
    steady = comparison_words.first_line(compare(run(3), run(4)))
    assert steady.startswith("No regression since ")
    assert ": 1 answer newly broke and none is newly right, as chance would do." in steady
    few = compare(run(0, questions=19), run(2, questions=19))
    assert "2 answers newly broke and none is newly right, perhaps by chance." in comparison_words.first_line(few)
    assert [title for title, _ in comparison_words.groups(few)] == ["newly broken, perhaps by chance (2)"]
    # The attack has variants of few of the 60 questions.
    part = [
        stream([Asking(f"{TEXT} {n}", tries=(Try(verdict, TYPO),) if n < 18 else ()) for n in range(60)], end=ended())
        for verdict in ("correct", "wrong")
    ]
    told = comparison_words.first_line(compare(*part))
    assert "18 answers newly broke and none is newly right, perhaps by chance. dpaeg: too few questions" in told
    better = compare(run(9), run(0))
    assert ": no answer newly broke, 9 are newly right. Improvement in dpaeg." in comparison_words.first_line(better)
    assert comparison_words.first_line(compare(run(0), run(0)[:1])).startswith("Not known whether worse since ")
    assert ": regression in dpaeg." in comparison_words.first_line(compare(run(0), run(12)))


@pytest.mark.parametrize(
    ("replies", "said"),
    [
        (["Sorry, we are closed."] * 30, "Sorry, we are closed."),
        (["Sorry, we are closed."] * 28 + ["Rome", "Bonn"], "Sorry, we are closed."),
        ([f"Error at 12:{n:02}:07, try later" for n in range(30)], "Error at #, try later"),
        (["Sorry, we are closed."] * 20 + ["Rome"] * 10, ""),
        (["Sorry, we are closed."] * 7, ""),
        ([f"Town {n}" for n in range(30)], ""),
        ([""] * 30, ""),
    ],
)
def test_that_nearly_all_that_newly_broke_is_one_reply_is_said_first(replies: list[str], said: str) -> None:
    """A bot that is out of order for a part of a night breaks under whatever it is asked then."""
    before, now = (
        [
            Asking(f"{TEXT} {n}", answers=(f"Paris {n}",), tries=(Try(verdict, TYPO, reply=reply),))
            for n, reply in enumerate(replies)
        ]
        for verdict in ("correct", "wrong")
    )
    told = comparison_words.first_line(compare(stream(before, end=ended()), stream(now, end=ended())))
    assert ("got one reply" in told, said in told) == (bool(said), True)


@pytest.mark.parametrize(
    ("questions", "answers", "is_said"), [(30, 30, True), (30, 8, True), (30, 7, False), (1, 1, False)]
)
def test_one_wrong_reply_to_few_right_answers_is_no_outage(questions: int, answers: int, is_said: bool) -> None:
    """One question whose thirty variants break in one way says nothing of what the bot replies to others."""
    each = 30 // questions
    before, now = (
        [
            Asking(f"{TEXT} {n}", answers=(f"Town {n % answers}",), tries=(Try(verdict, TYPO, reply="No."),) * each)
            for n in range(questions)
        ]
        for verdict in ("correct", "wrong")
    )
    told = comparison_words.first_line(compare(stream(before, end=ended()), stream(now, end=ended())))
    assert ("got one reply" in told) is is_said


def test_two_runs_of_one_day_are_told_apart_by_their_time() -> None:
    morning, evening, other = "2026-11-20T08:15:00+00:00", "2026-11-20T21:30:05+00:00", "2026-11-21T08:15:00+00:00"
    same = compare(run(3, started=morning), run(3, started=evening))
    assert comparison_words.first_line(same).startswith("No regression since 20 Nov 2026, 08:15:00 UTC:")
    apart = compare(run(3, started=morning), run(3, started=other))
    assert comparison_words.first_line(apart).startswith("No regression since 20 Nov 2026:")


def test_the_files(tmp_path: Path) -> None:
    comparison = replace(compare(run(0), run(12)), recording="recordings/new", gates=("share broken by x\x1b is 3 %",))
    for suffix in ("json", "md", "xml"):
        FILES.write(tmp_path / f"diff.{suffix}", comparison)
    read = fits("diff", tmp_path / "diff.json")
    assert (read["rows"][1]["tier"], len(read["changes"])) == ("regression", 12)
    suites = ET.parse(tmp_path / "diff.xml").getroot()
    assert suites.attrib["failures"] == "2"
    cases = {case.get("classname"): case for case in suites.iter("testcase")}
    failure = cases["baseline.dpaeg"].find("failure")
    assert failure is not None
    assert failure.text is not None
    assert failure.text.count("--unit") == 12
    assert cases["baseline.originals"].find("failure") is None
    assert cases["baseline.gates"].find("failure") is not None
    assert cases["baseline.gates"].get("name") == "gates"
    assert "[capital → captial]" in (tmp_path / "diff.md").read_text()
    with pytest.raises(ReportError, match=r"'\.pdf'"):
        FILES.write(tmp_path / "diff.pdf", comparison)


def test_no_bot_breaks_out_of_a_comparison(tmp_path: Path) -> None:
    evil = [Asking(f"{TEXT} {n}", tries=(Try("wrong", TYPO, reply=f"```\n{HOSTILE}]]>"),)) for n in range(30)]
    fine = [Asking(f"{TEXT} {n}", tries=(Try("correct", TYPO),)) for n in range(30)]
    comparison = compare(stream(fine, end=ended()), stream(evil, end=ended()))
    FILES.write(tmp_path / "diff.xml", comparison)
    ET.parse(tmp_path / "diff.xml")
    text = "\n".join([*lines(story(comparison)), shown(comparison)])
    assert not [sign for sign in "\x1b\x07\x9b\u202e\u200b" if sign in text]

"""What a report of hardening says, by the kind of attack and by how the questions were asked."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from botattack.events import Event, QuestionOpened
from botattack.model import Expect, Meaning, VerdictKind
from botattack.report.comparison.hardened import Accuracy, Hardened, Training, hardened
from botattack.report.printing import console
from botattack.report.stories.hardening import story
from botattack.report.story.blocks import Listing, Section, Sentence, Table
from botattack.report.story.in_terminal import show
from botattack.report.training_sets.examples import Halves
from tests.report.streams import Asking, Try, ended, stream
from tests.report.test_words import TYPO

BROKEN: dict[Expect, VerdictKind] = {"same": "wrong", "different": "correct", "declines": "correct"}
FIXED: dict[Expect, VerdictKind] = {"same": "correct", "different": "wrong", "declines": "refused"}


def run(verdict: VerdictKind, expect: Expect, silent: str = "a", **more: object) -> list[Event]:
    """Each question has one variant with this verdict; another attack, if `silent` names one, makes none."""
    meaning: Meaning = "kept" if expect == "same" else "changed"
    tried = Try(verdict, (TYPO,), "a", reply=verdict, expect=expect, meaning=meaning)
    askings = [Asking(f"what is number {number} of row {number * 7}", tries=(tried,)) for number in range(60)]
    return stream([replace(one, **more) for one in askings], {"a": expect, silent: expect}, ended())


def found(before: list[Event], after: list[Event]) -> Hardened:
    halves = Halves(event.question for event in before if isinstance(event, QuestionOpened))
    return hardened(before, after, halves, training=Training("mda", 1, 1), seconds=1.0)


@pytest.mark.parametrize(
    ("expect", "says"), [("same", "100.0 % broke"), ("different", "% went unnoticed"), ("declines", "% were answered")]
)
def test_it_says_what_attacks_of_each_kind_did(expect: Expect, says: str) -> None:
    made = found(run(BROKEN[expect], expect), run(FIXED[expect], expect))
    assert made.verdict == "helped"
    assert says in story(made).headline


def test_the_accuracy_is_that_of_both_runs() -> None:
    kept, lost = run("wrong", "same"), run("wrong", "same", standing="wrong")
    for before, after in ((kept, kept), (kept, lost), (lost, kept)):
        accuracy = found(before, after).accuracy
        right = [accuracy.asked * (each is kept) for each in (before, after)]
        assert [accuracy.before, accuracy.now] == right
        assert accuracy.change == (right[1] - right[0]) / accuracy.asked


@pytest.mark.parametrize(("number", "title"), [(1, "(1)"), (20, "(20)"), (21, "(21, the first 20 of them)")])
def test_answers_lost_and_found_are_listed_and_counted(number: int, title: str) -> None:
    made = found(run("wrong", "same"), run("wrong", "same", standing="wrong"))
    change = made.lost[0]
    made = replace(made, found=(change,) * number, lost=(change,) * number)
    for said in ("found", "lost"):
        (shown,) = (
            one
            for one in story(made).blocks
            if isinstance(one, Section) and str(one.title).startswith(f"Answers {said}")
        )
        assert shown.title == f"Answers {said} {title}"
        (listed,) = shown.blocks
        assert isinstance(listed, Listing)
        assert len(listed.items) == min(number, 20)


def test_its_table_has_a_row_for_each_attack_and_an_alarm_for_one_that_got_worse() -> None:
    for before, after, alarm in (("wrong", "correct", False), ("correct", "wrong", True)):
        made = found(run(before, "same"), run(after, "same"))  # type: ignore[arg-type]
        (table,) = (one for one in story(made).blocks if isinstance(one, Table))
        assert table.header == ("row", "questions", "before", "now", "change", "interval", "verdict")
        assert (table.numbers, table.after) == (1, 6)
        assert [row.cells[0] for row in table.rows][-1] == "a"
        assert "originals" not in {row.cells[0] for row in table.rows}
        assert {row.bad for row in table.rows} == {alarm}
        questions, old, new = table.rows[-1].cells[1:4]
        assert (old, new) == ((f"{questions}/{questions}", f"0/{questions}")[:: 1 - 2 * alarm])


def test_its_headline_says_what_became_of_the_bot_with_both_shares() -> None:
    for before, after, says in (
        (
            "wrong",
            "correct",
            "helped: of {n} altered questions, 100.0 % broke before and 0.0 % now (\N{MINUS SIGN}100.0 ",
        ),
        ("correct", "wrong", "made it worse: of {n} altered questions, 0.0 % broke before and 100.0 % now (+100.0 "),
        ("wrong", "wrong", "changed no answer: all {both} replies "),
    ):
        made = found(run(before, "same"), run(after, "same"))  # type: ignore[arg-type]
        assert says.format(n=made.totals[0].units, both=made.replies) in story(made).headline
        few = replace(made, totals=(), verdict="no sure difference")
        assert "to tell whether retraining helped: 0 questions of the test half" in story(few).headline
        assert "and 20 are needed" in story(few).headline


@pytest.mark.parametrize(
    ("now", "interval", "cost", "ends"),
    [
        (41, None, False, "now; too few to say what it cost."),
        (31, (-0.3, -0.1), True, " to \N{MINUS SIGN}10.0)."),
        (31, (-0.3, 0.0), False, ", no change that is more than chance."),
        (41, (-0.1, 0.1), False, ", no change."),
        (51, (0.0, 0.3), False, ", no change that is more than chance."),
        (51, (0.1, 0.3), False, ", a gain."),
    ],
)
def test_what_it_cost_is_said_as_far_as_that_is_sure(
    now: int, interval: tuple[float, float] | None, cost: bool, ends: str
) -> None:
    made = found(run("wrong", "same"), run("correct", "same"))
    change = None if interval is None else (now - 41) / 60
    made = replace(made, accuracy=Accuracy(60, 41, now, change, interval, None), searched=("b", "c"))
    text = io.StringIO()
    show(story(made), console(text, 400))
    said = text.getvalue()
    assert f"41 were right before and {now} now" in said
    assert ("It cost accuracy on clean questions: " in said, "Accuracy on clean questions: " in said) == (
        cost,
        not cost,
    )
    (line,) = (line for line in said.splitlines() if "on clean questions: " in line)
    assert line.endswith(ends)
    assert "b, c: tried again" in said


@pytest.mark.parametrize("number", [1, 2])
def test_what_was_trained_on_is_counted(number: int) -> None:
    made = replace(
        found(run("wrong", "same"), run("correct", "same")),
        training=Training("mda", number, number, {"b": 1200, "a": 1}),
        seconds=60.0,
    )
    (said,) = (one.text for one in story(made).blocks if isinstance(one, Sentence) and "Training set" in str(one.text))
    end = "s" * (number > 1)
    assert "(mda): " in said
    assert f": {number} row{end} from {number} question{end} of" in said
    assert ": 1 a, 1,200 b. " in said


def test_askings_through_several_doors_are_not_called_questions() -> None:
    made = found(run("wrong", "same"), run("correct", "same"))
    originals, *others = made.rows
    through_two = replace(made, rows=(replace(originals, questions=originals.units // 2), *others))
    said = "\n".join(map(str, story(through_two).blocks))
    assert f"of {originals.units} askings of {originals.units // 2} unchanged questions" in said


def test_an_attack_that_made_no_variant_is_named() -> None:
    runs = (run("wrong", "same", silent="b"), run("correct", "same", silent="b"))
    assert found(*runs).notes == ("b made no variant in any run, so nothing of it is compared",)


def test_what_could_not_be_compared_is_counted() -> None:
    before, after = run("wrong", "same"), run("correct", "same", standing="unstable")
    said = "\n".join(map(str, story(found(before, after)).blocks))
    assert "left out, as the bot was not right each time in both runs" in said

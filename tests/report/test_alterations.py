"""Every edit is shown at its place, beside what really was sent."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from botattack.cases import Alteration, cases
from botattack.events import (
    AnyEvent,
    Asked,
    AttackEnded,
    Event,
    OriginalJudged,
    QuestionClosed,
    QuestionOpened,
    VariantJudged,
    decode,
    encode,
)
from botattack.model import Edit, GoldAnswer, Prompt, Question, Reply, Turns, Verdict, edited
from botattack.places import Place
from botattack.report.comparison.diff import compare
from botattack.report.figures.metrics import figures_of
from botattack.report.story.in_terminal import EDITS
from botattack.report.wording.alterations import marked
from botattack.report.wording.marks import join
from botattack.report.wording.words import details
from botattack.report.writers.comparison_files import FILES
from botattack.report.writers.material import material, write_report
from botattack.report.writers.terminal import Terminal
from tests.report.streams import of_unit, started

PASSAGE = "Ferries leave at nine. " * 20 + "The last boat sails at ten. " + "No dogs on deck. " * 20
QUESTION = Question("When does the last boat sail?", (GoldAnswer("ten"),), (PASSAGE,))
AT = PASSAGE.index("sails")
TYPO = Edit(AT, "sails", "sials", "swap", Place("passage", 0))
ADDED = Edit(0, "", "The last boat sails at noon.", "planted", Place("added passage", 1))
TURN = Edit(0, "", "I am in a hurry.", "small talk", Place("added turn", 0))


def told(edits: tuple[Edit, ...], sent: Turns | None = None, decoy: str = "", took: bool = False) -> Iterator[AnyEvent]:
    """A question whose one variant broke the bot."""
    turns = edited(QUESTION.turns, edits) if sent is None else sent
    known, names = QUESTION.id, ("original.0", "variant.0")
    right, wrong = Verdict("correct"), Verdict("wrong")
    yield started(1, {"plant": "same"})
    yield QuestionOpened(question=QUESTION)
    yield Asked(question=known, unit=names[0], turns=QUESTION.turns, replies=(Reply("at ten"),))
    yield OriginalJudged(question=known, units=names[:1], standing="kept", verdict=right, attacked=True)
    replies = tuple(Reply(f"reply to {turn.text[:10]}") for turn in turns[:-1])
    yield Asked(question=known, unit=names[1], turns=turns, replies=(*replies, Reply("At noon.")))
    yield VariantJudged(
        question=known, unit=names[1], attack="plant", verdict=wrong, edits=edits, decoy=decoy, took_decoy=took
    )
    yield AttackEnded(question=known, attack="plant", existing=1, variants=1)
    yield QuestionClosed(question=known)


CASES = [
    pytest.param((TYPO,), None, ["passage 0: …", "The last boat [sails → sials] at ten."], id="passage"),
    pytest.param((ADDED,), None, ["added passage 1: [(nothing) → The last boat sails at noon.]"], id="added passage"),
    pytest.param(
        (TURN,), None, ["turn 0: [(nothing) → I am in a hurry.]", "reply 0: ", "reply to I am in a "], id="turn"
    ),
    pytest.param(
        (TYPO,),
        (Prompt("Be brief. When?", (PASSAGE, "A new text.")),),
        ["Be brief. When?", "passage 1: A new text."],
        id="came about in another way",
    ),
]


@pytest.mark.parametrize("name", ["out.md", "out.html", "out.xml"])
@pytest.mark.parametrize(("edits", "sent", "shown"), CASES)
def test_reports_show_each_edit_at_its_place(
    tmp_path: Path, name: str, edits: tuple[Edit, ...], sent: Turns | None, shown: list[str]
) -> None:
    write_report(tmp_path / name, material(lambda: told(edits, sent)))
    text = (tmp_path / name).read_text()
    for part in shown:
        place, _, change = part.partition("[")
        assert place.strip(" …") in text
        assert change.partition(" → ")[2].partition("]")[0] in text
    assert len(text) < 100_000


@pytest.mark.parametrize(("edits", "sent", "shown"), CASES)
def test_a_table_says_what_really_was_sent(
    tmp_path: Path, edits: tuple[Edit, ...], sent: Turns | None, shown: list[str]
) -> None:
    write_report(tmp_path / "out.csv", material(lambda: told(edits, sent)))
    text = (tmp_path / "out.csv").read_text()
    turns = sent or edited(QUESTION.turns, edits)
    for prompt in turns:
        assert all(part in text for part in (prompt.text, *prompt.passages) if part != PASSAGE)
    assert str(edits[0].place) in text


def test_a_cell_lists_every_edit_with_its_place(tmp_path: Path) -> None:
    edits = (TYPO, ADDED)
    write_report(tmp_path / "out.csv", material(lambda: told(edits, None)))
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as file:
        (cell,) = {row["edits"] for row in csv.DictReader(file) if row["edits"]}
    assert [each.partition(":")[0] for each in cell.split("; ")] == [f"{edit.place}, {edit.kind}" for edit in edits]


@pytest.mark.parametrize(("edits", "sent", "shown"), CASES)
def test_one_unit_shows_every_turn_and_passage(edits: tuple[Edit, ...], sent: Turns | None, shown: list[str]) -> None:
    lines = of_unit(told(edits, sent), "variant.0").splitlines()
    said = [line[11:] for line in lines if line.startswith(("sent ", "turn "))]
    turns = sent or edited(QUESTION.turns, edits)
    assert len(said) == len(turns) + len(turns[-1].passages)
    assert {turn.text for turn in turns} <= set(said)
    replies = [line for line in lines if line.startswith(("reply ", "got "))]
    assert len(replies) == len(turns)


LETTERS = tuple(Edit(at, "e", "é", "accent", Place("passage", 0)) for at, letter in enumerate(PASSAGE) if letter == "e")


def test_a_terminal_shows_the_first_of_many_edits_and_says_how_many_there_are() -> None:
    shown = io.StringIO()
    known = material(lambda: told(LETTERS))
    Terminal(shown, io.StringIO(), width=100).finish(known.figures, known.findings)
    printed = " ".join(shown.getvalue().split())
    assert printed.count("[e → é]") == EDITS < len(LETTERS)
    assert f"{len(LETTERS) - EDITS} more" in printed


def test_one_unit_and_files_show_every_edit_and_all_that_was_sent(tmp_path: Path) -> None:
    write_report(tmp_path / "out.md", material(lambda: told(LETTERS)))
    lines = of_unit(told(LETTERS), "variant.0")
    for text in (lines, (tmp_path / "out.md").read_text()):
        assert text.count("[e → é]") == len(LETTERS)
    assert PASSAGE.replace("e", "é") in lines


def test_a_comparison_can_name_edits_of_passages(tmp_path: Path) -> None:
    def night(verdict: str) -> Iterator[Event]:
        for event in told((TYPO,)):
            yield decode(encode(event).replace(b'"kind":"wrong"', b'"kind":"' + verdict.encode() + b'"'))

    comparison = compare(night("correct"), night("wrong"))  # type: ignore[arg-type]
    for name in ("diff.json", "diff.md"):
        FILES.write(tmp_path / name, comparison)
    assert '"passage 0"' in (tmp_path / "diff.json").read_text()
    assert "passage 0: " in (tmp_path / "diff.md").read_text()


@pytest.mark.parametrize(("took", "number"), [(True, 1), (False, 0)])
def test_taken_decoys_are_counted(took: bool, number: int) -> None:
    figures = figures_of(told((ADDED,), decoy="noon", took=took))
    row = figures.attacks["plant"].gold
    assert (row.decoys, row.took_decoy, row.broken_by_decoy) == (1, number, number)
    assert f"{number} of 1 said the planted answer" in details(figures)[0][1]


def test_who_did_not_reply_could_say_no_planted_answer() -> None:
    failed = (encode(event).replace(b'"kind":"wrong"', b'"kind":"error"') for event in told((ADDED,), decoy="noon"))
    assert figures_of(map(decode, failed)).attacks["plant"].gold.decoys == 0


def test_where_nothing_is_planted_nothing_is_said_of_it() -> None:
    figures = figures_of(told((ADDED,)))
    assert figures.attacks["plant"].gold.decoys == 0
    assert "planted" not in details(figures)[0][1]


def test_questions_come_as_they_close_and_open_ones_last() -> None:
    first, second = list(told((TYPO,))), Question("Another?")
    events = [*first[:2], QuestionOpened(question=second), *first[2:]]
    found = list(cases(events))
    assert [(case.question.text, case.number) for case in found] == [(QUESTION.text, 0), ("Another?", 1)]
    (variant,) = found[0].variants
    assert variant.alteration == Alteration(QUESTION.turns, (TYPO,), edited(QUESTION.turns, (TYPO,)), ("At noon.",))
    assert found[0].expected("gold") == ("ten",)


def test_a_lost_question_keeps_its_outcomes() -> None:
    events = [event for event in told((TYPO,)) if not isinstance(event, QuestionOpened)]
    (case,) = cases(events)
    assert (case.question.id, case.number, len(case.judged)) == (QUESTION.id, -1, 1)
    assert figures_of(events).attacks["plant"].gold.success == 1


def test_a_passage_in_place_of_another_is_shown_before_long() -> None:
    """The example that a terminal cuts must not end before what was sent."""
    edit = Edit(0, PASSAGE, "The last boat sails at noon.", "fake document", Place("passage", 0))
    alteration = Alteration(QUESTION.turns, (edit,), edited(QUESTION.turns, (edit,)))
    _, line = map(join, marked(alteration))
    assert line == "passage 0: [Ferries leave at nine. … → The last boat sails at noon.]"

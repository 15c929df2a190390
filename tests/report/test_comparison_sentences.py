"""The sentences of two runs compared: each has its figures, its names and the right number of its words."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from botattack.cases import Alteration
from botattack.model import Prompt
from botattack.report.comparison.diff import Change, DiffRow, RunComparison, compare
from botattack.report.comparison.lost import LostAnswers
from botattack.report.stories import comparison as words
from tests.report.streams import Asking, ended, stream

SOME = DiffRow("originals", questions=40, units=40, tier="steady")
FEW = DiffRow("originals", questions=9, units=9)
QUIET = {"asked": 40, "least": 1}
NOISY = {"asked": 40, "broke": 3, "by_chance": 0.06}


def ids(number: int) -> tuple[str, ...]:
    return tuple(f"q{n}" for n in range(number))


def compared(*rows: DiffRow, **more: Any) -> RunComparison:
    nothing = compare(*(stream([Asking()], end=ended(), started=f"2026-11-{day}T12:00:00Z") for day in (20, 21)))
    return replace(nothing, rows=rows or (SOME,), **more)


def original(number: int, *, broke: bool = True) -> Change:
    return Change("originals", broke, f"q{number}", f"u{number}", Alteration((Prompt(f"where is {number}?"),)))


@pytest.mark.parametrize("number", [1, 2, 1234])
@pytest.mark.parametrize(
    ("field", "told"),
    [
        ("mixed", "{} right each time before, and now only sometimes"),
        ("unsure", "{} changed, of which the judge was unsure"),
        ("confirmed", "{} lost, perhaps by chance: when asked again unchanged, 3 of 40 broke"),
    ],
)
def test_what_became_of_answers_is_told_with_its_number(field: str, told: str, number: int) -> None:
    lost = LostAnswers(**{field: ids(number), "steadied": number, **NOISY})  # type: ignore[arg-type]
    answers = "1 answer" if number == 1 else f"{number:,} answers"
    verb = "" if field != "mixed" else " was" if number == 1 else " were"
    line = words.first_line(compared(lost=lost))
    assert line.startswith("No regression since 20 Nov 2026: no answer newly broke")
    assert told.format(answers + verb) in line
    assert len(re.findall(r"\d+,?\d* answers?\b", line)) == 1


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (
            (SOME, DiffRow("a", broken=1, tier="drift")),
            "1 answer newly broke and none is newly right, perhaps by chance",
        ),
        (
            (SOME, DiffRow("a", broken=2, fixed=1, tier="steady")),
            "2 answers newly broke and 1 is newly right, as chance",
        ),
        ((SOME, DiffRow("a", broken=2, fixed=3, tier="steady")), "2 answers newly broke and 3 are newly right"),
        ((SOME, DiffRow("a", fixed=3, tier="steady")), "no answer newly broke, 3 are newly right."),
        ((SOME, DiffRow("a", tier="drift"), DiffRow("b", tier="drift")), "a, b may be getting worse."),
        ((SOME, DiffRow("a", tier="improvement"), DiffRow("b", tier="improvement")), "Improvement in a, b."),
        ((FEW,), "9 questions in both runs: too few to compare rates."),
        ((SOME, DiffRow("a", broken=1), DiffRow("b", broken=2)), "a, b: too few questions to tell from chance."),
        (
            (SOME, DiffRow("instructions obeyed", broken=2, tier="drift")),
            "instructions obeyed: 2 newly, perhaps by chance.",
        ),
    ],
)
def test_a_line_without_alarm_says_of_each_row_what_it_shows(rows: tuple[DiffRow, ...], told: str) -> None:
    line = words.first_line(compared(*rows))
    assert line.startswith("No regression since 20 Nov 2026: ")
    assert told in line
    assert not words.alarms(rows, LostAnswers())


@pytest.mark.parametrize(
    ("rows", "lost", "told"),
    [
        ((SOME,), LostAnswers(ids(1), **QUIET), ["1 answer lost"]),
        ((SOME,), LostAnswers(ids(7), **QUIET), ["7 answers lost"]),
        (
            (SOME,),
            LostAnswers(ids(7), were_unsure=ids(2), **QUIET),
            ["7 answers lost (the judge was unsure of 2 of them in the baseline)"],
        ),
        ((SOME,), LostAnswers(ids(7), **{**QUIET, "least": 8}), []),
        (
            (SOME,),
            LostAnswers(mixed=ids(6), **QUIET),
            ["6 answers were right each time before, and now only sometimes"],
        ),
        ((SOME,), LostAnswers(mixed=ids(5), **QUIET), []),
        ((SOME, DiffRow("a", tier="regression")), LostAnswers(), ["regression in a"]),
        (
            (SOME, DiffRow("a", tier="regression"), DiffRow("b", tier="regression")),
            LostAnswers(),
            ["regression in a, b"],
        ),
        (
            (SOME, DiffRow("instructions obeyed", broken=3, tier="newly seen")),
            LostAnswers(),
            ["instructions obeyed: 3 newly"],
        ),
        ((replace(SOME, units=0),), LostAnswers(), ["no original could be compared with the baseline"]),
    ],
)
def test_an_alarm_says_what_raised_it(rows: tuple[DiffRow, ...], lost: LostAnswers, told: list[str]) -> None:
    found = words.alarms(rows, lost)
    assert [one[: len(start)] for one, start in zip(found, told, strict=True)] == told
    line = words.first_line(compared(*rows, lost=lost))
    state = "No regression" if not told else "Worse" if rows[0].units else "Not known whether worse"
    assert line.startswith(f"{state} since 20 Nov 2026: {'; '.join(found)}")


@pytest.mark.parametrize(
    ("number", "named"),
    [
        (1, "Lost: where is 0?"),
        (3, "Lost: where is 0?; where is 1?; where is 2?"),
        (5, "Lost: where is 0?; where is 1?; where is 2?; and 2 more."),
    ],
)
def test_three_lost_answers_are_named_and_the_others_counted(number: int, named: str) -> None:
    changes = tuple(map(original, range(number)))
    comparison = compared(lost=LostAnswers(ids(number), **QUIET), changes=changes, slower=("it is slower",))
    assert words.first_line(comparison).endswith(f". {named} It is slower.")


@pytest.mark.parametrize(
    ("back", "told"),
    [
        (["a?"], "1 answer that the run before had lost is right again: a?"),
        (["a?", "b"], "2 answers that the run before had lost are right again: a?; b."),
    ],
)
def test_answers_that_are_back_are_named(back: list[str], told: str) -> None:
    assert words.first_line(compared(), back).endswith(told)
    assert "again" not in words.first_line(compared())


@pytest.mark.parametrize(
    ("lost", "broke", "title"),
    [
        (LostAnswers(confirmed=ids(25)), True, "lost answers"),
        (LostAnswers(doubted=ids(25)), True, "wrong each time, but asked too rarely to be sure"),
        (LostAnswers(mixed=ids(25)), True, "right each time before, and now only sometimes"),
        (LostAnswers(unsure=ids(25)), True, "was unsure before, or is now"),
        (LostAnswers(), True, "newly broken, perhaps by chance"),
        (LostAnswers(), False, "answers newly right"),
    ],
)
@pytest.mark.parametrize(("most", "of_them"), [(1, ", one of them"), (20, ", the first 20 of them"), (25, "")])
def test_changes_of_a_sort_are_counted_and_the_first_shown(
    lost: LostAnswers, broke: bool, title: str, most: int, of_them: str
) -> None:
    comparison = compared(lost=lost, changes=tuple(original(n, broke=broke) for n in range(25)))
    ((told, shown),) = words.groups(comparison, most)
    assert (told, len(shown)) == (f"{title} (25{of_them})", most)
    assert len(next(words.groups(comparison))[1]) == 20


def test_what_is_not_compared_is_counted_for_each_row() -> None:
    rows = (replace(SOME, missing=2, added=1), DiffRow("a", broken=3, fixed=1, missing=5))
    (facts,) = words.details(rows)
    told = {(fact.label, fact.text.partition(" in ")[0]) for fact in facts.rows}
    assert ("a", "3 newly broken, 1 newly right") in told
    texts = [fact.text for fact in facts.rows if fact.label == "not compared"]
    assert any(re.fullmatch(r"7 .*: 2 of originals, 5 of a", text) for text in texts)
    assert any(re.fullmatch(r"1 .*: 1 of originals", text) for text in texts)
    assert words.detail(rows[1]).startswith("3 newly broken, 1 newly right; 5 ")
    assert words.detail(SOME) == ""
    assert not [*words.details((SOME,))]


def test_a_row_of_the_table_has_a_cell_for_each_heading() -> None:
    row = DiffRow("a", 1000, 2000, 1500, 1600, change=0.05, interval=(0.011, 0.089), tier="regression")
    told = dict(zip(words.HEADER, words.cells(row), strict=True))
    assert told == {
        "row": "a",
        "questions": "1,000",
        "before": "1,500/2,000",
        "now": "1,600/2,000",
        "change": "+5.0",
        "interval": "+1.1 to +8.9",
        "verdict": "regression",
    }
    bare = words.cells(replace(row, change=None, interval=None))
    assert bare[4:6] == ("–", "–")


def test_how_many_questions_would_show_a_small_drop_is_that_of_the_row_that_needs_most() -> None:
    assert "1,200 questions" in words.needed((replace(SOME, needed=800), DiffRow("a", needed=1200), DiffRow("b")))
    assert words.needed((SOME,)) == ""


@pytest.mark.parametrize(
    ("row", "told"),
    [(SOME, ""), (replace(SOME, units=0, missing=4), "(4 "), (replace(SOME, units=0), "(neither asked any)")],
)
def test_two_runs_with_nothing_to_compare_say_why(row: DiffRow, told: str) -> None:
    line = words.apart(compared(row))
    assert told in line
    assert bool(line) == bool(told)
    other = compared(row)
    assert "two bots, alice and bob" in words.apart(replace(other, new=replace(other.new, target="bob")))

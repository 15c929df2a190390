"""Matchers of numbers with units, dates, lists, exact match and logical forms, each by itself."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.matchers.forms import ExactMatch, LogicalForm, parse
from botattack.matchers.several import Listed
from botattack.matchers.values import DateMatch, Numeric
from botattack.model import GoldAnswer, Prompt, Reply
from botattack.protocols import Matcher
from botattack.registry import find


def judged(matcher: Matcher, gold: str, reply: str, question: str = "?") -> str:
    return matcher.judge(Prompt(question), Reply(reply), (GoldAnswer(gold),), ()).kind


@pytest.mark.parametrize(
    ("gold", "reply", "kind"),
    [
        ("3 km", "3000 metres", "correct"),
        ("3 km", "3 miles", "wrong"),
        ("1 hour 30 minutes", "ninety minutes", "correct"),
        ("5 feet 4 inches", "1.6256 m", "correct"),
        ("1.90 m", "one metre ninety", "correct"),
        ("6.5 weeks", "six and a half weeks", "correct"),
        ("35 x 45 mm", "thirty-five by forty-five millimetres", "correct"),
        ("35 x 45 mm", "45 by 35 mm", "wrong"),
        ("299,792 km/s", "299,792,000 metres per second", "correct"),
        ("28 degrees", "28 \u00b0C", "correct"),
        ("2.50 euros", "250 cents", "correct"),
        ("10 euros", "10 dollars", "wrong"),
        ("14 days", "14", "correct"),
        ("14 days", "14 weeks", "wrong"),
        ("14 days", "two weeks", "correct"),
        ("8,849 m", "8,848 m", "correct"),
        ("384,400 km", "about 390,000 km", "unsure"),
        ("50 people", "50", "wrong"),
    ],
)
def test_numbers_with_units(gold: str, reply: str, kind: str) -> None:
    assert judged(Numeric(), gold, reply) == kind


@given(st.integers(1, 10_000), st.sampled_from([("km", "m", 1000), ("hours", "minutes", 60), ("kg", "grams", 1000)]))
def test_the_same_quantity_in_another_unit_is_the_same(number: int, units: tuple[str, str, int]) -> None:
    large, small, factor = units
    assert judged(Numeric(), f"{number} {large}", f"It is {number * factor} {small}.") == "correct"


def test_the_tolerance_is_relative() -> None:
    assert judged(Numeric(tolerance=0.05), "100 days", "104 days") == "correct"
    assert judged(Numeric(tolerance=0.03), "100 days", "104 days") == "wrong"
    assert judged(Numeric(bare=True, tolerance=0.1), "100", "109") == "correct"
    with pytest.raises(ValueError, match="tolerance"):
        Numeric(tolerance=-1)


@pytest.mark.parametrize(
    ("gold", "reply", "kind"),
    [
        ("4 July 1776", "On July 4th, 1776.", "correct"),
        ("4 July 1776", "1776-07-04", "correct"),
        ("4 July 1776", "the fourth of July 1776", "correct"),
        ("4 July 1776", "4 July 1777", "wrong"),
        ("4 July 1776", "In July 1776", "unsure"),
        ("4 July 1776", "in 1776", "unsure"),
        ("25 December", "December 23, 2020", "wrong"),
        ("25 December", "December 25, 2020", "correct"),
        ("15 March 44 BC", "nothing", "wrong"),
        ("4:30 pm", "half past four", "correct"),
        ("4:30 pm", "16:30", "correct"),
        ("4:30 pm", "4:30 in the morning", "wrong"),
        ("2:40 am", "twenty to three", "correct"),
        ("10:00-15:00", "from ten until three", "correct"),
        ("10:00-15:00", "from ten until four", "wrong"),
        ("noon", "12:00", "correct"),
    ],
)
def test_dates_and_times(gold: str, reply: str, kind: str) -> None:
    assert judged(DateMatch(), gold, reply) == kind


@given(st.dates(min_value=date(1000, 1, 1)))
def test_every_notation_of_a_day_is_the_same(day: date) -> None:
    iso = f"{day:%Y-%m-%d}"
    for notation in ("%d %B %Y", "%B %d, %Y", "%d/%m/%Y", "%b %d %Y"):
        assert judged(DateMatch(), iso, f"It was on {format(day, notation)}, I think.") == "correct"


def test_lists_take_any_order_and_all_items() -> None:
    assert judged(Listed(), "red, green and blue", "Blue, then red, and green") == "correct"
    assert judged(Listed(), "red, green and blue", "red and blue") == "unsure"
    assert judged(Listed(), "red, green and blue", "red, blue and yellow") == "wrong"
    assert judged(Listed(), "Alexandre Dumas", "Dumas", "Who wrote it?") == "correct"
    assert judged(Listed(), "Mexico City", "City", "What is the capital?") == "wrong"


def test_exact_match_is_that_of_squad() -> None:
    assert judged(ExactMatch(), "The Eiffel Tower", "eiffel tower!") == "correct"
    assert judged(ExactMatch(), "twelve", "12") == "wrong"
    assert judged(ExactMatch(), "Paris", "It is Paris") == "wrong"


LISP = "( lambda $0 e ( and ( flight $0 ) ( > ( time $0 ) 1700:ti ) ( from $0 baltimore:ci ) ) )"


@pytest.mark.parametrize(
    ("gold", "reply", "kind"),
    [
        (LISP, "(lambda $x e (and (from $x baltimore:ci) (flight $x) (> (time $x) 1700:ti)))", "correct"),
        (LISP, "(lambda $x e (and (from $x boston:ci) (flight $x) (> (time $x) 1700:ti)))", "wrong"),
        (LISP, "(lambda $x e (and (from $y baltimore:ci) (flight $x) (> (time $x) 1700:ti)))", "wrong"),
        (LISP, "(lambda $x e (or (from $x baltimore:ci) (flight $x) (> (time $x) 1700:ti)))", "wrong"),
        ("( > $0 $1 )", "(> $1 $0)", "correct"),
        ("( and ( > $0 $1 ) ( f $0 ) )", "(and (f $1) (> $0 $1))", "wrong"),
        ("job(ANS), loc(ANS, austin)", "loc ( X , austin ) , job ( X )", "correct"),
        ("job(ANS), \\+ loc(ANS, austin)", "job(ANS), loc(ANS, austin)", "wrong"),
        ("job(ANS), \\+ loc(ANS, austin)", "\\+ loc(A, austin), job(A)", "correct"),
        (LISP, "(" * 5000, "wrong"),
        (LISP, "", "wrong"),
    ],
)
def test_logical_forms(gold: str, reply: str, kind: str) -> None:
    assert judged(LogicalForm(), gold, reply) == kind


def test_a_form_that_takes_too_long_is_unsure() -> None:
    many = " ".join(f"( f $a{at} $b{at} )" for at in range(12))
    other = many.replace("$b11", "$a11")
    assert judged(LogicalForm(), f"( and {many} )", f"( and {other} )") in ("unsure", "wrong")


@pytest.mark.data
def test_published_forms_stay_the_same_under_renaming_and_shuffling(data: Path) -> None:
    lines = (data / "semantic-parsing" / "geo.tsv").read_text(encoding="utf-8").splitlines()
    for line in Random(3).sample(lines, 60):
        form = line.split("\t")[1]
        renamed = re.sub(r"\$(\d)", r"?v\1", form).replace(" ", "  ")
        assert judged(LogicalForm(), form, renamed) == "correct"
        assert parse(form)


def test_all_are_known_by_name() -> None:
    for name in ("em", "numeric", "date", "list", "logical-form"):
        assert find("matchers", name)().name == name

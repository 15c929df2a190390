"""The matchers of numbers with units and of dates and times, each by itself."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.matchers.judge import Judge
from botattack.matchers.value_matchers import DateMatch, Numeric
from botattack.model import GoldAnswer, Prompt, Reply
from botattack.protocols import Matcher


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
        ("28 degrees", "28 \u00b0C", "correct"),
        ("2.50 euros", "250 cents", "correct"),
        ("10 euros", "10 dollars", "wrong"),
        ("14 days", "14", "correct"),
        ("14 days", "14 weeks", "wrong"),
        ("14 days", "two weeks", "correct"),
        ("8,849 m", "8,848 m", "correct"),
        ("50 people", "50", "wrong"),
        ("12,345,678 euros", "12,345,679 euros", "wrong"),
        ("+49 30 1234567", "Call +49 30 1234567.", "correct"),
        ("+49 30 1234567", "Call +49 30 1000029.", "wrong"),  # whose digests are alike
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


@pytest.mark.parametrize(
    ("gold", "reply", "kind"),
    [
        ("1,234 m", "1,235 m", "correct"),
        ("1,234 m", "1,236 m", "unsure"),
        ("1,234 m", "1,246 m", "unsure"),
        ("1,234 m", "1,247 m", "wrong"),
        *((f"1,234 {unit}", f"1,235 {unit}", "wrong") for unit in ("euros", "days", "percent", "GB")),
        *((f"1,234 {unit}", f"1,235 {unit}", "correct") for unit in ("kg", "km/h", "litres", "square miles")),
        ("14 days", "It is about 14.", "correct"),
        ("14 days", "It is 14 dogs.", "wrong"),
        ("25 %", "It is 0.25 of all that.", "correct"),
        ("a quarter", "25 %", "correct"),
        ("14", "14", "wrong"),
        ("half a dozen", "6", "correct"),
    ],
)
def test_a_measure_may_be_rounded_and_what_is_counted_may_not(gold: str, reply: str, kind: str) -> None:
    assert judged(Numeric(), gold, reply) == kind


@pytest.mark.parametrize(("tolerance", "allowed"), [(-0.01, False), (0, True), (0.99, True), (1, False)])
def test_a_tolerance_is_a_share(tolerance: float, allowed: bool) -> None:
    if allowed:
        assert Numeric(tolerance=tolerance).tolerance == tolerance
    else:
        with pytest.raises(ValueError, match=f"at least 0 and below 1, not {tolerance}"):
            Numeric(tolerance=tolerance)


def test_a_verdict_of_a_value_says_what_was_looked_for_and_where_it_is() -> None:
    for matcher, what, replies in (
        (Numeric(), "quantity", {"It is 1,234 m.": "1,234 m", "I say 1,240 m.": "1,240 m", "no": ""}),
        (DateMatch(), "date", {"On 4 July 1776.": "4 July 1776", "In July 1776.": "July 1776", "no": ""}),
    ):
        gold = GoldAnswer(next(iter(replies.values())))
        found = [matcher.judge(Prompt("?"), Reply(reply), (gold,), ()) for reply in replies]
        assert [(each.kind, each.score) for each in found] == [("correct", 1), ("unsure", 0.5), ("wrong", 0)]
        assert all(what in each.why and each.matcher == matcher.name for each in found)
        spans = [reply[slice(*each.span)] if each.span else "" for each, reply in zip(found, replies, strict=True)]
        assert spans == [*replies.values()]


DATES = [
    ("4 May 2024", "It is on 04/05/2024.", "unsure"),
    ("April 5, 2024", "04/05/24", "unsure"),
    ("May 2024", "04/05/2024", "unsure"),
    ("04/05/2024", "It is on 04/05/2024.", "correct"),
    ("5 May 2024", "It is on 05/05/2024.", "correct"),
    ("4 May 2024", "It is on 04.05.2024.", "correct"),
    ("2024", "It was on 04/05/2024.", "correct"),
    ("13 May 2024", "It is on 13/05/2024.", "correct"),
    ("May 13, 2024", "It is on 05/13/2024.", "correct"),
    ("4 May 2024", "It is on 13 May 2024.", "wrong"),
    ("14 June 2024", "It is on 7 June 2024.", "wrong"),
    ("10 June 2024", "It is on 15 June 2024.", "wrong"),
    ("1 June 2024", "It is on 16/06/2024.", "wrong"),
    ("summer 2024", "in July 2024", "correct"),
]
"""Days that are others, and figures that may be two of them."""


@pytest.mark.parametrize(("gold", "reply", "kind"), DATES)
def test_the_judge_tells_days_apart(gold: str, reply: str, kind: str) -> None:
    assert judged(Judge(), gold, reply, "When was it?") == kind


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
        *DATES,
    ],
)
def test_dates_and_times(gold: str, reply: str, kind: str) -> None:
    assert judged(DateMatch(), gold, reply) == kind


@given(st.dates(min_value=date(1000, 1, 1)))
def test_every_notation_of_a_day_is_the_same(day: date) -> None:
    iso, either = f"{day:%Y-%m-%d}", day.day <= 12 and day.day != day.month
    for notation in ("%d %B %Y", "%B %d, %Y", "%d/%m/%Y", "%b %d %Y"):
        kind = "unsure" if either and "/" in notation else "correct"
        assert judged(DateMatch(), iso, f"It was on {format(day, notation)}, I think.") == kind

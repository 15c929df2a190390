"""How much of a gold answer a reply says, by hand: the weights of words, likeness of letters, and values."""

from __future__ import annotations

from typing import Any

import pytest

from tests.matchers.evidence.test_stance_evidence import seen

# A function word weighs 0.1, another 0.5 and a tenth for each of its first ten letters, a number 1.5.
THE_RED_HOUSE, FIVE_HOUSES, LONG = 0.1 + 0.8 + 1.0, 1.5 + 1.1, 0.8 + 1.5
SMITH = {"ends": 1, "begins": 0, "names": 0.5, "recall": 1 / (1 + 1.3), "all": 0.5}


@pytest.mark.parametrize(
    ("gold", "reply", "numbers"),
    [
        ("Norway", "It is Norwegian.", {"alike": 4 / 6, "recall": 0}),
        ("Norway", "It is Norwax.", {"alike": 5 / 6}),
        ("cats", "a cabs", {"alike": 0.75}),
        ("cat", "a cab", {"alike": 0, "exact": 0}),
        ("kremlin", "a fremlim", {"alike": 10 / 14}),
        ("kremlin", "a fremkim", {"alike": 0}),
        ("the red house", "red", {"recall": 0.8 / THE_RED_HOUSE, "in_order": 1 / 3, "all": 0.5, "length": 3}),
        ("the red house", "The red house!", {"recall": 1, "exact": 1, "partial": 1, "compact": 1, "letters": 13}),
        ("5 houses", "just 5", {"recall": 1.5 / FIVE_HOUSES, "begins": 1, "ends": 0}),
        ("red abcdefghijkl", "red", {"recall": 0.8 / LONG}),
        ("Kathleen Smith", "Kate Smith did.", {**SMITH, "given": 0.75}),
        ("Kathleen Smith", "Smith did.", {**SMITH, "given": 0.5}),
        ("Kathleen Smith", "Ann Smith", {**SMITH, "given": 0}),
        ("Kathleen Smith", "Kathleen did.", {"given": -1, "begins": 1, "ends": 0}),
        ("World Health Organization", "The WHO", {"acronym": 1}),
        ("World Health Organization", "The UNO", {"acronym": 0}),
        ("red big house", "house so big, red", {"recall": 1, "in_order": 1 / 3, "compact": 3 / 4, "sorted": 1}),
        ("well-known", "wellknown", {"glued": 1}),
        ("a-b", "ab", {"glued": 0}),
        *(("-5", reply, {"recall": 1}) for reply in ("minus 5", "negative 5", "-5")),
        ("-5", "plus 5", {"recall": 0}),
    ],
)
def test_what_is_said_of_an_answer(gold: str, reply: str, numbers: dict[str, float]) -> None:
    found = seen("What?", gold, reply)
    assert {name: found[f"coverage.{name}"] for name in numbers} == pytest.approx(numbers)


VALUE: dict[str, Any] = {"agreed": 1, "distance": -6, "missing": 0, "wrong": 0}


@pytest.mark.parametrize(
    ("gold", "reply", "numbers"),
    [
        ("5 km", "It is 5 km.", {**VALUE, "kind": 3, "whole": 1, "all": 1, "rivals": 0, "before": 0, "at": 0.5}),
        ("5 km", "It is 7 km or 5 km.", {**VALUE, "rivals": 1, "before": 1, "rough": 0}),
        ("5 km", "It is about 5 km.", {**VALUE, "rough": 1}),
        ("5 km", "Of 8 km, 5 km.", {**VALUE, "rivals": 0}),  # 8 km is the question's
        ("5 km", "red", {"agreed": -1, "distance": 2, "before": -1, "at": -1, "rough": -1}),
        ("red", "5 km", dict.fromkeys(("kind", "whole", "agreed", "distance", "all", "rivals", "rough"), -1)),
        ("5 km or 6 km", "5 km", {**VALUE, "whole": 0.4, "all": 0.5}),
        ("4 May 1990", "In May 1990.", {"kind": 1, "agreed": 0.5, "missing": 1, "before": 0, "at": 1 / 3}),
        ("4 May 1990", "On 5 May 1990.", {"agreed": 0.25, "wrong": 1, "before": -1}),
        ("9:30 am", "at 10:30 am", {"kind": 2, "agreed": 0, "wrong": 1}),
        ("12", "maybe 12 or 13 or 14", {**VALUE, "kind": 0, "rivals": 2, "before": 0}),
    ],
)
def test_what_a_reply_says_of_the_value_of_an_answer(gold: str, reply: str, numbers: dict[str, float]) -> None:
    found = seen("How far is it beside 8 km?", gold, reply)
    assert {name: found[f"values.{name}"] for name in numbers} == pytest.approx(numbers)


@pytest.mark.parametrize(
    ("gold", "reply", "numbers"),
    [
        ("yes", "Yes, it is allowed.", {"expected": 1, "agrees": 1, "opens": 1, "grants": 1, "implies": 1}),
        ("no", "Yes, it is allowed.", {"expected": -1, "agrees": -1, "opens": 1, "grants": -1, "implies": -1}),
        ("yes", "No, it is forbidden.", {"agrees": -1, "opens": -1, "grants": -1, "implies": -1}),
        ("no", "It is not allowed.", {"opens": -1, "agrees": 1, "implies": 1}),
        ("red", "No.", {"expected": 0, "agrees": 0, "opens": -1}),
    ],
)
def test_what_a_reply_says_to_yes_and_no(gold: str, reply: str, numbers: dict[str, float]) -> None:
    found = seen("Is it allowed?", gold, reply)
    assert {name: found[f"polarity.{name}"] for name in numbers} == numbers

"""How low a search brings the replies within so many requests, and which words of a question are hot."""

from __future__ import annotations

import pytest

from botattack.cases import QuestionCase, cases
from botattack.events import VariantJudged
from botattack.model import Edit
from botattack.report.figures.heat import Heat, hot_words
from botattack.report.figures.ranking import worst
from tests.report.streams import Asking, Try, stream

MARKS = (1, 2, 5, 10, 20, 50, 100)


def case_of(asking: Asking) -> QuestionCase:
    (case,) = cases(stream([asking]))
    return case


def lowest(*tries: tuple[int, str]) -> tuple[VariantJudged, dict[str, float], QuestionCase]:
    """Attempts that took so many requests, with what was said to each."""
    attempts = [Try("wrong", requests=requests, reply=reply, search="attempt") for requests, reply in tries]
    case = case_of(Asking(answers=("blue house",), reply="blue house", tries=tuple(attempts)))
    return *worst(case, case.judged[0]), case


@pytest.mark.parametrize("requests", [1, 2, 3, 5, 6, 10, 11, 20, 21, 50, 51, 100, 101])
def test_the_curve_falls_with_the_request_that_brought_a_reply_down(requests: int) -> None:
    _, curve, _ = lowest((requests, "red"))
    names = [f"lowest F1 within {mark} request" + "s" * (mark > 1) for mark in MARKS]
    assert curve == {name: 1.0 if requests > mark else 0.0 for name, mark in zip(names, MARKS, strict=True)}


def test_the_worst_variant_is_the_first_of_the_lowest_reply() -> None:
    for replies, worst_at in (
        (("blue house", "blue", "red", "green"), 2),
        (("red", "blue"), 0),
        (("blue", "blue house"), 0),
        (("blue house", "blue house"), 0),
    ):
        found, curve, case = lowest(*[(1, reply) for reply in replies])
        assert found == case.judged[worst_at]
        assert curve["lowest F1 within 1 request"] >= curve["lowest F1 within 100 requests"]


@pytest.mark.parametrize(
    ("start", "before", "after", "hot"),
    [
        (3, "cd", "dc", [0, 1, 0]),
        (1, "b", "", [1, 0, 0]),
        (1, "b cd", "x", [1, 1, 0]),
        (2, " ", "", [0, 0, 0]),
        (3, "", "x", [0, 1, 0]),
        (4, "", "x", [0, 1, 0]),
        (2, "", "x", [0, 0, 0]),
        (0, "ab cd ef", "x", [1, 1, 1]),
    ],
)
def test_a_word_is_as_hot_as_the_edits_that_touch_it_broke(start: int, before: str, after: str, hot: list[int]) -> None:
    edits = (Edit(start, before, after, "typo"),)
    case = case_of(Asking("ab cd ef", tries=(Try("wrong", edits), Try("correct", edits))))
    words = hot_words("ab cd ef", case.rated)
    assert [(word.text, word.broken, word.rated) for word in words] == [
        (text, one, 2 * one) for text, one in zip(("ab", "cd", "ef"), hot, strict=True)
    ]


@pytest.mark.parametrize("number", [49, 50, 51])
def test_the_fifty_hottest_questions_are_kept_and_none_that_never_broke(number: int) -> None:
    heat = Heat()
    for n in range(number):
        heat.add(case_of(Asking(f"w{n}", tries=(Try("wrong", (Edit(0, "w", "v", "typo"),)),))))
    heat.add(case_of(Asking("quiet", tries=(Try("correct", (Edit(0, "q", "k", "typo"),)),))))
    assert len(heat.value()) == min(number, 50)
    assert {one.broken for one in heat.value()} == {1}


@pytest.mark.parametrize("words", [59, 60, 61])
def test_sixty_words_of_a_question_are_shown(words: int) -> None:
    assert len(hot_words("w " * words, [])) == min(words, 60)

"""The FAQ of the live bots and the question set over it belong together."""

from __future__ import annotations

from collections import Counter

from botattack.questions.lines import read_jsonl
from tests.live.questions import QUESTIONS, entries, questions


def test_every_entry_is_asked_once_in_words_of_its_own() -> None:
    known = {entry["id"]: entry for entry in entries()}
    asked = questions()
    assert len(asked) == len(known) >= 300
    for question in asked:
        entry = known[question["id"]]
        assert question["answers"] == [entry["answer"]]
        assert len({question["question"].casefold(), entry["question"].casefold(), entry["also"].casefold()}) == 3


def test_no_answer_is_given_twice_or_stands_within_another() -> None:
    answers = [entry["answer"].casefold().rstrip(".") for entry in entries()]
    assert [answer for answer, times in Counter(answers).items() if times > 1] == []
    assert [(a, b) for a in answers for b in answers if a != b and a in b] == []


def test_no_question_holds_its_answer() -> None:
    for question in questions():
        answer = question["answers"][0].casefold().rstrip(".")
        assert answer not in question["question"].casefold()


def test_it_is_a_question_set() -> None:
    read = list(read_jsonl(QUESTIONS))
    assert [question.text for question in read] == [question["question"] for question in questions()]
    assert len({question.kind for question in read}) > 25

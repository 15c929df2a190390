"""The question set of the demo: what ALICE knows, whatever the seed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from botattack.bots.alice import bot
from botattack.matchers.learned import Learned
from botattack.model import Question, Reply
from botattack.protocols import BadRecord
from botattack.questions.detect import reader_for
from botattack.questions.order import QuestionSet

DEMO = Path(__file__).parents[2] / "campaigns" / "demo-questions.jsonl"


@pytest.fixture(scope="module")
def demo() -> list[Question]:
    bad: list[BadRecord] = []
    with QuestionSet.load(DEMO, reader_for(DEMO), 7, on_bad=bad.append) as questions:
        assert (bad, questions.duplicates) == ([], 0)
        return [question for question, _ in questions]


def test_it_is_large_enough_and_of_several_kinds(demo: list[Question]) -> None:
    assert len(demo) >= 90
    assert len(Counter(question.kind for question in demo)) >= 10
    assert sum(len(question.answers) > 1 for question in demo) >= 40


def test_no_gold_answer_stands_in_its_question(demo: list[Question]) -> None:
    for question in demo:
        assert question.text[0].isupper()
        assert question.text.endswith("?")
        words = f" {question.text.lower().rstrip('?')} "
        assert not [gold for gold in question.answers if f" {gold.text.lower()} " in words]


@pytest.mark.slow
def test_alice_answers_each_rightly_whatever_the_seed(demo: list[Question]) -> None:
    matcher = Learned()
    wrong = []
    for question in demo:
        for seed in range(6):
            alice = bot(question.id, seed)
            reply = alice(question.text)
            alice.close()
            verdict = matcher.judge(question.prompt, Reply(reply), question.answers, ())
            if verdict.kind != "correct":
                wrong.append((question.text, reply, verdict.why))
    assert not wrong

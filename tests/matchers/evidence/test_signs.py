"""Signs, leading zeros and capitals are part of an answer, and what a bot calls out beside its reply is not."""

from __future__ import annotations

import pytest

from botattack.matchers.judge import Judge
from botattack.matchers.weights import weights
from botattack.model import GoldAnswer, Prompt, Reply

CHANCE = weights().point


def probability(question: str, gold: str, reply: str) -> float:
    found = Judge().judge(Prompt(question), Reply(reply), (GoldAnswer(gold),), ()).probability
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("question", "gold", "right", "wrong"),
    [
        ("Which language is Unity scripted in?", "C#", "It is scripted in C#.", "It is scripted in C."),
        ("Which language is Unity scripted in?", "C#", "In C#, mostly.", "In C++, mostly."),
        ("Which language is the kernel written in?", "C", "It is written in C.", "It is written in C++."),
        ("Which grade did she get?", "A-", "She got an A-.", "She got an A+."),
        ("Which grade did she get?", "A+", "Her grade was A+.", "Her grade was A."),
        ("How cold does it get?", "-5", "It gets down to -5 degrees.", "It gets down to 5 degrees."),
        ("How cold does it get?", "-5", "It gets down to minus 5 degrees.", "It gets down to 5 degrees."),
        ("How cold does it get?", "5", "It gets down to 5 degrees.", "It gets down to -5 degrees."),
        ("Wie kalt wird es?", "-12", "Es wird minus 12 Grad kalt.", "Es wird 12 Grad warm."),
        ("What is the door code?", "04217", "The code is 04217.", "The code is 4217."),
        ("What is the door code?", "4217", "The code is 4217.", "The code is 04217."),
        ("Where was he born?", "US", "He was born in the US.", "He told us nothing about it."),
        ("Where was he born?", "the United States", "He was born in the US.", "He told us nothing about it."),
        ("Who won the war?", "U.K.", "The United Kingdom won it.", "The United States won it."),
        ("Wo wurde er geboren?", "USA", "Er kam in den Vereinigten Staaten zur Welt.", "Er kam in Kanada zur Welt."),
        ("Which department repairs laptops?", "IT", "The IT department.", "It is repaired by the workshop."),
        ("Who declared the pandemic over?", "WHO", "The WHO did.", "The people who work there."),
        ("Which vitamin helps?", "Vitamin A", "Take vitamin A.", "Take a vitamin C tablet."),
    ],
)
def test_signs_zeros_and_capitals_tell_answers_apart(question: str, gold: str, right: str, wrong: str) -> None:
    assert probability(question, gold, right) >= CHANCE > probability(question, gold, wrong)


def test_a_reply_without_capitals_may_say_an_acronym() -> None:
    assert probability("Where was he born?", "US", "he was born in the us") >= CHANCE


@pytest.mark.parametrize("gap", ["3 -5", "3-5", "a-5", "--5"])
def test_a_dash_before_a_number_is_no_sign(gap: str) -> None:
    assert probability("How many days does it take?", "5", f"It takes {gap} days.") > 0.5


@pytest.mark.parametrize("around", ["Ahoy, matey! {}", "{} Ride on!", "PedalBot here 🚲\n\n{}", "{}\n\n*PedalBot*"])
@pytest.mark.parametrize("reply", ["The shop opens at nine.", "The shop is in Rope Lane.", "It is not open at ten."])
def test_asides_leave_the_probability_as_it_is(around: str, reply: str) -> None:
    question, gold = "When does the shop open?", "at ten"
    assert probability(question, gold, around.format(reply)) == probability(question, gold, reply)


@pytest.mark.parametrize("reply", ["Paris! It has two million inhabitants.", "No! It is Lyon."])
def test_an_answer_that_is_called_out_is_read(reply: str) -> None:
    question, gold = "What is the capital of France?", "Paris"
    rest = reply.partition("!")[2].strip()
    assert probability(question, gold, reply) != probability(question, gold, rest)

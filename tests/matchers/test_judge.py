"""What the judge makes of replies as bots give them."""

from __future__ import annotations

import pytest

from botattack.matchers.judge import Judge
from botattack.matchers.lexical import Contains
from botattack.model import GoldAnswer, Prompt, Reply, Verdict

CAPITAL = "What is the capital of France?"
REFUSALS = (
    "Sorry, I did not get that.",
    "What?",
    "I can only talk about trains.",
    "All that I can offer you here and now is help.",
)
ROWS = [
    (CAPITAL, "Paris", "Paris", "correct"),
    (CAPITAL, "Paris", "It's Paris, of course!", "correct"),
    (CAPITAL, "Paris", "I'm not sure, but I think it is Paris.", "correct"),
    (CAPITAL, "Paris", "I don't know. Maybe Paris?", "correct"),
    (CAPITAL, "Paris", "It is not Paris.", "wrong"),
    (CAPITAL, "Paris", "It isn’t Paris, it's Lyon.", "wrong"),
    (CAPITAL, "Paris", "Paris is not the capital of France.", "wrong"),
    (CAPITAL, "Paris", "Definitely not Paris", "wrong"),
    (CAPITAL, "Paris", "I don't think it's Paris.", "wrong"),
    (CAPITAL, "Paris", "Not Rome. Paris.", "correct"),
    (CAPITAL, "Paris", "It's not Rome, it's Paris.", "correct"),
    (CAPITAL, "Paris", "Not Rome but Paris.", "correct"),
    (CAPITAL, "Paris", "It is Paris, not Rome.", "correct"),
    (CAPITAL, "Paris", "No, Paris.", "correct"),
    (CAPITAL, "Paris", "Rome, rather than Paris.", "wrong"),
    (CAPITAL, "Paris", "Anything but Paris.", "wrong"),
    (CAPITAL, "Paris", "It could be Paris, Rome, Berlin or Madrid.", "wrong"),
    (CAPITAL, "Paris", "It could be Paris, Rome, Berlin and Madrid.", "wrong"),
    (CAPITAL, "Paris", "Paris or Rome.", "unsure"),
    (CAPITAL, "Paris", "Either Lyon or Paris.", "unsure"),
    (CAPITAL, "Paris", "It could be Paris or Rome. I'd say Paris.", "correct"),
    (CAPITAL, "Paris", "Maybe Paris.", "correct"),
    (CAPITAL, "Paris", "Rome, Madrid, Berlin, or Paris.", "wrong"),
    (CAPITAL, "Paris", "Why do you ask about Paris?", "wrong"),
    (CAPITAL, "Paris", "Have you ever been to Paris?", "wrong"),
    (CAPITAL, "Paris", "Paris? No, it is Rome.", "wrong"),
    (CAPITAL, "Paris", "Paris, right?", "correct"),
    (CAPITAL, "Paris", "Paris, isn't it?", "correct"),
    (CAPITAL, "Paris", "Sorry, I did not get that.", "refused"),
    (CAPITAL, "Paris", "sorry i didnt get that", "refused"),
    (CAPITAL, "Paris", "Sorry, I did not get that. Could you ask about Paris or Rome?", "refused"),
    (CAPITAL, "Paris", "I'm sorry, but I don't have information about that.", "refused"),
    (CAPITAL, "Paris", "", "refused"),
    (CAPITAL, "Paris", "   \n ", "refused"),
    (CAPITAL, "Paris", "...", "refused"),
    (CAPITAL, "Paris", "Berlin.", "wrong"),
    (CAPITAL, "Paris", "The capital of Spain is Madrid and of France, Paris.", "correct"),
    (CAPITAL, "Paris", "Je pense que c'est Paris.", "correct"),
    (CAPITAL, "Paris", "No doubt it's Paris.", "correct"),
    (CAPITAL, "Paris", "There is no question that Paris is the capital.", "correct"),
    (CAPITAL, "Paris", "If I'm not mistaken, it is Paris.", "correct"),
    (CAPITAL, "Paris", "If I remember correctly it is Paris.", "correct"),
    (CAPITAL, "Paris", "Unless I'm mistaken it's Paris", "correct"),
    (CAPITAL, "Paris", "I can't say whether it's Paris.", "refused"),
    (CAPITAL, "Paris", "I don't know if it's Paris.", "refused"),
    (CAPITAL, "Paris", "Paris is the capital of France, isn't it?", "correct"),
    (CAPITAL, "Paris", "It's not only the capital, Paris is also the largest city.", "correct"),
    (CAPITAL, "Paris", "You asked: What is the capital of France? The answer is Paris.", "correct"),
    (CAPITAL, "Paris", "Paris (not Lyon or Marseille)", "correct"),
    (CAPITAL, "Paris", "The city you mean can't be anything other than Paris.", "correct"),
    (CAPITAL, "Paris", "It is false that Paris is the capital.", "wrong"),
    (CAPITAL, "Paris", "Paris was the capital until 1940, but it is Vichy now.", "wrong"),
    (CAPITAL, "Paris", "I would love to see Paris one day!", "wrong"),
    (CAPITAL, "Paris", "Let's talk about Paris.", "wrong"),
    (CAPITAL, "Paris", "Paris Paris Paris", "correct"),
    (CAPITAL, "Paris", "Lyon, I believe. It used to be Paris.", "wrong"),
    ("What is the capital of Germany?", "Berlin", "Berlin is the capital of Germany.", "correct"),
    ("What is the capital of Spain?", "Paris", "The capital of France is Paris.", "wrong"),
    ("What is the capital of Frnace?", "Paris", "The capital of France is Paris.", "correct"),
    ("What is the captial of Finance?", "Paris", "The capital of France is Paris.", "correct"),
    ("Is Paris or Rome the capital of France?", "Paris", "Paris", "correct"),
    ("Is Paris or Rome the capital of France?", "Paris", "It's Paris.", "correct"),
    ("Is Paris or Rome the capital of France?", "Paris", "Paris is the capital of France.", "correct"),
    ("Is Paris or Rome the capital of France?", "Paris", "Is Paris or Rome the capital of France?", "wrong"),
    ("Is Paris or Rome the capital of France?", "Paris", "Paris, not Rome.", "correct"),
    ("Is Paris or Rome the capital of France?", "Paris", "Rome, not Paris.", "wrong"),
    ("Is Paris or Rome the capital of France?", "Paris", "Both Paris and Rome.", "unsure"),
    ("Is Paris or Rome the capital of France?", "Paris", "Rome", "wrong"),
    ("Which is bigger, the sun or the moon?", "sun", "The sun is bigger than the moon.", "correct"),
    ("Which is bigger, the sun or the moon?", "sun", "The moon is bigger than the sun.", "wrong"),
    ("Is Paris in France?", "yes", "Yes", "correct"),
    ("Is Paris in France?", "yes", "Paris is in France.", "correct"),
    ("Is Paris in France?", "yes", "Paris is not in France.", "wrong"),
    ("Is Paris in France?", "yes", "No, it isn't.", "wrong"),
    ("Is Paris in Italy?", "no", "No.", "correct"),
    ("Is Paris in Italy?", "no", "I have no idea.", "refused"),
    ("Is Paris in Italy?", "no", "Paris is not in Italy.", "correct"),
    ("How many minutes are in a quarter hour?", "15", "1500", "wrong"),
    ("How many minutes are in a quarter hour?", "15", "fifteen minutes", "correct"),
    ("How many minutes are in a quarter hour?", "15", "There are 15.", "correct"),
    ("How many minutes are in a quarter hour?", "15", "15,000", "wrong"),
    ("How many minutes are in a quarter hour?", "15", "1.5", "wrong"),
    ("How many people live in Berlin?", "3.7 million", "About 3,700,000 people.", "correct"),
    ("When did WW2 end?", "1945", "The war didn't end in 1945.", "wrong"),
    ("When did WW2 end?", "1945", "It ended in nineteen forty-five.", "correct"),
    ("When did WW2 end?", "1945", "Not until 1945.", "correct"),
    ("When did WW2 end?", "1945", "Between 1944 and 1945", "correct"),
    ("When did WW2 end?", "1945", "1944 or 1945", "unsure"),
    ("Who led the coalition?", "US", "They told us nothing.", "wrong"),
    ("Who led the coalition?", "US", "The US did.", "correct"),
    ("Who led the coalition?", "US", "the U.S.", "correct"),
    ("Who led the coalition?", "US", "us", "correct"),
    ("Who wrote Hamlet?", "Shakespeare", "Some say Shakespeare, but it was actually Marlowe.", "wrong"),
    ("Who wrote Hamlet?", "Shakespeare", "Shakesepare wrote it.", "correct"),
    ("Who wrote Hamlet?", "Shakespeare", "I know nothing about Shakespeare.", "wrong"),
    ("What is the capital of Peru?", "Lima", "The capital is Lima, also known as the City of Kings.", "correct"),
    ("What is H2O?", "water", "It's water, or dihydrogen monoxide.", "unsure"),
    ("Where is Versailles?", "Paris", "Not far from Paris.", "correct"),
    (
        "What does the japanese call their country?",
        "Japan",
        "What do you think the japanese call their country does?",
        "wrong",
    ),
    ("What is the population of Iran?", "Iran", "Tirana", "wrong"),
    ("What continent is Australia in?", "Australia", "Australia.", "correct"),
    ("Which country is not in Europe?", "Japan", "Japan is not in Europe.", "correct"),
]


def judged(question: str, gold: str, reply: str) -> Verdict:
    answers = tuple(GoldAnswer(text) for text in gold.split("|")) if gold else ()
    return Judge(refusals=REFUSALS).judge(Prompt(question), Reply(reply), answers, ())


@pytest.mark.parametrize(("question", "gold", "reply", "kind"), ROWS)
def test_replies(question: str, gold: str, reply: str, kind: str) -> None:
    verdict = judged(question, gold, reply)
    assert (verdict.kind, bool(verdict.why)) == (kind, True), verdict


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("What?", "refused"),
        ("What? Paris!", "correct"),
        ("I can only talk about trains!!", "refused"),
        ("I can only talk about train.", "refused"),
        ("Oops. I can only talk about trains. Ask me about one.", "refused"),
        ("All that I can offer you here and now is hope.", "refused"),
        ("All that I can offer you here and now is Paris.", "correct"),
    ],
)
def test_refusals_of_the_target(reply: str, kind: str) -> None:
    assert judged(CAPITAL, "Paris", reply).kind == kind


def test_a_target_may_refuse_with_the_answer_in_its_mouth() -> None:
    judge = Judge(refusals=("I only know Paris and Rome.",))
    answers = (GoldAnswer("Paris"),)
    assert judge.judge(Prompt(CAPITAL), Reply("I only know Paris and Rome!"), answers, ()).kind == "refused"


@pytest.mark.parametrize(
    ("reply", "why", "part"),
    [
        ("It is Paris.", "the reply contains 'Paris'", "Paris"),
        ("No. It is not Paris!", "'Paris' is denied", "Paris"),
        ("Why Paris?", "'Paris' stands in a question, not in an answer", "Paris"),
        ("Well, I don't know.", "the bot declines: 'i do not know'", "I don't know"),
    ],
)
def test_reasons_name_the_place(reply: str, why: str, part: str) -> None:
    verdict = judged(CAPITAL, "Paris", reply)
    assert verdict.why == why
    assert verdict.span is not None
    assert reply[slice(*verdict.span)] == part


def test_a_gold_answer_beyond_the_echo_is_found() -> None:
    question = "Who was the Washington Monument named after?"
    assert judged(question, "Washington|George Washington", "It was named after George Washington.").kind == "correct"
    assert judged(question, "Washington|George Washington", "The Washington Monument?").kind == "wrong"


def test_other_matchers_are_guarded_as_well() -> None:
    answers = (GoldAnswer("Par.s", regex=True),)
    judge = Judge(Contains())
    assert judge.judge(Prompt(CAPITAL), Reply("It is Paris."), answers, ()).kind == "correct"
    assert judge.judge(Prompt(CAPITAL), Reply("It is not Paris."), answers, ()).kind == "wrong"


def test_without_gold_the_matcher_decides() -> None:
    assert judged(CAPITAL, "", "Paris").kind == "unsure"
    assert judged(CAPITAL, "", "Sorry, I did not get that").kind == "refused"


@pytest.mark.parametrize("said", ["", " \n"])
@pytest.mark.parametrize("gold", ["Paris", ".*", "^\\s*$"])
def test_whatever_is_right_a_bot_that_said_nothing_has_refused(said: str, gold: str) -> None:
    answers = (GoldAnswer(gold, regex=gold != "Paris"),)
    verdict = Judge(refusals=REFUSALS).judge(Prompt(CAPITAL), Reply(said), answers, ())
    assert (verdict.kind, verdict.why) == ("refused", "the bot said nothing")

"""Fallback sentences are learned from what a bot says to nonsense."""

from __future__ import annotations

import re
from random import Random

import pytest
import yaml

from botattack.audit.calibration import Fallbacks, learn, nonsense, refusals_yaml
from botattack.bots import alice
from botattack.matchers.judge import Judge
from botattack.model import GoldAnswer, Prompt, Reply
from botattack.text.languages import language


def test_nonsense_is_of_every_form_and_never_repeats_a_word() -> None:
    questions = nonsense(Random(1), 4)
    assert len(questions) == 4 * len(language("en").nonsense)
    words = [word for question in questions for word in question.words]
    assert len(words) == len(set(words))
    assert all(word.casefold() in question.text.casefold() for question in questions for word in question.words)
    assert questions == nonsense(Random(1), 4) != nonsense(Random(2), 4)


def test_what_comes_again_and_claims_nothing_is_learned() -> None:
    questions = nonsense(Random(1), 1)
    said = [
        (question, f"I haven't heard of {question.words[0]}. Please go on, I am listening.") for question in questions
    ]
    said += [
        (questions[0], "I said this only once."),
        (questions[1], "Thomas Jefferson."),
        (questions[2], "Thomas Jefferson."),
    ]
    said += [(questions[3], "Yes."), (questions[4], "Yes."), (questions[5], "It is 12."), (questions[6], "It is 12.")]
    learned = learn(said)
    assert set(learned.refusals) == {"I haven't heard of"}
    assert set(learned.perhaps) >= {"Please go on, I am listening.", "Thomas Jefferson.", "It is 12."}


@pytest.mark.parametrize(
    "stock", ["Das habe ich leider nicht verstanden.", "Lo siento, no te he entendido.", "متوجه نشدم."]
)
def test_a_fallback_is_known_in_every_language_that_is(stock: str) -> None:
    questions = nonsense(Random(1), 1)
    figure = "Es gibt 12 davon."
    said = [(question, stock if number % 2 else figure) for number, question in enumerate(questions)]
    assert learn(said).refusals == (stock,)
    assert learn(said).perhaps == (figure,)


def test_what_a_bot_says_of_itself_to_a_third_of_all_nonsense_is_a_fallback() -> None:
    questions = nonsense(Random(1), 1)
    said = [(question, "I am a stone." if number % 2 else str(number)) for number, question in enumerate(questions)]
    assert learn(said).refusals == ("I am a stone.",)
    assert learn(said[:10]).refusals == ()
    assert learn(said[:10]).perhaps == ("I am a stone.",)


GREETINGS = (
    "Hello! I'm Pedal, your bicycle assistant.",
    "Hi there, how can I help you today?",
    "I am your virtual assistant.",
    "Ahoy! PedalBot here 🚲",
    "You can ask about prices, opening hours or bookings.",
)
ANSWERS = (
    "You can cancel up to the evening before.",
    "You open the lock with the **four digit code** from the app.",
    "We rent bikes to children from their parents.",
    "Deposits cannot be refunded.",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "fallback", ["Sorry, I did not get that.", "Hm, I don't know that one.", "I am still very young."]
)
@pytest.mark.parametrize("greeting", ["", *GREETINGS])
def test_no_greeting_and_no_answer_is_taken_for_a_refusal(greeting: str, fallback: str) -> None:
    """The bot falls back to a sentence half the time; else it gives the answer that is nearest to nonsense."""
    questions = nonsense(Random(1), 3)
    bodies = [fallback if number % 2 else ANSWERS[number // 2 % 4] for number in range(len(questions))]
    learned = learn(
        [(question, f"{greeting}\n\n{body}".strip()) for question, body in zip(questions, bodies, strict=True)]
    )
    says_why = fallback != "I am still very young."
    assert learned.refusals == ((fallback,) if says_why or not greeting else ())
    assert fallback in learned.refusals + learned.perhaps


@pytest.mark.parametrize("answer", ANSWERS)
def test_the_one_answer_a_bot_has_for_all_nonsense_is_no_refusal(answer: str) -> None:
    assert learn([(question, answer) for question in nonsense(Random(1), 1)]).refusals == ()


@pytest.mark.parametrize(
    ("reply", "refusal"),
    [
        ("**Sorry, I did not get that. Please rephrase.**", "Sorry, I did not get that."),
        (
            "**Sorry**, I did *not* get that!\n\n- [Prices](https://x.example/a_b)\n- Hours",
            "Sorry, I did not get that!",
        ),
        ("> _I do not understand._", "I do not understand."),
        ("Hm. (I don't know that one.)", "(I don't know that one.)"),
        ("# Oops\n`I do not know` what that is.", "I do not know what that is."),
    ],
)
def test_refusals_are_whole_sentences_without_markdown(reply: str, refusal: str) -> None:
    questions = nonsense(Random(1), 1)
    learned = learn([(question, reply) for question in questions]).refusals
    assert [sentence.strip() for sentence in learned] == [refusal]
    judged = Judge(refusals=learned).judge(Prompt("Who is it?"), Reply(reply), (GoldAnswer("Ann"),), ())
    assert judged.kind == "refused"


def test_the_file_can_be_read_and_corrected() -> None:
    text = refusals_yaml(Fallbacks(('Say "what"?', "I do not know."), ("Jupiter",)))
    assert yaml.safe_load(text) == {"signs": {"refused": ['Say "what"?', "I do not know."]}}
    none = refusals_yaml(Fallbacks((), ("Jupiter", "Mars")))
    assert yaml.safe_load(none) is None
    filled = re.sub("^#(?! )|^#(?=  )", "", none, flags=re.MULTILINE)
    assert yaml.safe_load(filled) == {"signs": {"refused": ["Jupiter", "Mars"]}}
    assert '#    - "Jupiter"' in text


@pytest.mark.slow
def test_alice_teaches_what_she_says_when_she_knows_nothing() -> None:
    questions = nonsense(Random(5), 4)
    said = []
    for number, question in enumerate(questions):
        bot = alice.bot(f"calibration-{number}", number)
        said.append((question, bot(question.text)))
        bot.close()
    learned = learn(said).refusals
    assert len(learned) >= 10
    judge = Judge(refusals=learned)
    replies = [Reply(sentence) for sentence in learned]
    kinds = {judge.judge(Prompt("Who wrote Hamlet?"), reply, (GoldAnswer("Marlowe"),), ()).kind for reply in replies}
    assert kinds == {"refused"}

"""How a reply says the answer, what it says to yes and no, and whether it declines, in several languages."""

from __future__ import annotations

import pytest

from botattack.matchers.evidence.all import NAMES, evidence
from botattack.matchers.evidence.answer_key import answer_key
from botattack.matchers.evidence.coverage import match
from botattack.matchers.evidence.reading import read
from botattack.model import GoldAnswer

CAPITAL = {
    "en": ("What is the capital of France?", "Paris"),
    "de": ("Was ist die Hauptstadt von Frankreich?", "Paris"),
    "fr": ("Quelle est la capitale de la France ?", "Paris"),
    "es": ("¿Cuál es la capital de Francia?", "París"),
    "fa": ("پایتخت فرانسه کجاست؟", "پاریس"),
}


def seen(question: str, gold: str, reply: str, refusals: tuple[str, ...] = ()) -> dict[str, float]:
    context = answer_key(question, (GoldAnswer(gold),), "", refusals)
    reading = read(reply, context.language)
    found = match(context, reading)
    assert found is not None
    return dict(zip(NAMES, evidence(context, reading, found), strict=True))


@pytest.mark.parametrize(
    ("language", "reply", "name"),
    [
        ("en", "It is not Paris.", "stance.denied"),
        ("en", "It isn't Paris but Lyon.", "stance.denied"),
        ("en", "Any city except Paris.", "stance.denied"),
        ("en", "Paris is not.", "stance.denied_after"),
        ("en", "Paris or Lyon.", "stance.either"),
        ("en", "I wonder if it is Paris.", "stance.condition"),
        ("en", "You say it is Paris.", "stance.attributed"),
        ("en", "Paris?", "stance.asked"),
        ("en", "Perhaps Paris.", "stance.hedged"),
        ("de", "Es ist nicht Paris.", "stance.denied"),
        ("de", "Lyon oder Paris.", "stance.either"),
        ("de", "Vielleicht ist es Paris.", "stance.hedged"),
        ("fr", "Ce n'est pas Paris.", "stance.denied"),
        ("fr", "Lyon ou Paris.", "stance.either"),
        ("es", "No es París.", "stance.denied"),
        ("es", "Quizás París.", "stance.hedged"),
        ("fa", "پاریس نیست.", "stance.denied_after"),
        ("fa", "پاریس یا لیون.", "stance.either"),
    ],
)
def test_an_answer_that_is_not_stated_does_not_stand(language: str, reply: str, name: str) -> None:
    numbers = seen(*CAPITAL[language], reply)
    assert numbers[name] == 1
    if name != "stance.hedged":
        assert numbers["stance.free"] == numbers["stance.stands"] == 0


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("en", "It is Paris."),
        ("en", "Paris, not Lyon."),
        ("en", "No, it is Paris."),
        ("en", "If I am right, not Lyon. It is Paris."),
        ("de", "Die Hauptstadt ist Paris."),
        ("fr", "C'est Paris, pas Lyon."),
        ("es", "Es París, no Lyon."),
        ("fa", "پایتخت فرانسه پاریس است."),
    ],
)
def test_an_answer_that_is_stated_stands(language: str, reply: str) -> None:
    numbers = seen(*CAPITAL[language], reply)
    assert numbers["stance.free"] == numbers["stance.stands"] == 1


def test_words_of_the_question_deny_nothing() -> None:
    question = "Who sings My Anaconda Don't Want None?"
    assert seen(question, "Nicki", "My Anaconda Don't Want None is by Nicki.")["stance.denied"] == 0


def test_what_follows_a_contrast_is_counted() -> None:
    question, gold = CAPITAL["en"]
    assert seen(question, gold, "It was Paris, but now it is Lyon.")["stance.turned"] == 1
    assert seen(question, gold, "It is Paris.")["stance.turned"] == -1


@pytest.mark.parametrize(
    ("question", "gold", "reply", "name", "sign"),
    [
        ("Are dogs allowed?", "no", "Unfortunately not.", "agrees", 1),
        ("Are dogs allowed?", "no", "Well, yes, they are.", "agrees", -1),
        ("Are dogs allowed?", "no", "I am afraid dogs are forbidden.", "implies", 1),
        ("Are dogs allowed?", "yes", "Dogs are not allowed.", "implies", -1),
        ("Are dogs forbidden?", "no", "Dogs are welcome.", "grants", 1),
        ("Can I pay by card?", "no", "No idea, sorry.", "agrees", 0),
        ("Darf ich im Garten grillen?", "nein", "Leider ist Grillen im Garten verboten.", "implies", 1),
        ("Darf ich im Garten grillen?", "ja", "Nein, im Garten nicht.", "agrees", -1),
        ("Puis-je payer par carte ?", "oui", "Oui, toutes les cartes sont acceptées.", "agrees", 1),
        ("¿Puedo pagar con tarjeta?", "no", "No aceptamos tarjetas.", "agrees", 1),
        ("آیا می‌توانم با کارت پرداخت کنم؟", "بله", "خیر، کارت نمی‌پذیریم.", "agrees", -1),
    ],
)
def test_what_a_reply_says_to_yes_and_no(question: str, gold: str, reply: str, name: str, sign: int) -> None:
    said = seen(question, gold, reply)[f"polarity.{name}"]
    assert (said > 0) - (said < 0) == sign


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("en", "Sorry, I don't know that."),
        ("en", "As an AI I have no information about it."),
        ("de", "Das weiß ich leider nicht."),
        ("de", "Da bin ich überfragt."),
        ("fr", "Désolé, je n'ai pas compris."),
        ("es", "Lo siento, no lo sé."),
        ("fa", "متأسفانه نمی‌دانم."),
    ],
)
def test_a_reply_that_declines(language: str, reply: str) -> None:
    numbers = seen(*CAPITAL[language], reply)
    assert numbers["declining.declines"] > 0
    assert numbers["declining.rest"] == 0


def test_what_is_said_beside_declining() -> None:
    numbers = seen(*CAPITAL["en"], "I do not know. Lyon has good restaurants. Shall I ask?")
    assert numbers["declining.rest"] == 3
    assert numbers["declining.asks_back"] == 1


def test_known_refusals_are_recognised() -> None:
    refusals = ("That one swam away.",)
    assert seen(*CAPITAL["en"], "that one swam away!", refusals)["declining.known"] == 1
    assert seen(*CAPITAL["en"], "Oh dear. That one swam away. Next!", refusals)["declining.within"] == 1
    assert seen(*CAPITAL["en"], "It is Lyon.", refusals)["declining.known"] < 0.6
    assert seen(*CAPITAL["en"], "It is Lyon.")["declining.known"] == -1

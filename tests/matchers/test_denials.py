"""An answer that a reply denies, does not believe or calls false is no answer, in every language with a file."""

from __future__ import annotations

from itertools import pairwise

import pytest

import botattack

ENOUGH = 0.95
NAMES = ("Mara Lindt", "Oskar Brenner", "Tilda Voss", "Ruben Castel", "Nora Jansen", "Pavel Dvorak")
OF_NAMES = {
    "en": ("Who was the first mayor of the town?", "{} was the first mayor of it.", "{} was not the first mayor."),
    "de": (
        "Wer war der erste Bürgermeister der Stadt?",
        "{} war der erste Bürgermeister der Stadt.",
        "{} war nicht der erste Bürgermeister der Stadt."),
    "fr": (
        "Qui était le premier maire de la ville ?",
        "{} était le premier maire de la ville.",
        "{} n'était pas le premier maire de la ville."),
    "es": (
        "¿Quién fue el primer alcalde de la ciudad?",
        "{} fue el primer alcalde de la ciudad.",
        "{} no fue el primer alcalde de la ciudad."),
    "fa": ("اولین شهردار شهر چه کسی بود؟", "{} اولین شهردار شهر بود.", "{} اولین شهردار شهر نبود."),
}  # fmt: skip


@pytest.mark.parametrize("code", OF_NAMES)
def test_an_answer_that_is_said_not_to_be_what_was_asked_for_is_none(code: str) -> None:
    question, affirmed, denied = OF_NAMES[code]
    for said, wanted in ((affirmed, True), (denied, False)):
        verdicts = [botattack.judge(question, said.format(name), [name], lang=code) for name in NAMES]
        correct = sum(verdict.kind == "correct" for verdict in verdicts)
        assert correct >= ENOUGH * len(NAMES) if wanted else not correct, verdicts


@pytest.mark.parametrize(
    "reply",
    [
        "{} was not only the first mayor of the town but its founder.",
        "{} was the first mayor, and the town did not have another one.",
        "{}. Nobody else was the first mayor of the town.",
        'The first mayor was {}, who said "I am not the mayor of the town".',
    ],
)
def test_a_negation_of_something_else_leaves_an_answer_as_it_is(reply: str) -> None:
    verdicts = [botattack.judge(OF_NAMES["en"][0], reply.format(name), [name]) for name in NAMES]
    assert not [verdict for verdict in verdicts if verdict.kind in ("wrong", "refused")]


SAYS_FALSE = {
    "en": ("I don't think it was {}.", "It is false that {} was the first mayor.", "Whoever says {} is wrong."),
    "de": ("Ich glaube nicht, dass es {} war.", "Es ist falsch, dass es {} war.", "{} ist falsch."),
    "fr": ("Je ne pense pas que ce soit {}.", "Il est faux que c'était {}.", "{} est faux."),
    "es": ("No creo que fuera {}.", "Es falso que fue {}.", "{} es falso."),
    "fa": ("{} اشتباه است.", "{} غلط است."),
}
SAYS_TRUE = {
    "en": (
        "There is no doubt that it was {}.",
        "It was {}, if I'm not wrong.",
        "It is not wrong to say that it was {}.",
    ),
    "de": ("Ich glaube, dass es {} war.", "Es war {}, wenn ich nicht falsch liege.", "{}. Alles andere ist falsch."),
    "fr": ("Il est vrai que c'était {}.", "C'était {}, si je ne me trompe pas.", "{}. Tout le reste est faux."),
    "es": ("Es verdad que fue {}.", "Fue {}, si no me equivoco.", "{}. Todo lo demás es falso."),
    "fa": ("فکر می‌کنم {} بود.",),
}


@pytest.mark.parametrize("code", SAYS_FALSE)
def test_an_answer_that_is_not_believed_or_called_false_is_none(code: str) -> None:
    for sentences, wanted in ((SAYS_FALSE[code], False), (SAYS_TRUE[code], True)):
        said = [(sentence.format(name), name) for sentence in sentences for name in NAMES]
        verdicts = [botattack.judge(OF_NAMES[code][0], reply, [name], lang=code) for reply, name in said]
        assert [verdict for verdict in verdicts if (verdict.kind == "correct") != wanted] == []


@pytest.mark.parametrize("sentence", ["It is not {}.", "I don't think it is {}.", "{} is wrong."])
def test_a_value_is_denied_in_any_notation(sentence: str) -> None:
    for question, *forms in (
        ("How long is the tunnel?", "57 km", "fifty-seven kilometres"),
        ("What is six times seven?", "42", "forty-two"),
        ("When did the war end?", "30 June 1945", "30.6.1945"),
        ("When does it open?", "9 pm", "21:00"),
    ):
        for gold, said in (forms, forms[::-1]):
            assert botattack.judge(question, sentence.format(said), [gold]).kind != "correct"


@pytest.mark.parametrize("reply", ["Neither of them.", "The answer is neither. {} is one, {} another."])
def test_neither_denies_all_that_a_question_offers(reply: str) -> None:
    for names in pairwise(NAMES):
        question = "Who was taller, {} or {}?".format(*names)
        assert botattack.judge(question, reply.format(*names), [names[0]]).kind == "wrong"


@pytest.mark.parametrize(
    ("code", "question", "reply"),
    [
        ("en", "When does a connection end?", "A connection ends after {} hours without activity."),
        ("en", "For how many hours can I borrow it?", "You can borrow one for {} hours without approval."),
        ("de", "Wann endet die Verbindung?", "Die Verbindung endet nach {} Stunden ohne Aktivität."),
        ("es", "¿Cuándo termina la conexión?", "La conexión termina tras {} horas sin actividad."),
        ("fr", "Quand se termine la connexion ?", "La connexion se termine après {} heures sans activité."),
    ],
)
def test_what_an_answer_does_without_denies_nothing_of_it(code: str, question: str, reply: str) -> None:
    hours = reply[reply.index("{") :].split()[1]
    kinds = [botattack.judge(question, reply.format(n), [f"{n} {hours}"], lang=code).kind for n in range(7, 27)]
    assert kinds.count("correct") >= ENOUGH * len(kinds), kinds


NO_IN_DECLINING = {
    "es": (
        "¿Envían a Andorra?",
        ("No", "No, no enviamos a Andorra."),
        ("No lo sé.", "No sé.", "No estoy seguro."),
        ("No, no enviamos.", "No se puede."),
    ),
    "en": (
        "Do you ship to Malta?",
        ("No", "No, we do not ship to Malta."),
        ("No idea.", "No information found."),
        ("No, we do not.", "No."),
    ),
    "pt": ("Enviam para Malta?", ("Não",), ("Não sei.", "Não tenho certeza."), ("Não.", "Não, nunca.")),
}


@pytest.mark.parametrize("code", NO_IN_DECLINING)
def test_the_no_of_a_reply_that_declines_is_not_the_answer_no(code: str) -> None:
    question, golds, declined, said = NO_IN_DECLINING[code]
    for gold in golds:
        kinds = {reply: botattack.judge(question, reply, [gold], lang=code).kind for reply in (*declined, *said)}
        assert kinds == dict.fromkeys(declined, "refused") | dict.fromkeys(said, "correct")

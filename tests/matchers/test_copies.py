"""A reply that copies a gold sentence but for a word, or for what negates it, says something else."""

from __future__ import annotations

import pytest

import botattack

COPIES = [
    ("en", "The Basic plan costs €9.90 a month.", "The Premium plan costs €9.90 a month.", "unsure"),
    ("en", "Take bus 12 from the station.", "Take tram 12 from the station.", "unsure"),
    ("en", "The warranty covers the battery for two years.", "The warranty covers the screen for two years.", "unsure"),
    ("en", "Delivery is free for orders over £50.", "Hello! Delivery is free for orders under £50.", "unsure"),
    ("en", "It is not suitable for children under 3.", "It is suitable for children under 3.", "wrong"),
    ("en", "You can bring your own food to the terrace.", "You cannot bring your own food to the terrace.", "wrong"),
    ("de", "Die Tageskarte für das Museum kostet 8 €.", "Die Tageskarte für das Schloss kostet 8 €.", "unsure"),
    ("de", "Hunde dürfen im Bus nicht mitfahren.", "Hunde dürfen im Bus mitfahren.", "wrong"),
    ("fr", "Le bus part devant la mairie chaque heure.", "Le bus part devant la poste chaque heure.", "unsure"),
    ("fr", "Le parking est gratuit pour les abonnés.", "Le parking n'est pas gratuit pour les abonnés.", "wrong"),
    ("es", "La piscina cierra por la tarde en agosto.", "La biblioteca cierra por la tarde en agosto.", "unsure"),
    ("es", "El desayuno no se sirve en la habitación.", "El desayuno se sirve en la habitación.", "wrong"),
]
SAME = [
    ("en", "Take bus 12 from the station.", "Sure! Take bus 12 from the station. Have a nice day."),
    ("en", "Take bus 12 from the station.", "Take the number 12 bus from the station."),
    ("en", "It is not suitable for children under 3.", "It isn't suitable for children under three."),
    ("en", "You can bring your own food to the terrace.", "No problem! You can bring your own food to the terrace."),
    ("en", "The Basic plan costs €9.90 a month.", "The Basic plan costs €9.90 a month, not €19.90."),
    ("en", "Take bus 12 from the station.", "Take bus 12, not bus 21, from the station."),
    ("en", "You can bring your own food to the terrace.", "You can, no problem, bring your own food to the terrace."),
    ("en", "Parking is free for guests after 6 pm.", "Parking is free for guests, but not for visitors, after 6 pm."),
    ("en", "There is no charge for returns within 30 days.", "There is never a charge for returns within 30 days."),
    ("de", "Hunde dürfen im Bus nicht mitfahren.", "Nein, Hunde dürfen im Bus leider nicht mitfahren."),
    ("de", "Die Tageskarte für das Museum kostet 8 €.", "Für das Museum kostet die Tageskarte 8 Euro."),
    ("fr", "Le parking est gratuit pour les abonnés.", "Bonjour ! Le parking est gratuit pour les abonnés."),
    ("es", "La piscina cierra por la tarde en agosto.", "En agosto, la piscina cierra por la tarde."),
]
ASKED = {
    "en": "What should I know?",
    "de": "Was muss ich wissen?",
    "fr": "Que dois-je savoir ?",
    "es": "¿Qué debo saber?",
}


@pytest.mark.parametrize(("lang", "gold", "reply", "kind"), COPIES)
def test_another_word_is_not_correct_and_another_negation_wrong(lang: str, gold: str, reply: str, kind: str) -> None:
    for one, other in ((gold, reply), (reply.removeprefix("Hello! "), gold)):
        judged = botattack.judge(ASKED[lang], other, [one], lang=lang)
        assert judged.kind in (kind, "wrong", "refused"), judged


@pytest.mark.parametrize(("lang", "gold", "reply"), SAME)
def test_greetings_other_orders_and_other_spellings_are_no_other_words(lang: str, gold: str, reply: str) -> None:
    judged = botattack.judge(ASKED[lang], reply, [gold], lang=lang)
    assert judged.kind == "correct", judged


def test_a_word_of_the_question_is_none_that_replaces() -> None:
    asked = "Which tram goes to the castle?"
    assert botattack.judge(asked, "Line 12 goes to the castle.", ["Line 12 goes to the old palace."]).kind != "wrong"

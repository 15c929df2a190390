"""A value for a day is no value for a week."""

from __future__ import annotations

from itertools import product

import pytest

import botattack

TIMES = {
    "en": ("£5 per {}", "A locker costs {}.", ("day", "week", "month", "year")),
    "de": ("5 € pro {}", "Ein Fach kostet {}.", ("Tag", "Woche", "Monat", "Jahr")),
    "fr": ("5 € par {}", "Un casier coûte {}.", ("jour", "semaine", "mois", "an")),
    "es": ("5 € por {}", "Una taquilla cuesta {}.", ("día", "semana", "mes", "año")),
    "pt": ("5 € por {}", "Um armário custa {}.", ("dia", "semana", "mês", "ano")),
    "fa": ("۵ یورو در {}", "هزینه کمد {} است.", ("روز", "هفته", "ماه", "سال")),
}
ASKED = {"en": "How much?", "de": "Wie viel?", "fr": "Combien ?", "es": "¿Cuánto?", "pt": "Quanto?", "fa": "چقدر؟"}


@pytest.mark.parametrize("lang", TIMES)
def test_the_same_value_for_another_time_is_wrong(lang: str) -> None:
    per, says, times = TIMES[lang]
    for wanted, said, gold in product(times, times, ("{}", says)):
        reply = says.format(per.format(said))
        verdict = botattack.judge(ASKED[lang], reply, [gold.format(per.format(wanted))], lang=lang)
        assert (verdict.kind == "wrong") == (wanted != said), (wanted, reply, verdict)


@pytest.mark.parametrize(
    ("gold", "reply"),
    [
        ("£5 a day", "£5 for every day"),
        ("£5 a day", "£5/day"),
        ("£5 a day", "It is £5 a day, or £30 a week."),
        ("£5 a day", "It is £5. You get it within a week."),
        ("£5 a day", "It is £5 for 2 weeks."),
        ("£5 a day", "It is £5, a week or a day."),
        ("3 parcels per week", "3 parcels in the week"),
        ("8 hours a day, 5 days a week", "5 days a week, 8 hours a day"),
        ("24 hours a day", "We are open 24 hours."),
        ("£5", "It is £5 a week."),
    ],
)
def test_a_value_for_no_other_time_is_not_denied(gold: str, reply: str) -> None:
    """Where no time is said, or that of the gold answer is, too."""
    verdict = botattack.judge("What is it?", reply, [gold])
    assert verdict.kind in ("correct", "unsure"), verdict

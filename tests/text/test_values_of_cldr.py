"""A date, a number, a share or an amount written as CLDR says, in any of its languages, is read as what it is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from random import Random

import pytest
from babel.dates import format_date, format_skeleton
from babel.localedata import locale_identifiers
from babel.numbers import format_currency, format_decimal, format_percent
from babel.units import format_unit

from botattack.matchers.evidence.reading import read
from botattack.text.languages import language
from botattack.text.values.typed_value import TypedValue, likeness
from botattack.text.values.vocabulary import vocabulary

CODES = sorted(code for code in locale_identifiers() if "_" not in code and code != "root")


@pytest.mark.parametrize("code", ["en", "de", "fr", "es", "fa"])
def test_a_day_of_the_week_has_a_plural_unless_it_is_abbreviated(code: str) -> None:
    known = vocabulary(code).weekdays
    bare = {name: day for name, day in known.items() if not (name.endswith("s") and name[:-1] in known)}
    assert {*bare.values()} == {*range(1, 8)}
    for name, day in bare.items():
        assert known.get(f"{name}s") == (day if len(name) > 4 else None)


def level(said: str, gold: str, code: str) -> float:
    """How far the closest values agree, of all that two texts say."""
    pairs = ((mine, theirs) for mine in values(said, code) for theirs in values(gold, code))
    return max((like.level for mine, theirs in pairs if (like := likeness(mine, theirs))), default=-1.0)


def values(text: str, code: str) -> tuple[TypedValue, ...]:
    return read(text, language(code)).values


def other_days(day: date) -> list[date]:
    """Another day of the month, and the same day of another month."""
    return [day.replace(day=day.day % 28 + 1), day.replace(month=day.month % 12 + 1)]


every_language = pytest.mark.parametrize(
    "codes", [pytest.param(CODES[::6], id="some"), pytest.param(CODES, id="all", marks=pytest.mark.slow)]
)
UNREAD = {
    "prg": "numbers month and day as decimals",
    "yo": "writes dates as numbers with spaces",
    "fr": "sept is seven",
}
"""Languages whose medium dates are not read, and why."""
READ_IN = 0.95
"""The least share of languages in which every value is read: CLDR groups digits oddly in a few, and in a few others
has plurals for fractions only."""


@every_language
@pytest.mark.parametrize("form", ["long", "medium", "day"])
def test_a_date_in_every_language(form: str, codes: list[str]) -> None:
    chance, wrong = Random(3), list[str]()
    for code in codes:
        for _ in range(4):
            day = date(chance.randrange(1900, 2030), chance.randrange(1, 13), chance.randrange(13, 29))
            said, *others = [_day(each, form, code) for each in (day, *other_days(day))]
            if code in UNREAD and form == "medium":
                continue
            if level(said, said, code) < 1:
                wrong.append(f"{code}: {said} is not read")
            wrong += [f"{code}: {other} is {said}" for other in others if level(other, said, code) > 0.5]
    assert wrong == []


def _day(day: date, form: str, code: str) -> str:
    return format_skeleton("MMMMd", day, locale=code) if form == "day" else format_date(day, form, locale=code)


@every_language
@pytest.mark.parametrize("way", ["number", "percent", "money", "money in words", "metres", "days"])
def test_a_number_in_every_language(way: str, codes: list[str]) -> None:
    write, wrong = WAYS[way], dict[str, str]()
    for code in codes:
        for number in (12_500, 1250.5, 48):
            said = write(number, code)
            if "length-" in said or "duration-" in said:
                continue  # CLDR has no name of the unit
            found = [value.kind for value in values(said, code) if abs(value.number - number) < 1e-6]
            others = [write(other, code) for other in (2 * number, number / 2)]
            if KINDS[way] not in found or any(level(other, said, code) > 0.25 for other in others):
                wrong[code] = said
    assert len(wrong) <= (1 - READ_IN) * len(codes), wrong


KINDS = {
    "number": "number",
    "percent": "percent",
    "money": "money EUR",
    "money in words": "money EUR",
    "metres": "length",
    "days": "duration",
}
WAYS: dict[str, Callable[[float, str], str]] = {
    "number": lambda number, code: format_decimal(number, locale=code),
    "percent": lambda number, code: format_percent(number / 100, decimal_quantization=False, locale=code),
    "money": lambda number, code: format_currency(number, "EUR", locale=code),
    "money in words": lambda number, code: format_currency(number, "EUR", locale=code, format_type="name"),
    "metres": lambda number, code: format_unit(number, "length-meter", locale=code),
    "days": lambda number, code: format_unit(number, "duration-day", locale=code),
}

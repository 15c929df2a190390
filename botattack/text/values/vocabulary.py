"""The words of a language that values are written with: those of CLDR, and what it lacks from `botattack/lang`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from botattack.text.folding import folded
from botattack.text.languages import codes, language

_WORD = re.compile(r"\d+|[^\W\d_]+")
_REGIONS = {"en": ("en", "en_GB")}
"""Spellings differ: kilometer, kilometre."""


class UnitOfMeasure(msgspec.Struct, frozen=True):
    """A dimension, such as length, and what makes base units of a number: `factor` times it, plus `offset`."""

    dimension: str
    factor: float = 1.0
    offset: float = 0.0


class Vocabulary(msgspec.Struct, frozen=True, eq=False):
    """`units` are found by their first word, longest names first; `roles` are the words of `values` in a language's
    file; `starts` are words other than digits that a value may begin with. `comma`: a comma stands before decimals;
    `tens_and`: "thirty and two" is one number; `small_months`: their names have no capitals."""

    code: str
    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    units: Mapping[str, tuple[tuple[tuple[str, ...], tuple[UnitOfMeasure, ...]], ...]]
    signs: Mapping[str, UnitOfMeasure]
    codes: frozenset[str]
    roles: Mapping[str, frozenset[str]]
    scales: Mapping[str, float]
    fractions: Mapping[str, float]
    starts: frozenset[str]
    comma: bool
    tens_and: bool
    small_months: bool


@cache
def vocabulary(code: str) -> Vocabulary:
    """The words of a language; English ones where botattack has no file for it."""
    from babel import Locale

    code = code if code in codes() else "en"
    spoken = language(code)
    regions = [Locale.parse(region) for region in _REGIONS.get(code, (code,))]
    months = _names(regions[0].months) | {w: int(n) for w, n in spoken.months.items()}
    weekdays = _names(
        {kind: {day + 1: name for day, name in named.items()} for kind, named in _widths(regions[0].days)}
    )
    scales, fractions = ({w: float(n) for w, n in each.items()} for each in (spoken.scales, spoken.fractions))
    roles = {role: frozenset(spoken.values.get(role, "").split()) for role in language("en").values}
    starts = {
        *months,
        *weekdays,
        *scales,
        *fractions,
        *roles["noon"],
        *roles["midnight"],
        *roles["century"],
        *roles["quarter"],
        *roles["decade"],
    } | {word for word in roles["article"] if word not in ("a", "an")}
    return Vocabulary(
        code,
        months,
        weekdays,
        _by_first_word(_unit_names(regions, spoken.units), spoken.function_words),
        {sign: UnitOfMeasure(f"money {code}") for code, sign in _signs(regions[0])},
        frozenset(regions[0].currencies),
        roles,
        scales,
        fractions,
        frozenset(starts),
        comma=regions[0].number_symbols["latn"]["decimal"] == ",",
        tens_and=code != "en",
        small_months=regions[0].months["format"]["wide"][1].islower(),
    )


def _widths(named: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[int, str]]]:
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            yield f"{context} {width}", named[context][width]


def _names(named: Mapping[str, Any]) -> dict[str, int]:
    """Every name of one word; of a name with a mark ("Jan.") the letters."""
    groups = named.values() if "format" not in named else [names for _, names in _widths(named)]
    return {folded(name).strip("."): number for names in groups for number, name in names.items()}


def _unit_names(regions: Iterable[Any], more: Mapping[str, str]) -> Iterator[tuple[str, tuple[UnitOfMeasure, ...]]]:
    from babel.numbers import get_currency_name
    from babel.units import format_unit

    known = _units()
    for locale in regions:
        for name, unit in known.items():
            for length in ("long", "short"):
                for count in (1, 2, 5):
                    written = format_unit(count, name, length=length, locale=locale)
                    if name not in written:
                        yield written.replace(str(count), ""), (unit,)
        for code in locale.currencies:
            for count in (1, 2):
                yield get_currency_name(code, count, locale=locale), (UnitOfMeasure(f"money {code}"),)
    for written, names in more.items():
        yield written, tuple(known.get(name) or _money(name) for name in names.split("|"))


def _money(name: str) -> UnitOfMeasure:
    """An amount of "EUR", or of "EUR/100"."""
    code, _, parts = name.upper().partition("/")
    return UnitOfMeasure(f"money {code}", 1 / float(parts or 1))


@cache
def _units() -> Mapping[str, UnitOfMeasure]:
    import yaml

    listed = yaml.safe_load((files("botattack.text.values") / "units.yaml").read_text(encoding="utf-8"))
    return {
        name: UnitOfMeasure(dimension, *map(float, factor if isinstance(factor, list) else [factor]))
        for dimension, units in listed.items()
        for name, factor in units.items()
    }


def _by_first_word(
    names: Iterable[tuple[str, tuple[UnitOfMeasure, ...]]], no_units: frozenset[str]
) -> Mapping[str, tuple[tuple[tuple[str, ...], tuple[UnitOfMeasure, ...]], ...]]:
    found = dict[tuple[str, ...], tuple[UnitOfMeasure, ...]]()
    for written, units in names:
        words = tuple(map(folded, _WORD.findall(written)))
        if words and not (len(words) == 1 and words[0] in no_units):
            found[words] = units
    first = dict[str, list[tuple[tuple[str, ...], tuple[UnitOfMeasure, ...]]]]()
    for words in sorted(found, key=len, reverse=True):
        first.setdefault(words[0], []).append((words, found[words]))
    return {word: tuple(listed) for word, listed in first.items()}


def _signs(locale: Any) -> Iterator[tuple[str, str]]:
    """Signs of one character that are no letters; a dollar is that of the United States."""
    for code, sign in locale.currency_symbols.items():
        if len(sign) == 1 and not sign.isalnum():
            yield code, sign
    yield from (("USD", "$"), ("GBP", "\u00a3"), ("EUR", "\u20ac"), ("JPY", "\u00a5"), ("INR", "\u20b9"))

"""The words of a language that values are written with: those of CLDR, and what it lacks from `botattack/lang`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec

from botattack.text.folding import folded
from botattack.text.languages import language, read_lists
from botattack.text.values.calendar import UNSPACED, calendar, names_of

if TYPE_CHECKING:
    from babel import Locale

_WORD = re.compile(rf"\d+|[{UNSPACED}]|[^\W\d_{UNSPACED}]+")
_SHORT = 4
"""Letters of an abbreviated day: others have a plural, or an ending by which they say "every"."""
_STARTING = ("noon", "midnight", "quarter")
_COUNTS = (100, 11, 5, 3, 2, 1)
"""Of which every plural of any language is needed for one."""


class UnitOfMeasure(msgspec.Struct, frozen=True):
    """A dimension, such as length, and what makes base units of a number: `factor` times it, plus `offset`."""

    dimension: str
    factor: float = 1.0
    offset: float = 0.0


Units = Mapping[str, tuple[tuple[tuple[str, ...], tuple[UnitOfMeasure, ...]], ...]]


class Vocabulary:
    """The words of a language; those of English where CLDR does not know it. `roles` are the words of `values` in its
    file; `starts` are words other than digits that a value may begin with. `comma`: a comma stands before decimals;
    `spaced`: a space stands between thousands; `month_first`: as in "4/1/2016", which may be the first of April;
    `calendar` reads dates with the name of a month."""

    def __init__(self, code: str) -> None:
        from botattack.text.locales import locale

        spoken, region = language(code), _regions(code)[0]
        symbols = region.number_symbols["latn"]
        days = [pair for named in names_of(region.days) for pair in named.items()]
        weekdays = {" ".join(map(folded, _WORD.findall(str(name)))): day + 1 for day, name in days}
        scales, fractions = ({w: float(n) for w, n in each.items()} for each in (spoken.scales, spoken.fractions))
        self.code = code
        self.weekdays = weekdays | {f"{name}s": day for name, day in weekdays.items() if len(name) > _SHORT}
        self.signs = _signs(region)
        self.codes = frozenset(locale("en").currencies)
        self.roles = {role: frozenset(spoken.values.get(role, "").split()) for role in language("en").values}
        self.scales, self.fractions = _scales(region) | scales, fractions
        named = (name.partition(" ")[0] for name in self.weekdays)
        begin = (*named, *self.scales, *fractions, *(word for role in _STARTING for word in self.roles[role]))
        self.starts = {*begin, *self.roles["article"]} - {"a", "an"}
        self.comma, self.spaced = symbols["decimal"] == ",", symbols["group"].isspace()
        self.month_first = str(region.date_formats["short"].pattern).startswith("M")
        self.calendar = calendar(code)

    @cached_property
    def units(self) -> Units:
        """By their first word, longest names first. Naming them takes longer than the rest, and many replies have no
        number with a word after it."""
        spoken = language(self.code)
        # The "C" of a temperature stays one: only CLDR takes function words for units.
        no_units = spoken.function_words - spoken.units.keys()
        return _by_first_word(_unit_names(_regions(self.code), spoken.units), no_units)


@cache
def vocabulary(code: str) -> Vocabulary:
    """The words of a language, read once."""
    from babel.localedata import exists

    return Vocabulary(code if exists(code) else "en")


def _regions(code: str) -> list[Any]:
    from botattack.text.locales import locale

    return [locale(region) for region in ((code, "en_GB") if code == "en" else (code,))]  # kilometer, kilometre


def _scales(locale: Locale) -> dict[str, float]:
    """The words of a million and the like; in "00\u4e07" each zero but the first is worth ten."""
    found, formats = dict[str, float](), locale.compact_decimal_formats
    for form in (formats.get("long") or formats["short"]).values():  # Chinese has no longer ones
        for size, pattern in form.items():
            written = str(pattern.pattern)
            words, zeros = _WORD.findall(written.replace("0", "")), written.count("0")
            if len(words) == 1 and words[0] not in "KMGT":  # what stands where a language has none of its own
                found[folded(words[0])] = int(size) / 10 ** max(zeros - 1, 0)
    return found


def _unit_names(regions: Iterable[Any], more: Mapping[str, str]) -> Iterator[tuple[str, tuple[UnitOfMeasure, ...]]]:
    from babel.numbers import get_currency_name
    from babel.units import format_unit

    known = _units()
    for locale in regions:
        counts = {locale.plural_form(count): count for count in _COUNTS}.values()
        for name, unit in known.items():
            for length in ("long", "short"):
                for count in counts:
                    written = format_unit(count, name, length=length, locale=locale)
                    if name not in written:
                        yield written.replace(str(count), ""), (unit,)
        for code in locale.currencies:
            for count in counts:
                yield get_currency_name(code, count, locale=locale), (UnitOfMeasure(f"money {code}"),)
    for written, names in more.items():
        yield written, tuple(known.get(name) or _money(name) for name in names.split("|"))


def _money(name: str) -> UnitOfMeasure:
    """An amount of "EUR", or of "EUR/100"."""
    code, _, parts = name.upper().partition("/")
    return UnitOfMeasure(f"money {code}", 1 / float(parts or 1))


@cache
def _units() -> Mapping[str, UnitOfMeasure]:
    listed = read_lists(files("botattack.text.values") / "units.yaml")
    return {
        name: UnitOfMeasure(dimension, *map(float, factor if isinstance(factor, list) else [factor]))
        for dimension, units in listed.items()
        for name, factor in units.items()
    }


def _by_first_word(names: Iterable[tuple[str, tuple[UnitOfMeasure, ...]]], no_units: frozenset[str]) -> Units:
    found = dict[tuple[str, ...], tuple[UnitOfMeasure, ...]]()
    for written, units in names:
        words = tuple(map(folded, _WORD.findall(written)))
        if words and not (len(words) == 1 and words[0] in no_units):
            found[words] = units
    first = dict[str, list[tuple[tuple[str, ...], tuple[UnitOfMeasure, ...]]]]()
    for words in sorted(found, key=len, reverse=True):
        first.setdefault(words[0], []).append((words, found[words]))
    return {word: tuple(listed) for word, listed in first.items()}


def _signs(locale: Locale) -> Mapping[str, UnitOfMeasure]:
    """Signs of money, with a dollar that of the United States."""
    local = {sign.strip("\u200e\u200f."): code for code, sign in locale.currency_symbols.items() if sign != code}
    known = {**local, "$": "USD", "\u00a3": "GBP", "\u20ac": "EUR", "\u00a5": "JPY", "\u20b9": "INR"}
    return {sign: _money(code) for sign, code in known.items()}

"""Numbers with units, read from the normal form: "three and a half km", "1 crown 80", "1,083 feet"."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from botattack.text.normalise import Normal, normalise

Likeness = Literal["same", "near", "other"]

_UNITS: Mapping[str, tuple[str, float]] = {
    name: (dimension, factor)
    for dimension, units in {
        "length": {
            "mm millimetre millimeter": 0.001,
            "cm centimetre centimeter": 0.01,
            "m metre meter": 1.0,
            "dm decimetre decimeter": 0.1,
            "km kilometre kilometer": 1000.0,
            "in inch inches": 0.0254,
            "ft foot feet": 0.3048,
            "yd yard": 0.9144,
            "mi mile": 1609.344,
        },
        "mass": {
            "mg milligram": 1e-6,
            "g gram gramme": 0.001,
            "kg kilo kilogram kilogramme": 1.0,
            "t ton tonne": 1000.0,
            "lb pound": 0.45359237,
            "oz ounce": 0.0283495,
        },
        "time": {
            "s sec second": 1.0,
            "min minute": 60.0,
            "h hr hour": 3600.0,
            "day": 86400.0,
            "week": 604800.0,
            "fortnight": 1209600.0,
        },
        "months": {"month": 1.0, "year yr": 12.0, "decade": 120.0, "century centuries": 1200.0},
        "volume": {
            "ml millilitre milliliter": 0.001,
            "cl centilitre centiliter": 0.01,
            "dl decilitre deciliter": 0.1,
            "l litre liter": 1.0,
            "cbm": 1000.0,
            "gallon": 3.785412,
            "pint": 0.473176,
        },
        "degrees": {"degree degrees": 1.0},
        "celsius": {"c celsius centigrade": 1.0},
        "fahrenheit": {"f fahrenheit": 1.0},
        "kelvin": {"kelvin kelvins": 1.0},
        "percent": {"percent pc": 1.0},
        "cents": {"cent": 1.0, "pence p": 1.0},
        "crowns": {"crown": 100.0},
        "euros": {"euro eur": 100.0},
        "dollars": {"dollar usd buck": 100.0},
        "sterling": {"sterling": 100.0},
        "francs": {"franc chf": 100.0},
        "area": {
            "sqm m2": 1.0,
            "sqkm km2": 1e6,
            "sqcm cm2": 1e-4,
            "sqft": 0.09290304,
            "sqmi": 2_589_988.1,
            "hectare ha": 10_000.0,
            "acre": 4046.856,
        },
        "loudness": {"db decibel": 1.0},
        "power": {"w watt": 1.0, "kw kilowatt": 1e3, "mw megawatt": 1e6, "gw gigawatt": 1e9, "hp horsepower": 745.7},
        "energy": {"j joule": 1.0, "kj": 1e3, "kcal calorie kilocalorie": 4184.0, "kwh": 3.6e6},
        "voltage": {"v volt": 1.0},
        "data": {"kb kilobyte": 1.0, "mb megabyte": 1e3, "gb gigabyte": 1e6, "tb terabyte": 1e9},
    }.items()
    for names, factor in units.items()
    for name in names.split()
}
_SPEEDS: Mapping[str, tuple[str, float]] = {
    "mph": ("speed", 0.44704),
    "kph": ("speed", 1 / 3.6),
    "kmh": ("speed", 1 / 3.6),
    "mps": ("speed", 1.0),
}
_MONEY = frozenset(("cents", "crowns", "euros", "dollars", "sterling", "francs"))
_SCALES = {"c": "celsius", "celsius": "celsius", "f": "fahrenheit", "fahrenheit": "fahrenheit"}
_PER = frozenset(("per", "an", "a", "each"))
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_GLUED = re.compile(r"(-?\d+(?:\.\d+)?)([a-z]+)")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_FILL_TEXT = (
    "about around approximately roughly nearly almost exactly over under some circa only just at most least up to "
    "for of long high tall wide old away deep it is by x and c"
)
_FILL = frozenset(_FILL_TEXT.split())
_PARTED = frozenset(("time", "months"))
_DECIMALS = 2
_WRITTEN_OUT = 6
"""Digits from which a percentage was a fraction: two thirds is 66.666667."""
_EXACT = 3
"""Digits from which a number is no rough one, whatever stands before it."""
_MEASURED = frozenset(("length", "mass", "speed", "volume", "area", "celsius", "fahrenheit", "kelvin", "degrees"))
"""What is measured and not counted or agreed: another rounding of it is the same."""
ROUNDED, NEAR, ROUGHLY = 0.001, 0.01, 0.05
"""Relative differences up to which two measures are one, up to which a reader may take them for one, and up to which
where one of them says "about"."""
_ROUGH = frozenset(["about", "around", "approximately", "roughly", "nearly", "almost", "some", "circa", "average"])


@dataclass(frozen=True)
class Quantity:
    """`value` in the base unit of its `dimension` (empty: a bare number), from word `first` to `last`."""

    value: float
    dimension: str
    first: int
    last: int
    digits: int
    """Significant digits it was written with."""
    number: float
    """As written, before its unit."""
    rough: bool = False

    def like(self, other: Quantity, tolerance: float) -> Likeness:
        """Whether two say the same: equal within `tolerance`, or, of what is measured, one a rounding of the other."""
        mine, theirs = self.value, other.value
        if self.dimension != other.dimension and {self.dimension, other.dimension} <= _SCALED:
            mine, theirs = self._celsius, other._celsius
        elif {self.dimension, other.dimension} == {"time", "months"}:
            mine, theirs = self._days, other._days
        elif self.dimension != other.dimension and {self.dimension, other.dimension} not in _ALIKE:
            return "other"
        gap = abs(mine - theirs) / max(abs(mine), abs(theirs), 1e-12)
        if gap <= max(tolerance, 1e-9):
            return "same"
        if self.dimension not in _MEASURED:
            written_out = self.dimension == "percent" and max(self.digits, other.digits) >= _WRITTEN_OUT
            same = self._is_share_of(other) or other._is_share_of(self) or (written_out and self._rounds(other, gap))
            return "same" if same else "other"
        if gap <= ROUNDED:
            return "same"
        converted = not self._in_unit_of(other) and min(self.digits, other.digits) <= _TWO
        if self._rounds(other, gap) or (converted and gap <= NEAR):
            return "same"
        rough = (self.rough or other.rough) and self.digits < max(other.digits, _EXACT)
        return "near" if gap <= (ROUGHLY if rough else NEAR) else "other"

    def _is_share_of(self, other: Quantity) -> bool:
        """Whether it is a time in decimals, of one in hours and minutes: "24.62 hours"."""
        decimals = f"{self.number:g}".partition(".")[2]
        if len(decimals) < _DECIMALS or self.dimension not in _PARTED:
            return False
        return abs(self.number - other.value * self.number / self.value) <= 0.5 * 10.0 ** -len(decimals)

    def _rounds(self, other: Quantity, gap: float) -> bool:
        """Whether one is a rounding of the other: to the digits it has, or, in another unit, within a bit of them."""
        digits = min(self.digits, other.digits)
        rougher, finer = sorted((self, other), key=lambda each: each.digits)
        if finer.digits < _TWO or not finer.number:
            return False
        first = math.floor(math.log10(abs(finer.number)))
        if self._in_unit_of(other):
            return digits >= _TWO and abs(finer.number - rougher.number) < 0.49 * 10.0 ** (first + 1 - digits)
        within = abs(finer.number) * gap <= 0.5 * 10.0 ** (first + 1 - finer.digits)
        return within or (digits >= _TWO and gap <= 0.5 * 10.0 ** (1 - digits) / 4)

    def _in_unit_of(self, other: Quantity) -> bool:
        scales = {self.dimension, other.dimension} - {"degrees"}
        return len(scales) <= 1 and self.number * other.value == other.number * self.value

    @property
    def _days(self) -> float:
        """Of months thirty to each, and of years 365, as people count them."""
        if self.dimension == "time":
            return self.value / 86400.0
        years, months = divmod(self.value, 12)
        return 365 * years + 30 * months

    @property
    def _celsius(self) -> float:
        if self.dimension == "kelvin":
            return self.value - 273.15
        return (self.value - 32) / 1.8 if self.dimension == "fahrenheit" else self.value


_SCALED = frozenset(("celsius", "fahrenheit", "kelvin"))


_ALIKE = (
    {"degrees", "celsius"},
    {"degrees", "fahrenheit"},
    *({"cents", money} for money in _MONEY - {"cents"}),
)


@lru_cache(maxsize=1024)
def gold_quantities(normal: Normal) -> tuple[Quantity, ...]:
    """What a gold answer says where it is nothing but quantities with at least one unit; else empty."""
    found = tuple(quantities(normal))
    covered = {at for quantity in found for at in range(quantity.first, quantity.last + 1)}
    rest = {word for at, word in enumerate(normal.words) if at not in covered}
    return found if found and rest <= _FILL and any(quantity.dimension for quantity in found) else ()


def quantities(normal: Normal) -> Iterator[Quantity]:
    """Every number of a text with its unit, in order; parts of one measure ("1 hour 30 minutes") are added up."""
    words, at, before = normal.words, 0, None
    while at < len(words):
        found = _quantity(words, at)
        if found is None:
            at += 1
            continue
        joined = _joined(before, found, words) if before else None
        if before and not joined:
            yield before
        before, at = joined or found, found.last + 1
    if before:
        yield before


def elliptic(said: tuple[Quantity, ...], normal: Normal, asked: str) -> tuple[Quantity, ...]:
    """With the unit of the one before, where a number has none and follows at once on what was asked about: "Ann
    weighs 60 kilograms, and Ben 35", to "How heavy is Ben?"."""
    if len(said) < _TWO:
        return said
    made = [said[0]]
    for quantity in said[1:_MOST]:
        before = made[-1]
        if not quantity.dimension and before.dimension and before.number and _is_of(quantity, normal, asked):
            value = quantity.number * before.value / before.number
            made.append(replace(quantity, value=value, dimension=before.dimension))
        else:
            made.append(quantity)
    return (*made, *said[_MOST:])


_TWO, _MOST = 2, 12
"""How many quantities of a reply are read so at most: a place in a text is dear to find."""
_ONLY = frozenset(("only", "just", "about", "has", "is", "was", "around", "at"))
_ENDS = re.compile(r"\s*(?:[.,;!)]|and\b|$)")


def _is_of(quantity: Quantity, normal: Normal, asked: str) -> bool:
    """Whether a number stands by itself behind a word of the question."""
    after = normal.words[quantity.last + 1 : quantity.last + 3]
    if len(after) == _TWO and after[0] in ("for", "in", "on") and f" {after[1]} " in normalise(asked).text:
        return True
    subject = next(
        (word for word in reversed(normal.words[max(0, quantity.first - 4) : quantity.first]) if word not in _ONLY), ""
    )
    if len(subject) < 3 or f" {subject} " not in normalise(asked).text:
        return False
    return bool(_ENDS.match(normal.raw, normal.span(quantity.first, quantity.last)[1]))


def _joined(one: Quantity, other: Quantity, words: tuple[str, ...]) -> Quantity | None:
    """ "1 crown 80", "5 feet 4 inches", "one metre ninety": a smaller part of the same measure follows at once."""
    between = words[one.last + 1 : other.first]
    if between not in ((), ("and",)) or not one.dimension:
        return None
    if other.dimension == one.dimension:
        # "300 metres (984 feet)" says one length twice: what is added is less than one of the larger unit.
        smaller = other.value < _unit_factor(words, one)
        if not smaller or one.dimension not in ("length", "mass", "time", "months"):
            return None
        added = other.value
    elif one.dimension in _MONEY - {"cents"} and (other.dimension == "cents" or (not other.dimension and not between)):
        added = other.value
    elif (
        one.dimension == "length"
        and not other.dimension
        and not between
        and words[one.last] in ("m", "metre", "meter", "metres", "meters")
    ):
        added = other.value / 100
    else:
        return None
    return Quantity(one.value + added, one.dimension, one.first, other.last, one.digits + other.digits, one.number)


def _unit_factor(words: tuple[str, ...], quantity: Quantity) -> float:
    unit = _unit(words, quantity.last)
    return unit[1] if unit else 1.0


def _quantity(words: tuple[str, ...], at: int) -> Quantity | None:
    """The quantity that begins at a word; None where none does, or where it is an ordinal or a clock."""
    word = words[at]
    glued = _GLUED.fullmatch(word)
    if glued and not _ORDINAL.fullmatch(word) and glued[2] in _NAMES:
        return _made(words, (at, at), glued[1], 0.0, _NAMES[glued[2]])
    if word == "half" and at + 1 < len(words) and (unit := _unit(words, at + 1)):
        return _made(words, (at, at + 1), "0.5", 0.0, unit)
    if not _NUMBER.fullmatch(word):
        return None
    last, more = at, 0.0
    if words[at + 1 : at + 3] == ("and", "half"):
        last, more = at + 2, 0.5
    unit = _unit(words, last + 1)
    return _made(words, (at, last + 1 if unit else last), word, more, unit or ("", 1.0))


def _made(
    words: tuple[str, ...], place: tuple[int, int], number: str, more: float, unit: tuple[str, float]
) -> Quantity:
    (first, last), (dimension, factor) = place, unit
    digits = len(number.strip("-0.").replace(".", "")) if "." in number else len(number.lstrip("-0").rstrip("0"))
    value = float(number) + more
    scale = _SCALES.get(words[last + 1]) if dimension == "degrees" and last + 1 < len(words) else None
    if scale:
        dimension, last = scale, last + 1
    if dimension == "length":
        dimension, factor, last = _speed(factor, last, words)
    rough = not _ROUGH.isdisjoint(words[max(0, first - 2) : last + 6])
    return Quantity(value * factor, dimension, first, last, digits + (more > 0), value, rough)


def _speed(factor: float, last: int, words: tuple[str, ...]) -> tuple[str, float, int]:
    """A length an hour or a second is a speed."""
    per = last + 1
    if per < len(words) and words[per] in _PER:
        per += 1
    if words[per : per + 1] == (
        "2nd",
    ):  # "metres a second": articles are gone, and so is what tells a second from a 2nd
        return "speed", factor, per
    if (
        per < len(words)
        and (unit := _NAMES.get(words[per]))
        and unit[0] == "time"
        and unit[1] <= 3600.0
        and (per > last + 1 or words[per] in ("s", "h", "hr", "sec", "second", "hour"))
    ):
        return "speed", factor / unit[1], per
    return "length", factor, last


def _unit(words: tuple[str, ...], at: int) -> tuple[str, float] | None:
    if at < len(words) and words[at] == "in" and at + 1 < len(words):  # "50 in town" are no inches
        after = words[at + 1]
        return _NAMES["in"] if after in _AFTER_INCHES or after[0].isdecimal() else None
    if at < len(words) and words[at] == "k":  # and no "600k"
        return _NAMES["kelvin"]
    return _NAMES.get(words[at]) if at < len(words) else None


_AFTER_INCHES = frozenset(["long", "wide", "tall", "high", "deep", "thick", "by", "x", "and", "or", "diameter"])


def is_unit(word: str) -> bool:
    return word in _NAMES or f"{word}s" in _NAMES


def unit_kind(word: str) -> str:
    """What a unit measures; empty for what is no unit."""
    found = _NAMES.get(word) if len(word) > _TWO else None
    return found[0] if found else ""


def _plurals(names: Mapping[str, tuple[str, float]]) -> dict[str, tuple[str, float]]:
    longer = {f"{name}s": unit for name, unit in names.items() if len(name) > 2}
    return {**longer, **names, **_SPEEDS}


_NAMES = _plurals(_UNITS)

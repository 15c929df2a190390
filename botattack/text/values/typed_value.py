"""Values that a text says (a number, a measure, money, a date, a time of day), and how far two of them agree."""

from __future__ import annotations

from math import log10
from typing import NamedTuple

import msgspec
from msgspec.structs import replace


class TypedValue(msgspec.Struct, frozen=True):
    """From `low` to `high`, which are equal unless the value is a range or a period; `first` and `last` are its words.

    Of the kind `date` they are years (0 if none is said, negative before Christ), and `month` and `day` are 0 where
    left open; months from 13 are seasons, from 21 those of the Persian calendar. Of `clock` they are minutes after
    midnight, and `half` tells whether the half of the day is known. Of `weekday` they are 1 (Monday) to 7, of `code`
    the number behind leading zeros. Other kinds are the dimension ("length", "money EUR", or "number" without a unit),
    in its base unit; `number` is `low` as it was written, and `step` the worth of its last digit that is not zero.
    """

    kind: str
    low: float
    high: float
    first: int
    last: int
    number: float = 0.0
    step: float = 0.0
    month: int = 0
    day: int = 0
    half: bool = False
    rough: bool = False
    either: bool = False
    """Whether day and month may be the other way round: "04/05/2024"."""

    @property
    def is_year(self) -> bool:
        """Whether it is a year and nothing else, which may also be a number."""
        return self.kind == "date" and not self.month and self.low == self.high


_SAME = 1e-9
"""The largest relative difference of equal values: units of measure cost some digits."""
_NEAR = 0.05
"""The largest relative difference that is a rounding."""
_DAY = 1440
_SEASONS = {13: (3, 4, 5, 6), 14: (6, 7, 8, 9), 15: (9, 10, 11, 12), 16: (12, 1, 2, 3)}


class Likeness(NamedTuple):
    """`level`: 1 the same, of dates also if more precise, 0.75 rounded or in part of a range, 0.5 the same but less
    precise, 0.25 contradicted in a part and the same in another, 0 contradicted. `distance`: the logarithm of the
    relative difference from -6 (none) to 1; of dates that of centuries. `missing` and `wrong`: how many parts of the
    gold value are left open, and are others."""

    level: float
    distance: float
    missing: int = 0
    wrong: int = 0


def likeness(said: TypedValue, gold: TypedValue) -> Likeness | None:
    """None where they are of kinds that cannot be compared."""
    if gold.kind.startswith("identifier") or said.kind.startswith("identifier"):
        same = said.low == gold.low
        return (Likeness(1.0, -6.0) if same else Likeness(0.0, 1.0, wrong=1)) if said.kind == gold.kind else None
    if said.kind == gold.kind:
        compared = {"date": _dates, "clock": _clocks}.get(gold.kind, _amounts)
        return compared(said, gold)
    for one, other in ((said, gold), (gold, said)):
        if one.kind == "clock" and other.kind == "number" and 0 <= other.low <= other.high <= 24:
            return _clocks(replace(other, low=60 * other.low, high=60 * other.high, half=other.high > 12), one)
    if "code" in (said.kind, gold.kind):
        return Likeness(0.0, 1.0, wrong=1) if {"number", "date"} & {said.kind, gold.kind} else None
    if not {said.kind, gold.kind}.isdisjoint(("clock", "weekday")):
        return None
    bare = (said.kind == "number" or said.is_year) and (gold.kind != "date" or gold.is_year)
    return _bare(said, gold) if bare or gold.kind == "number" else None


def is_open(said: TypedValue, gold: TypedValue) -> bool:
    """Whether a date in figures may as well be another day than that of the gold answer, which says which one it is."""
    return said.either and gold.month > 0 and not gold.either


def _bare(said: TypedValue, gold: TypedValue) -> Likeness | None:
    """One of both has no unit: the numbers as written."""
    # Without its sign, 0.25 may be 25 %.
    share = 100 if gold.kind == "percent" and 0 < said.number < 1 else 1
    shared = 100 if said.kind == "percent" and 0 < gold.number < 1 else 1
    mine, theirs = said.number * share, gold.number * shared
    found = _amounts(*(replace(each, low=amount, high=amount) for each, amount in ((said, mine), (gold, theirs))))
    # Never more than rounded: "14" may be other things than "14 days".
    return found._replace(level=min(found.level, 0.75))


def _amounts(said: TypedValue, gold: TypedValue) -> Likeness:
    low, high, gold_low, gold_high = said.low, said.high, gold.low, gold.high
    scale = max(abs(low), abs(high), abs(gold_low), abs(gold_high)) or 1.0
    away = max(abs(low - gold_low), abs(high - gold_high)) / scale
    distance = max(log10(away), -6.0) if away > _SAME else -6.0
    if away <= _SAME:
        return Likeness(1.0, distance)
    if low < high and low <= gold_low and gold_high <= high:
        return Likeness(0.5, distance, missing=1)
    rounded = max(said.step, gold.step) / 2 / scale
    # A thousandth more: in binary, 0.125 is further from 0.12 than half a hundredth.
    if away <= _NEAR and away <= rounded * 1.001:
        return Likeness(0.75, distance)
    return Likeness(0.0, min(distance, 1.0), wrong=1)


def _clocks(said: TypedValue, gold: TypedValue) -> Likeness:
    whole = _DAY if said.half and gold.half else _DAY // 2
    apart = max((abs(one - other) % whole for one, other in ((said.low, gold.low), (said.high, gold.high))))
    if apart == 0:
        return Likeness(1.0, -6.0)
    if said.low == said.high and said.low % whole in (gold.low % whole, gold.high % whole):
        return Likeness(0.5, -1.0, missing=1)
    return Likeness(0.0, log10(apart / _DAY), wrong=1)


def _dates(said: TypedValue, gold: TypedValue) -> Likeness:
    in_season = gold.month in _SEASONS.get(said.month, ()) or said.month in _SEASONS.get(gold.month, ())
    months = gold.month if in_season else said.month, gold.month
    parts = [_year(said, gold)] if gold.low else []
    for mine, theirs in (months, (said.day, gold.day)):
        if theirs:
            parts.append("missing" if not mine else "same" if mine == theirs else "wrong")
    wrong, missing = parts.count("wrong"), parts.count("missing") + parts.count("wider")
    same = parts.count("same") + parts.count("wider")
    years = abs(said.low - gold.low) if said.low and gold.low else 0
    distance = min(log10(years / 100), 1.0) if years else -6.0
    if wrong or not same:
        return Likeness(0.25 if same else 0.0, distance, missing, wrong)
    return Likeness(0.5 if missing else 1.0, distance, missing, 0)


def _year(said: TypedValue, gold: TypedValue) -> str:
    """ "Same" also for a year within those of the gold value, "wider" for years around them: less is said."""
    if not said.low:
        return "missing"
    if gold.low <= said.low and said.high <= gold.high:
        return "same"
    return "wider" if said.low <= gold.low and gold.high <= said.high else "wrong"

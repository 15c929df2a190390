"""Values of a text, read once from its words, left to right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from zlib import crc32

import msgspec

from botattack.text.tokens import PlacedWords
from botattack.text.values import moments
from botattack.text.values.identifiers import SIGN, kind_of
from botattack.text.values.number_words import Number, WordCursor, negative
from botattack.text.values.typed_value import TypedValue
from botattack.text.values.vocabulary import UnitOfMeasure, vocabulary

MOST = 200
"""Values of one text."""
_DASHES = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2212")
_YEARS = range(1000, 2100)
"""What four digits without a unit are taken to be."""
_NOON = 720
"""Minutes of half a day."""
_HALF = 12
"""Hours of half a day."""
_HOUR = 3600
_DAYS = range(1, 32)
_DOTTED = re.compile(r"(\d\d?)\.([0-5]\d)")
_PER_CENT = ("%", "\u066a", "\uff05")


def read_values(said: PlacedWords, code: str) -> tuple[TypedValue, ...]:
    """The values that the words of a text say, in its order; ranges come after both of their ends."""
    known, words = vocabulary(code), said.words
    starts, dates = known.starts, known.calendar.dates(said) if words else {}
    hints = [
        at for at, word in enumerate(words) if word in starts or word[0] == SIGN or word[0].isdecimal() or at in dates
    ]
    if not hints:
        return ()
    found, reader, end = list[TypedValue](), WordCursor(said.text, words, said.spans, known), 0
    for at in hints:
        if at >= end:
            for value in [_with_day(reader, found, dates[at])] if at in dates else _at(reader, at):
                found.append(value)
                end = max(end, value.last + 1)
            if len(found) > MOST:
                break
    return tuple(_ranges(reader, found))


def _with_day(words: WordCursor, found: list[TypedValue], date: TypedValue) -> TypedValue:
    """A date with the day in words that was found before it, as in "the fourth of July"."""
    led = found[-1] if found and not date.day else date
    beside = led.last + 1 + words.has("of", led.last + 1) == date.first
    if not (beside and led.kind == "number" and led.low in _DAYS):
        return date
    return msgspec.structs.replace(date, first=found.pop().first, day=int(led.low), number=date.number or led.low)


def _at(words: WordCursor, at: int) -> list[TypedValue]:
    """The readings of what begins at a word: usually one."""
    word = words.words[at]
    if word[0] == SIGN:  # one value is enough to tell equal ones from others
        named = float(crc32(word.encode()))
        return [TypedValue(kind_of(word), named, named, at, at)]
    if words.raw(at)[0].isdecimal():  # which no name of a time or a day begins with
        if days := moments.in_digits(words, at):
            return days
    elif one := moments.from_word(words, at) or moments.weekday(words, at):
        return [one]
    number = words.number(at)
    if number is None:
        return []
    halves = _and_a_half(words, at) if number.value == 0.5 else []
    return halves or moments.from_number(words, at, number) or _amounts(words, at, number)


def _and_a_half(words: WordCursor, at: int) -> list[TypedValue]:
    """ "An hour and a half", of which the half was found."""
    led = words.has("article", at - 1) and words.has("and", at - 2) and words.has("article", at - 4)
    one = Number(1.5, at - 3)
    return [_value(one, unit, at - 4, at, rough=False) for unit in _units(words, at - 3)[1]] if led else []


def _amounts(words: WordCursor, at: int, number: Number) -> list[TypedValue]:
    """A measure, an amount of money, or a number without either; a whole number of four digits may be a year."""
    rough, last = words.has("about", at - 1), number.end - 1
    if unit := _sign_before(words, at):
        return [_value(number, unit, at, last, rough=rough)]
    if words.word(at - 1) and words.raw(at - 1) in words.vocabulary.codes:  # "EUR 5"
        return [_value(number, UnitOfMeasure(f"money {words.raw(at - 1)}"), at - 1, last, rough=rough)]
    if words.has("minus", at - 1) or negative(words.text, words.spans[at][0]):
        number = number._replace(value=-number.value)
    end, units = _units(words, number.end)
    if units:
        return [_value(number, unit, at, end - 1, rough=rough) for unit in units]
    value = number.value
    if number.digits == 4 and int(value) in _YEARS:
        return [TypedValue("date", value, value, at, last, value, rough=rough)]
    kind = "code" if number.digits > 1 and words.word(at)[0] == "0" else "number"
    plain = TypedValue(kind, value, value, at, last, value, number.step, rough=rough)
    # The number of a footnote may follow a year without a space: "in 19982".
    if 5 <= number.digits <= 6 and (year := int(words.word(at)[:4])) in _YEARS:
        return [plain, TypedValue("date", year, year, at, at, year, rough=True)]
    return [plain]


def _sign_before(words: WordCursor, at: int) -> UnitOfMeasure | None:
    """That of money."""
    bare = words.text[max(0, words.spans[at][0] - 5) : words.spans[at][0]].rstrip()
    ends = (bare[start:] for start in range(len(bare)) if not (bare[start].isalpha() and bare[:start][-1:].isalpha()))
    return next((unit for end in ends if (unit := words.vocabulary.signs.get(end))), None)


def _value(number: Number, unit: UnitOfMeasure, first: int, last: int, *, rough: bool) -> TypedValue:
    amount = number.value * unit.factor + unit.offset
    return TypedValue(unit.dimension, amount, amount, first, last, number.value, number.step * unit.factor, rough=rough)


def _units(words: WordCursor, end: int) -> tuple[int, tuple[UnitOfMeasure, ...]]:
    """The units that follow a number, and where they end."""
    stop = words.spans[end - 1][1]
    after = words.text[stop : stop + 3].strip(" \u00a0\u200e\u200f\u202f\u2009\u061c-")
    if after[:1] in _PER_CENT and not after[1:2].isdecimal():
        return end + (words.word(end) == "%"), (UnitOfMeasure("percent"),)
    if sign := words.vocabulary.signs.get(after[:1]):
        return end + (words.word(end) in words.vocabulary.signs), (sign,)
    if end >= len(words.words) or len(words.gap(end)) > 3 or words.gap(end)[:1] in (".", ",", ";", ":", "("):
        return end, ()
    if words.raw(end) in words.vocabulary.codes:
        return end + 1, (UnitOfMeasure(f"money {words.raw(end)}"),)
    at, known, led = end, words.vocabulary, words.word(end - 1)
    while (
        (led in known.scales or led in known.fractions)
        and at < end + 2
        and (words.has("of", at) or words.has("article", at))
    ):
        at += 1
    for name, units in words.vocabulary.units.get(words.spelt(at), ()):
        if all(words.spelt(at + place) == word for place, word in enumerate(name)):
            return at + len(name), units
    return end, ()


def _ranges(words: WordCursor, found: list[TypedValue]) -> Iterator[TypedValue]:
    """Each value, measures of two units ("5 feet 4 inches") as one, and ranges of two that a dash or "to" joins."""
    left = [*found, None]
    while value := left.pop(0):
        if left[0] and (more := _added(value, left[0], words)):
            amount = value.low + more
            value = TypedValue(value.kind, amount, amount, value.first, left[0].last, value.number, more)
            del left[0]
        yield value
        if left[0] and (joined := _range(words, value, left[0])):
            yield joined


def _added(value: TypedValue, more: TypedValue, words: WordCursor) -> float:
    """What follows a measure as its part: "1 hour 30 minutes", "one metre ninety", "two hours and a half"; else 0."""
    if value.kind not in _PARTED or not value.number:
        return 0.0
    unit, between = value.low / value.number, more.first - value.last - 1
    linked = between == 1 and words.has("and", value.last + 1)
    beside = between == 0 and words.gap(more.first).strip(" ,") == ""
    is_part = more.kind == value.kind and more.number and more.low / more.number < unit
    if is_part and (linked or beside):
        return more.low
    if beside:
        hundredths = more.kind == "number" and 10 <= more.low < 100 and value.kind in _DECIMAL and unit == 1
        return more.low / 100 if hundredths else 0.0
    half = more.kind == "number" and 0 < more.low < 1 and words.has("and", value.last + 1)
    return more.low * unit if half and between <= 2 else 0.0


_PARTED = frozenset(("length", "mass", "duration", "angle", "money EUR", "money USD", "money GBP"))
_DECIMAL = frozenset(("length", "money EUR", "money USD", "money GBP"))


def _like(value: TypedValue, measure: TypedValue) -> TypedValue:
    """A number in the unit of the measure that follows it: "4 to 6 km"."""
    low = value.low * (measure.low / measure.number if measure.number else 1.0)
    return TypedValue(measure.kind, low, low, value.first, value.last, value.number, value.step)


def _range(words: WordCursor, value: TypedValue, following: TypedValue) -> TypedValue | None:
    """From one value to the next."""
    if not _is_range(words, value, following):
        return None
    low, high = value, following
    hours = [_of_day(words, each) for each in (low, high)]
    if {each.kind for each in hours} == {"clock"} and (words.has("from", low.first - 1) or low.kind != high.kind):
        low, high = hours  # "de 8 h à 16 h", but "2 h à 3 h" is how long
    if low.kind == "date" and low.low == low.high == low.number and high.kind == "number" and 10 <= high.low < 100:
        year = 100 * (low.low // 100) + high.low
        high = TypedValue("date", year, year, high.first, high.last, year)  # "1951–52"
    if low.kind == "number" and (named := _hours(words, low, high)):
        return named
    if low.kind == "number" != high.kind and high.kind != "date":
        low = _clock(words, low) if high.kind == "clock" else _like(low, high)
    if low.kind != high.kind or (low.kind == "date" and low.low and not high.low):
        return None
    start, end = low.low or (high.low if low.kind == "date" else low.low), high.high
    if start > end and low.kind not in ("clock", "weekday"):
        return None
    if low.kind == "clock" and high.half != low.half and not _is_late(words, high):  # "3 to 5 pm", "noon to 6"
        start += _NOON * (high.half and start + _NOON <= end)
        end += _NOON * (low.half and end < start)
    month = low.month if low.month == high.month else 0
    half = low.half or high.half
    return TypedValue(low.kind, start, end, low.first, high.last, low.number, high.step, month, half=half)


def _hours(words: WordCursor, low: TypedValue, high: TypedValue) -> TypedValue | None:
    """What stands behind a day of the week ("Mon-Fri 8-18h"), "from 9 to 6", and "7.30-15.30" without a unit."""
    led = words.has("from", low.first - 1)
    bare, long = high.kind == "number", high.kind == "duration" and high.low == _HOUR * high.number
    is_day = words.word(low.first - 1 - led) in words.vocabulary.weekdays and (bare or long)
    dotted = bare and all(_DOTTED.fullmatch(words.raw(value.first)) for value in (low, high))
    if not (is_day or dotted or (led and bare and low.low > high.low)) or low.low >= 25 or high.number >= 25:
        return None
    start, end = (_clock(words, value) for value in (low, high))
    return msgspec.structs.replace(start, high=end.low, last=high.last, half=high.number > _HALF)


def _clock(words: WordCursor, value: TypedValue) -> TypedValue:
    """A number as a time of day; of "7.30" these are hours and minutes."""
    found = _DOTTED.fullmatch(words.raw(value.first))
    at = 60.0 * int(found[1]) + int(found[2]) if found else 60 * value.number
    return TypedValue("clock", at, at, value.first, value.last)


def _of_day(words: WordCursor, value: TypedValue) -> TypedValue:
    """Hours as a time of day in a language that says both alike: "8 h". Any other value is what it was."""
    hours = value.kind == "duration" and value.low == _HOUR * value.number and value.number < 25
    clock = msgspec.structs.replace(_clock(words, value), half=value.number > _HALF)
    return clock if hours and words.has("oclock", value.last) else value


def _is_late(words: WordCursor, value: TypedValue) -> bool:
    """Whether a time is written with an hour after noon: then the one before it is, too, in "from 9 to 21"."""
    hour = words.raw(value.first)[:2]
    return hour.isdecimal() and int(hour) > _HALF


def _is_range(words: WordCursor, value: TypedValue, following: TypedValue) -> bool:
    gap = following.first - value.last
    if gap == 1:
        return words.gap(following.first).lstrip(".").strip() in _DASHES  # "Mo.-Fr."
    to = words.has("to", value.last + 1)
    both = words.has("and", value.last + 1) and words.has("from", value.first - 1)
    return gap == 2 and (to or both)

"""Dates, periods and times of day."""

from __future__ import annotations

from botattack.text.values.number_words import Number, WordCursor
from botattack.text.values.typed_value import TypedValue

_MONTHS, _SEASON = 12, 13
_LAST_CENTURY = 70
"""Two digits from which a year is one of the twentieth century."""
_SHORT_DATE = range(1, 32)


def _date(year: float, month: int, day: int, first: int, last: int) -> TypedValue:
    return TypedValue("date", year, year, first, last, year or day, month=month, day=day)


def weekday(words: WordCursor, at: int) -> TypedValue | None:
    """A day of the week, whose name may have two words; an abbreviation begins with a capital."""
    known, name = words.vocabulary.weekdays, f"{words.spelt(at)} {words.word(at + 1)}"
    two = name in known
    name = name if two else words.word(at)
    if name not in known or not (len(name) > 3 or words.raw(at)[0].isupper()):
        return None
    return TypedValue("weekday", known[name], known[name], at, at + two)


def dotted(words: WordCursor, at: int) -> list[TypedValue]:
    """ "01.04.2016", which is one word; the month comes second, or first if only that is possible. "1.4." in languages
    that write a comma before decimals."""
    raw = words.raw(at)
    parts = raw.split(".")
    if not all(part.isdecimal() and len(part) < 5 for part in parts):
        return []
    if len(parts) == 2 and words.vocabulary.comma and words.text[words.spans[at][1] :][:1] == ".":
        return _either(int(parts[0]), int(parts[1]), 0.0, at, at)[:1] if int(parts[1]) <= _MONTHS else []
    if len(parts) != 3:
        return []
    one, other, year = map(int, parts)
    if len(parts[0]) == 4 and 1 <= other <= 12 and year in _SHORT_DATE:
        return [_date(one, other, year, at, at)]
    return _either(one, other, _full(year, parts[2]), at, at)


def _either(one: int, other: int, year: float, first: int, last: int) -> list[TypedValue]:
    days = {(one, other), (other, one)}
    return [_date(year, month, day, first, last) for day, month in sorted(days) if 1 <= month <= 12 and 1 <= day <= 31]


def _full(year: int, digits: str) -> float:
    return float(year + (1900 if year >= _LAST_CENTURY else 2000) if len(digits) == 2 else year)


def from_month(words: WordCursor, at: int) -> TypedValue | None:
    """ "April 1, 2016", "April 2016", "April": whatever stands before it was read already."""
    month, raw = words.vocabulary.months[words.words[at]], words.raw(at)
    following = words.plain(at + 1) if _near(words, at + 1) else -1
    day, end = 0, at
    if (
        following in _SHORT_DATE
        and len(words.word(at + 1)) <= 2
        and month not in range(_SEASON, 17)
        and not _hour(words, at + 1)
    ):
        day, end = following, at + 1
        if words.has("ordinal", end + 1) and words.gap(end + 1) == "":
            end += 1
    year, end = _year(words, end + 1)
    if not (day or year or (month < _SEASON and _stands_alone(words, at, raw))):
        return None
    return _date(year, month, day, at, end)


def _hour(words: WordCursor, at: int) -> bool:
    """Whether a number is that of an hour: "in May 9:00"."""
    return words.text[words.spans[at][1] : words.spans[at][1] + 1] == ":"


def _near(words: WordCursor, at: int) -> bool:
    return at < len(words.words) and len(words.gap(at)) <= 3 and "\n" not in words.gap(at)


def _stands_alone(words: WordCursor, at: int, raw: str) -> bool:
    """Whether a month without a day or year is one: "may", "march" and "mar" are other words, too."""
    if words.vocabulary.small_months or not raw[0].isupper():
        return words.vocabulary.small_months and len(raw) > 3
    return len(words.words) == 1 or (at > 0 and "." not in words.gap(at) and "\n" not in words.gap(at))


def _year(words: WordCursor, at: int) -> tuple[float, int]:
    """The year at a word, which "of" may lead to, and its last word; 0 and the word before if there is none."""
    end = at + (words.has("of", at) and at + 1 < len(words.words))
    year = words.plain(end) if _near(words, end) else -1
    digits = len(words.word(end))
    if year < 1 or not words.raw(end).isdecimal() or words.text[words.spans[end][1] :][:1] == ":":
        return 0.0, at - 1
    if year < 100 and not _era(words, end + 1)[0]:
        return 0.0, at - 1
    if digits > 4 and 1000 <= int(words.word(end)[:4]) < 2100:
        return float(words.word(end)[:4]), end
    if digits > 4 or (digits == 3 and end == at + 1):
        return 0.0, at - 1
    sign, last = _era(words, end + 1)
    return (-float(year), last) if sign < 0 else (float(year), last)


def _era(words: WordCursor, at: int) -> tuple[int, int]:
    """-1 before Christ, 1 after, 0 where neither is said; and the last word of it."""
    if at >= len(words.words) or len(words.gap(at)) > 2:
        return 0, at - 1
    word, following = words.word(at), words.word(at + 1)
    for role, sign, letters in (("bc", -1, ("b", "c")), ("ad", 1, ("a", "d"))):
        if words.has(role, at):
            return sign, at
        if (word, following) == letters:
            return sign, at + 1 + (words.word(at + 2) == "e")
    if word in ("v", "n", "a", "d", "ap", "av") and (
        words.has("bc", at + 1) or words.word(at + 2) == "c" or following == "c"
    ):
        return (1 if word in ("n", "d", "ap") else -1), at + 1 + (words.word(at + 2) == "c")
    return 0, at - 1


def from_word(words: WordCursor, at: int) -> TypedValue | None:
    """ "Noon", "midnight", and a century named before its number ("siglo XIX")."""
    if words.has("noon", at):
        return _clock(720, half=True, first=at, last=at)
    if words.has("midnight", at):
        return _clock(0, half=True, first=at, last=at)
    if words.has("century", at) and 1 <= words.small(at + 1) <= 21:
        return _century(words, int(words.small(at + 1)), at, at + 1)
    if words.has("decade", at) and words.plain(at + 1) >= 10:
        return _decade(words.plain(at + 1), at, at + 1)
    if words.has("quarter", at) or words.word(at) in words.vocabulary.fractions:
        return _past(words, at, 15 if words.has("quarter", at) else 30, at + 1)
    return None


def _century(words: WordCursor, nth: int, first: int, last: int) -> TypedValue:
    sign, last = _era(words, last + 1) if last + 1 < len(words.words) else (0, last)
    low, high = (-100 * nth, -100 * nth + 99) if sign < 0 else (100 * nth - 99, 100 * nth)
    return TypedValue("date", low, high, first, last, nth)


def _decade(start: int, first: int, last: int) -> TypedValue:
    start = start if start >= 100 else 1900 + start
    length = 99 if start % 100 == 0 and start < 2000 else 9
    return TypedValue("date", start, start + length, first, last, start)


def from_number(words: WordCursor, at: int, number: Number) -> list[TypedValue]:
    """What a number begins: a date, a period or a time of day; nothing if it is none of them."""
    value = int(number.value)
    if number.digits and (found := _with_marks(words, at, value, number.digits)):
        return found
    one = _dated(words, at, number) or (_hours(words, at, number) if 0 <= number.value < 25 else None)
    if one is None and 0 < value < 60 and number.value == value:
        one = _past(words, at, value, number.end)
    return [one] if one else []


def _dated(words: WordCursor, at: int, number: Number) -> TypedValue | None:
    """A day, a century, a decade, or a year with its era."""
    end, value = number.end, int(number.value)
    marked = end + (words.has("ordinal", end) and words.gap(end) == "")
    if (number.digits <= 2 or number.spelt) and value in _SHORT_DATE and (day := _day(words, at, value, marked)):
        return day
    if 1 <= value <= 30 and words.has("century", marked) and len(words.gap(marked)) <= 2:
        return _century(words, value, at, marked)
    if number.digits in (2, 4) and value % 10 == 0 and words.has("decade", end) and len(words.gap(end)) <= 1:
        return _decade(value, at, end)
    sign, last = _era(words, end) if number.digits in range(1, 5) and value else (0, end - 1)
    if sign or (number.digits in range(1, 5) and words.has("ad", at - 1)):
        return _date(sign * value or value, 0, 0, at, last)
    return None


def _with_marks(words: WordCursor, at: int, value: int, digits: int) -> list[TypedValue]:
    """ "2016-04-01", "1/4/2016", "9:00"."""
    one, other = words.plain(at + 1), words.plain(at + 2)
    if one < 0:
        return []
    mark = words.gap(at + 1).strip(" \u200f")
    if mark == ":" and digits <= 2 and value <= 24 and one < 60 and len(words.word(at + 1)) == 2:
        return [_timed(words, value, one, at, at + 1)]
    if mark not in ("-", "/", ".") or other < 0 or words.gap(at + 2).strip(" \u200f") != mark:
        return []
    if digits == 4 and 1 <= one <= 12 and other in _SHORT_DATE:
        return [_date(value, one, other, at, at + 2)]
    if len(words.word(at + 2)) in (2, 4):
        return _either(value, one, _full(other, words.word(at + 2)), at, at + 2)
    return []


def _day(words: WordCursor, at: int, day: int, end: int) -> TypedValue | None:
    """ "1 April 2016", "the 1st of April", "1. April"; at the end of a range ("4-6 April") the day of its end."""
    month_at = end + words.has("of", end)
    month = words.vocabulary.months.get(words.word(month_at), 0)
    if (
        not month
        or _SEASON <= month < 17
        or not _near(words, month_at)
        or words.gap(month_at).strip(" .-/'")
        or (
            not words.vocabulary.small_months
            and words.raw(month_at).islower()
            and words.raw(month_at).isascii()
            and len(words.raw(month_at)) < 6
        )
    ):
        return None
    year, last = _year(words, month_at + 1) if month_at + 1 < len(words.words) else (0.0, month_at)
    return _date(year, month, day, at, last)


def _clock(minutes: int, *, half: bool, first: int, last: int) -> TypedValue:
    return TypedValue("clock", minutes % 1440, minutes % 1440, first, last, half=half)


def _timed(words: WordCursor, hour: int, minute: int, first: int, last: int) -> TypedValue:
    """A time of day with the half of the day that follows it, if any does."""
    half, end = _half(words, last + 1)
    if half:
        hour = hour % 12 + 12 * (half > 0)
    return _clock(60 * hour + minute, half=bool(half) or hour > 12 or words.vocabulary.tens_and, first=first, last=end)


def _half(words: WordCursor, at: int) -> tuple[int, int]:
    """-1 in the morning, 1 later, 0 where nothing is said; and its last word."""
    for end in range(at, min(at + 3, len(words.words))):
        if len(words.gap(end)) > 2:
            break
        if words.has("am", end) or (words.word(end) == "a" and words.word(end + 1) == "m"):
            return -1, end + (words.word(end) == "a")
        if words.has("pm", end) or (words.word(end) == "p" and words.word(end + 1) == "m"):
            return 1, end + (words.word(end) == "p")
        if not (words.has("of", end) or words.has("article", end) or words.word(end) in ("the", "la", "de", "du")):
            break
    return 0, at - 1


def _hours(words: WordCursor, at: int, number: Number) -> TypedValue | None:
    """ "9 am", "9.30 pm", "nine o'clock", "21 Uhr 30", "21h30"."""
    raw, hour, end = words.raw(at), int(number.value), number.end
    minute = 0
    if "." in raw and raw.count(".") == 1 and len(raw.partition(".")[2]) == 2 and int(raw.partition(".")[2]) < 60:
        minute = int(raw.partition(".")[2])
    elif number.value != hour:
        return None
    half, _ = _half(words, end)
    if half and hour <= 12:
        return _timed(words, hour, minute, at, end - 1)
    if words.has("oclock", end) and len(words.gap(end)) <= 2:
        more = words.plain(end + 1)
        if 0 <= more < 60 and len(words.word(end + 1)) == 2 and len(words.gap(end + 1)) <= 1:
            return _timed(words, hour, more, at, end + 1)
        if words.word(end) != "h" and "heure" not in words.word(end):
            return _timed(words, hour, minute, at, end)
    return None


def _past(words: WordCursor, at: int, minutes: int, end: int) -> TypedValue | None:
    """ "Half past nine", "ten to three", "halb zehn"; "from nine to six" is from one hour to another."""
    named = words.word(end).startswith("min") and end + 1 < len(words.words)
    way = end + named
    raw = words.raw(at)
    if words.code == "de" and words.word(at) == "halb" and 1 <= words.small(end) <= 12:
        return _timed(words, int(words.small(end)) - 1, 30, at, end)
    if not (words.has("past", way) or words.has("before", way)) or not 1 <= words.small(way + 1) <= 12:
        return None
    spelt = raw[0].isalpha() and words.raw(way + 1)[0].isalpha() and not words.has("from", at - 1)
    if not (spelt or named or words.has("past", way)) or words.word(way + 2) in words.vocabulary.units:
        return None
    hour = int(words.small(way + 1))
    total = 60 * hour + (minutes if words.has("past", way) else -minutes)
    return _timed(words, total // 60, total % 60, at, way + 1)

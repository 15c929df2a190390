"""Dates, periods and times of day."""

from __future__ import annotations

import re

from msgspec.structs import replace

from botattack.text.values.number_words import Number, WordCursor
from botattack.text.values.typed_value import TypedValue

_LAST_CENTURY = 70
"""Two digits from which a year is one of the twentieth century."""
_MONTHS = 12
_BEFORE_CHRIST, _AFTER_CHRIST = frozenset({"v", "a", "av"}), frozenset({"n", "d", "ap"})
"""Where BC and AD begin in other languages: v. Chr. and n. Chr., a. C. and d. C., av. and ap. J.-C."""
_GAP = "[ \u200f]?"
_DIGITS = re.compile(
    rf"(\d{{1,4}}){_GAP}([-/.]){_GAP}(\d{{1,2}}){_GAP}\2{_GAP}(\d{{4}}|\d\d)(?!\d)|(\d{{1,2}})\.(\d{{1,2}})\.(?!\d)"
)


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


def in_digits(words: WordCursor, at: int) -> list[TypedValue]:
    """ "2016-04-01", "1/4/2016" or "01.04.2016", in which the month comes second; also first without full stops in
    languages that write it so, and where nothing else is possible; "1.4." in languages that write a comma before
    decimals."""
    found = _DIGITS.match(words.text, words.spans[at][0])
    if not found or (found[6] and not words.vocabulary.comma):
        return []
    last = next(end for end in range(at, len(words.words)) if words.spans[end][1] >= found.end() - bool(found[6]))
    if found[6]:
        return _day(0.0, int(found[6]), int(found[5]), at, last)
    one, other, year = int(found[1]), int(found[3]), int(found[4])
    if len(found[1]) == 4:
        return _day(one, other, year, at, last)
    if len(found[4]) == 2:
        year += 1900 if year >= _LAST_CENTURY else 2000
    either = other > _MONTHS or (found[2] != "." and words.vocabulary.month_first)
    orders = sorted({(one, other), (other, one)}) if either else [(one, other)]
    days = [value for day, month in orders for value in _day(year, month, day, at, last)]
    return [replace(value, either=len(days) > 1) for value in days]


def _day(year: float, month: int, day: int, first: int, last: int) -> list[TypedValue]:
    return [_date(year, month, day, first, last)] if 1 <= month <= _MONTHS and 1 <= day <= 31 else []


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
    if word in _BEFORE_CHRIST | _AFTER_CHRIST and (
        words.has("bc", at + 1) or words.word(at + 2) == "c" or following == "c"
    ):
        return (1 if word in _AFTER_CHRIST else -1), at + 1 + (words.word(at + 2) == "c")
    return 0, at - 1


def from_word(words: WordCursor, at: int) -> TypedValue | None:
    """ "Noon", "midnight" and "half past nine"."""
    # The noon of "après-midi" is none.
    if (words.has("noon", at) or words.has("midnight", at)) and not _hyphened(words, at - 1, "pm"):
        return _clock(720 if words.has("noon", at) else 0, half=True, first=at, last=at)
    if words.has("quarter", at) or words.word(at) in words.vocabulary.fractions:
        return _before_or_past_hour(words, at, 15 if words.has("quarter", at) else 30, at + 1)
    return None


def _century(words: WordCursor, nth: int, first: int, last: int) -> TypedValue:
    sign, last = _era(words, last + 1) if last + 1 < len(words.words) else (0, last)
    low, high = (-100 * nth, -100 * nth + 99) if sign < 0 else (100 * nth - 99, 100 * nth)
    return TypedValue("date", low, high, first, last, nth)


def _decade(start: int, first: int, last: int) -> TypedValue:
    start = start if start >= 100 else 1900 + start
    # People mean a century by "the 1900s", but ten years by "the 2000s".
    return TypedValue("date", start, start + (99 if start % 100 == 0 and start < 2000 else 9), first, last, start)


def from_number(words: WordCursor, at: int, number: Number) -> list[TypedValue]:
    """What a number begins: a date, a period or a time of day; nothing if it is none of them."""
    value = int(number.value)
    minutes = words.plain(at + 1) if len(words.word(at + 1)) == 2 else -1
    if 0 < number.digits <= 2 and value <= 24 and 0 <= minutes < 60 and words.gap(at + 1).strip(" \u200f") == ":":
        return [_timed(words, value, minutes, at, at + 1)]
    one = _dated(words, at, number) or (_hours(words, at, number) if 0 <= number.value < 25 else None)
    if one is None and 0 < value < 60 and number.value == value:
        one = _before_or_past_hour(words, at, value, number.end)
    return [one] if one else []


def _dated(words: WordCursor, at: int, number: Number) -> TypedValue | None:
    """A century, a decade, or a year with its era."""
    end, value = number.end, int(number.value)
    marked = end + (words.has("ordinal", end) and words.gap(end) == "")
    if 1 <= value <= 30 and words.has("century", marked) and len(words.gap(marked)) <= 2:
        return _century(words, value, at, marked)
    if number.digits in (2, 4) and value % 10 == 0 and words.has("decade", end) and len(words.gap(end)) <= 1:
        return _decade(value, at, end)
    sign, last = _era(words, end) if number.digits in range(1, 5) and value else (0, end - 1)
    if sign or (number.digits in range(1, 5) and words.has("ad", at - 1)):
        return _date(sign * value or value, 0, 0, at, last)
    return None


def _clock(minutes: int, *, half: bool, first: int, last: int) -> TypedValue:
    return TypedValue("clock", minutes % 1440, minutes % 1440, first, last, half=half)


def _timed(words: WordCursor, hour: int, minute: int, first: int, last: int) -> TypedValue:
    """A time of day with the half of the day that follows it, if any does."""
    half, end = _half(words, last + 1)
    hour = hour % 12 + 12 * (half > 0) if half else hour
    # Only English counts to 12 twice a day: elsewhere 9:00 without more is in the morning.
    known = half or hour > 12 or words.vocabulary.code != "en"
    return _clock(60 * hour + minute, half=bool(known), first=first, last=end)


def _hyphened(words: WordCursor, at: int, role: str) -> bool:
    """Whether two words with a hyphen between them have a role as one."""
    two = f"{words.word(at)}-{words.word(at + 1)}"
    return not two.endswith("-") and words.gap(at + 1) == "-" and two in words.vocabulary.roles[role]


def _half(words: WordCursor, at: int) -> tuple[int, int]:
    """-1 in the morning, 1 later, 0 where nothing is said; and its last word."""
    for end in range(at, min(at + 3, len(words.words))):
        if len(words.gap(end)) > 2:
            break
        for role, letter, way in (("am", "a", -1), ("pm", "p", 1)):
            two = (words.word(end) == letter and words.word(end + 1) == "m") or _hyphened(words, end, role)
            if two or words.has(role, end):
                return way, end + two
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
    if hour <= 12 and _half(words, end)[0]:
        return _timed(words, hour, minute, at, end - 1)
    if words.has("oclock", end) and len(words.gap(end)) <= 2:
        more = words.plain(end + 1)
        if 0 <= more < 60 and len(words.word(end + 1)) == 2 and len(words.gap(end + 1)) <= 1:
            return _timed(words, hour, more, at, end + 1)
        if _half(words, end + 1)[0] or (words.word(end) != "h" and "heure" not in words.word(end)):
            return _timed(words, hour, minute, at, end)
    return None


def _before_or_past_hour(words: WordCursor, at: int, minutes: int, end: int) -> TypedValue | None:
    """ "Half past nine", "ten to three", "halb zehn"; "from nine to six" is from one hour to another."""
    named = words.word(end).startswith("min") and end + 1 < len(words.words)
    way = end + named
    if words.vocabulary.code == "de" and words.word(at) == "halb" and 1 <= words.small(end) <= 12:
        return _timed(words, int(words.small(end)) - 1, 30, at, end)
    if not (words.has("past", way) or words.has("before", way)) or not 1 <= words.small(way + 1) <= 12:
        return None
    spelt = words.raw(at)[0].isalpha() and words.raw(way + 1)[0].isalpha() and not words.has("from", at - 1)
    if not (spelt or named or words.has("past", way)) or words.word(way + 2) in words.vocabulary.units:
        return None
    total = 60 * int(words.small(way + 1)) + (minutes if words.has("past", way) else -minutes)
    return _timed(words, total // 60, total % 60, at, way + 1)

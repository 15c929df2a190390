"""Dates and times of day, read from text in the notations people use: "4 July 1776", "July 4th", "half past four"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from botattack.text.normalise import Normal

_MONTH_NAMES_TEXT = "january february march april may june july august september october november december"
_MONTH_NAMES = _MONTH_NAMES_TEXT.split()
_MONTHS = {form: at for at, name in enumerate(_MONTH_NAMES, 1) for form in (name, name[:3])} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_ERA = r"(?: (?P<era>bc|bce|ad|ce))?"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        rf" (?:{_DAY} (?:day )?(?:of )?)?(?P<month>{_MONTH})(?: (?:of )?{_YEAR})?{_ERA} ",
        rf" (?P<month>{_MONTH}) {_DAY}(?: {_YEAR})?{_ERA} ",
    )
)
_LAST_DAY = re.compile(
    rf" (?:end of (?P<month>{_MONTH})|before (?:1st (?:day )?(?:of )?|1 (?:of )?)?(?P<next>{_MONTH})(?: 1st| 1)?)"
    rf"(?: {_YEAR})?(?= )"
)
_ALSO_WORDS = frozenset(("may", "march", "mar", "dec", "sep", "jan"))
_LED = re.compile(r" (?:in|of|by|since|until|till|during|from|early|late|next|last) $")
_ISO = re.compile(r"(?<![\d-])(?P<year>\d{4})-(?P<month>[01]?\d)-(?P<day>[0-3]?\d)(?![\d-])")
_SLASHED = re.compile(r"(?<![\d./])(?P<one>[0-3]?\d)[./](?P<other>[0-3]?\d)[./](?P<year>\d{4}|\d\d)(?![\d/:])")
_DAY_AND_MONTH = re.compile(
    r"(?<![\d./])(?P<one>[0-3]?\d)(?:/(?P<other>[0-3]?\d)(?![\d/%]|\s*(?:of|cup|inch))|\.(?P<month>[01]?\d)\.(?!\d))"
)
_HOURS = {
    name: at
    for at, name in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 1
    )
}
_HOUR = "|".join(_HOURS) + r"|[01]?\d|2[0-4]"
_TWELVES = {"noon": 720, "midday": 720, "midnight": 0}
_MINUTES = {"five": 5, "ten": 10, "quarter": 15, "twenty": 20, "twenty-five": 25, "twenty five": 25, "half": 30}
_HALF_DAY = r"(?:\s*(?P<half>[ap])\.?\s?m\b\.?|\s+in the (?P<part>morning|afternoon|evening)|\s+at (?P<night>night))?"
_CLOCKS = (
    re.compile(rf"(?<![\d:.,])(?P<hour>[01]?\d|2[0-4])[:.h](?P<minute>[0-5]\d)(?![\d:%]|\.\d){_HALF_DAY}", re.I),
    re.compile(
        r"\b(?:a )?(?P<said>half|quarter|twenty-five|twenty five|twenty|ten|five|[1-5]?\d"
        rf"|(?:{'|'.join(_HOURS)})(?= min))(?: min(?:ute)?s?)? (?P<way>past|to|after|before)"
        rf" (?P<hour>{_HOUR}|noon|midday|midnight)\b(?! (?:\w+ )?(?:minutes|hours|days|weeks|months"
        rf"|years)\b){_HALF_DAY}",
        re.I,
    ),
    re.compile(rf"(?<![\d:.,])\b(?P<hour>{_HOUR})(?:\s+o'?clock\b{_HALF_DAY}|\s*(?P<half2>[ap])\.?\s?m\b\.?)", re.I),
    re.compile(
        rf"(?<![\d:.,])\b(?P<hour>{_HOUR})(?:\s+in the (?P<part>morning|afternoon|evening)|\s+at (?P<night>night))\b",
        re.I,
    ),
    re.compile(r"(?<![\d:.,])(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d) (?:hours|hrs)\b", re.I),
    re.compile(
        rf"\b(?:at|by|till|until|from|before|after)\s+(?P<hour>{_HOUR})\b(?!\s*[:.]\d|\s*(?:o'|[ap]\.?m|%|past"
        rf"|to\s\w+\s*(?:$|[.,])|[a-z]*(?:days|weeks|years|people|crowns|euros))){_HALF_DAY}",
        re.I,
    ),
    re.compile(
        rf"\b(?P<said>half) (?P<way>)(?P<hour>{'|'.join(_HOURS)})\b(?! (?:\w+ )?(?:minutes|hours|days|weeks|of)\b)"
        rf"{_HALF_DAY}",
        re.I,
    ),
    re.compile(r"\b(?P<named>noon|midday|midnight)\b", re.I),
)
_RANGE = re.compile(
    rf"\b(?:from|between)\s+(?P<one>{_HOUR})\s+(?:until|till|to|and)\s+(?P<other>{_HOUR})\b(?!\s*(?:%|percent"
    rf"|[a-z]*(?:days|weeks|months|years|people|crowns|euros)\b))",
    re.I,
)


@dataclass(frozen=True)
class Date:
    """What a text says of a day; 0 stands for what it leaves open. Years before Christ are negative."""

    year: int
    month: int
    day: int
    span: tuple[int, int]

    def like(self, gold: Date) -> Literal["same", "part", "other"]:
        """`part`: nothing contradicts, but something that `gold` says is left open."""
        pairs = ((self.year, gold.year), (self.month, gold.month), (self.day, gold.day))
        if any(mine and theirs and mine != theirs for mine, theirs in pairs):
            return "other"
        return "part" if any(theirs and not mine for mine, theirs in pairs) else "same"


@dataclass(frozen=True)
class Clock:
    """A time of day in minutes since midnight; of a twelve hours' clock where `half` is not known."""

    minutes: int
    half: bool
    span: tuple[int, int]

    def same(self, other: Clock) -> bool:
        whole = 1440 if self.half and other.half else 720
        return self.minutes % whole == other.minutes % whole


def dates(normal: Normal) -> Iterator[Date]:
    """Every date with a month; a year alone is a number and no date here."""
    for match in _ISO.finditer(normal.raw):
        yield _date(match["year"], int(match["month"]), match["day"], match.span())
    for match in _SLASHED.finditer(normal.raw):
        one, other = int(match["one"]), int(match["other"])
        for day, month in {(one, other), (other, one)}:
            if 1 <= month <= 12:
                yield _date(match["year"], month, str(day), match.span())
    for match in _DAY_AND_MONTH.finditer(normal.raw):
        one, other = int(match["one"]), int(match["other"] or match["month"])
        for day, month in {(one, other), (other, one)}:
            if 1 <= month <= 12 and 1 <= day <= 31:
                yield _date(None, month, str(day), match.span())
    yield from _spelt(normal)
    yield from _ends(normal)


def _ends(normal: Normal) -> Iterator[Date]:
    """The last day of a month: "at the end of March", "before 1 April"."""
    if " end of " not in normal.text and " before " not in normal.text:
        return
    for match in _LAST_DAY.finditer(normal.text):
        month = _MONTHS[match["month"] or match["next"]] - (match["next"] is not None)
        first = normal.text.count(" ", 0, match.start())
        last = normal.text.count(" ", 0, match.end() - 1) - 1
        day = 28 if month == 2 else 30 if month in (4, 6, 9, 11) else 31
        yield Date(int(match["year"] or 0), month or 12, day, normal.span(first, last))


def _spelt(normal: Normal) -> Iterator[Date]:
    """Dates with the month as a word; of two that begin alike the one that says more."""
    taken: set[int] = set()
    for pattern in _DATES[::-1]:
        for match in pattern.finditer(normal.text):
            if match.start("month") in taken:
                continue
            taken.add(match.start("month"))
            first = normal.text.count(" ", 0, match.start())
            last = normal.text.count(" ", 0, match.end() - 1) - 1
            found = _date(match["year"], _MONTHS[match["month"]], match["day"], normal.span(first, last), match["era"])
            if (
                found.day
                or found.year
                or match["month"] not in _ALSO_WORDS
                or _LED.search(match.string[: match.start("month")])
            ):
                yield found


def _date(year: str | None, month: int, day: str | None, span: tuple[int, int], era: str | None = None) -> Date:
    sign = -1 if era and era.startswith("b") else 1
    if year and len(year) == len("26"):
        year = f"{19 if int(year) >= _LAST_CENTURY else 20}{year}"
    return Date(sign * int(year or 0), month, int(day or 0), span)


_BARE_RANGE = re.compile(
    r"(?<!room )(?<!gate )(?<!page )(?<!unit )(?<![\d:.,/\u20ac\u00a3$-])(?P<one>[01]?\d|2[0-4])"
    r"(?:[:.](?P<past>[0-5]\d))?\s*[-\u2013\u2014]\s*(?P<other>[01]?\d|2[0-4])"
    r"(?:[:.](?P<beyond>[0-5]\d))?(?![\d:/%\u20ac-]|[.,]\d|\s*(?:%|\u20ac|[a-z]*(?:days|weeks|months|years|hours|minutes|mins"
    r"|people|euros|pounds|dollars|crowns|km|kg|cm|miles|percent|degrees)\b))",
    re.I,
)


def bare_ranges(raw: str) -> Iterator[tuple[Clock, Clock]]:
    """Both ends of each "10-7" or "9.30-18", which are hours only where hours are asked for."""
    for match in _BARE_RANGE.finditer(raw):
        one, other = (
            Clock(60 * int(match[hour]) + int(match[minute] or 0), half=int(match[hour]) > 12, span=match.span())
            for hour, minute in (("one", "past"), ("other", "beyond"))
        )
        yield one, other


_LAST_CENTURY = 70
"""Two digits from which a year is one of the twentieth century."""


def clocks(raw: str) -> Iterator[Clock]:
    """Every time of day, in figures or words; both ends of a range such as "from ten until three"."""
    for pattern in _CLOCKS:
        for match in pattern.finditer(raw):
            yield _clock(match)
    for match in _RANGE.finditer(raw):
        for end in ("one", "other"):
            yield Clock(_hour(match[end]) * 60, half=False, span=match.span())


def _clock(match: re.Match[str]) -> Clock:
    groups = match.groupdict()
    if groups.get("named"):
        return Clock(0 if groups["named"].casefold() == "midnight" else 720, half=True, span=match.span())
    twelve = _TWELVES.get((groups["hour"] or "").casefold())
    minutes = _hour(groups["hour"]) * 60 + int(groups.get("minute") or 0) if twelve is None else twelve
    if groups.get("said"):
        said = groups["said"].casefold()
        off = _MINUTES.get(said) or _HOURS.get(said) or int(said if said.isdecimal() else 0)
        minutes += off if groups["way"].casefold() in ("past", "after", "") else -off
    if twelve is not None:
        return Clock(minutes % 1440, half=True, span=match.span())
    if groups.get("night") and 720 <= minutes < 780:
        return Clock(minutes - 720, half=True, span=match.span())
    half = _half(groups)
    if half is None:
        return Clock(minutes, half=minutes >= 780, span=match.span())
    return Clock(minutes % 720 + 720 * half, half=True, span=match.span())


def _half(groups: dict[str, str | None]) -> bool | None:
    letter = groups.get("half") or groups.get("half2")
    if letter:
        return letter.casefold() == "p"
    part = (groups.get("part") or groups.get("night") or "").casefold()
    return part != "morning" if part else None


def _hour(text: str) -> int:
    return _HOURS.get(text.casefold()) or int(text)


_BESIDE_TEXT = "of on in bc bce ad ce day monday tuesday wednesday thursday friday saturday sunday"
_BESIDE_DATES = frozenset(_BESIDE_TEXT.split())


@lru_cache(maxsize=1024)
def gold_dates(normal: Normal) -> tuple[Date, ...]:
    """The dates a gold answer is, if it is nothing else; else empty."""
    found = tuple(dates(normal))
    if not found or len(normal.words) > 6:
        return ()
    rest = [word for word in normal.words if word not in _MONTHS and not word[0].isdecimal()]
    return found if {*rest} <= _BESIDE_DATES else ()


@lru_cache(maxsize=1024)
def gold_clocks(raw: str) -> tuple[Clock, ...]:
    """The times of day a gold answer says; both ends of a range ("10:00-15:00", "10 am to 3 pm")."""
    found = tuple(clocks(raw))
    covered = sum(end - start for start, end in {clock.span for clock in found})
    return found if covered >= 0.25 * len(raw.strip()) else ()

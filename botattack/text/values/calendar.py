"""Dates with a named month, in any order and with the words between that CLDR says a language writes."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from botattack.text.values.typed_value import TypedValue

_LEAST = 5
"""Letters of a name that may have another ending, or be a month without a day or a year: "May" and "mars" are words."""
_QUOTED = re.compile(r"'([^']+)'|([^\x00-\x7f\s.]+)")
UNSPACED = "\u3040-\u30ff\u3400-\u9fff"
"""Chinese and Japanese characters."""
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff" + UNSPACED
_LETTER = r"[^\W\d_]"


class Calendar:
    """The months of a language, and what it writes between them, the day and the year."""

    def __init__(self, locale: Any) -> None:
        wide = [str(locale.date_formats["long"].pattern), *map(str, locale.datetime_skeletons.values())]
        order = re.sub(r"'[^']*'|[^dMy]", "", wide[0])
        self._day_first, self._year_first = order.find("d") < order.find("M"), order.find("y") < order.find("M")
        self._names = _names(locale)
        stems = _stems(self._names)
        within = any(re.search(rf"[{_UNSPACED}\d]", name) for name in self._names)
        edges = (r"(?<!\d)", r"(?:(?<!\d)|(?!\d))") if within else (f"(?<!{_LETTER})", r"(?![^\W_])")
        exact, open_ended = (f"({'|'.join(_longest(names)) or '(?!)'})" for names in (self._names, stems))
        self._months = re.compile(
            f"{edges[0]}(?:{exact}|{open_ended}{_LETTER}{{0,6}}){edges[1]}",
            re.IGNORECASE,
        )
        self._stems = self._names | stems
        words = {word for pattern in wide for pair in _QUOTED.findall(pattern) for word in pair if word}
        words |= {str(named[1]) for named in locale.eras.values()}
        between = rf"(?:[^\S\n]|[.,/()\u200f\u2019'\u00ba-]|{'|'.join(_longest(words)) or ','}){{0,6}}"
        self._before = re.compile(rf"(?<![\d.,:])(\d{{1,4}}){between}$", re.IGNORECASE)
        self._after = re.compile(rf"{between}(\d{{1,4}})(?![\d:])", re.IGNORECASE)

    def dates(self, text: str, spans: tuple[tuple[int, int], ...]) -> Mapping[int, TypedValue]:
        """The dates with a named month, by their first words."""
        found, end = dict[int, TypedValue](), 0
        for match in self._months.finditer(text):
            if match.start() >= end and (dated := self._date(text, match, end)):
                month, day, year, start, end = dated
                first = max(0, bisect_right(spans, (start, len(text))) - 1)
                last = max(first, bisect_left(spans, (end, 0)) - 1)
                found[first] = TypedValue("date", year, year, first, last, year or day, month=month, day=day)
        return found

    def _date(self, text: str, match: re.Match[str], least: int) -> tuple[int, int, int, int, int] | None:
        """Month, day and year, and where the date is; `least` is where the date before it ends."""
        month = self._stems.get(match[match.lastindex or 0].lower(), 0)
        led, followed = list[tuple[int, str]](), list[tuple[int, str]]()
        start, end = match.span()
        while len(led) < 2 and (one := self._before.search(text, max(least, start - 24), start)):
            start = one.start()
            led.append((start, one[1]))
        while len(followed) < 2 and (one := self._after.match(text, end)):
            end = one.end()
            followed.append((end, one[1]))
        day = _chosen((led, followed) if self._day_first else (followed, led), range(1, 32), 2)
        year = _chosen((led, followed) if self._year_first else (followed, led), range(100, 3000), 4)
        if not (day or year or len(match[0]) >= _LEAST or re.match(f"[{_UNSPACED}]", match[0])):
            return None
        places = [place for place, _ in filter(None, (day, year))]
        return (
            month,
            int(day[1]) if day else 0,
            int(year[1]) if year else 0,
            min([*places, match.start()]),
            max([*places, match.end()]),
        )


def _chosen(sides: Iterable[list[tuple[int, str]]], allowed: range, most: int) -> tuple[int, str] | None:
    each = (one for side in sides for one in side if len(one[1]) <= most and int(one[1]) in allowed)
    return next(each, None)


@cache
def calendar(code: str) -> Calendar:
    """That of a language of CLDR."""
    from babel import Locale

    return Calendar(Locale.parse(code))


def _names(locale: Any) -> dict[str, int]:
    """Names of months with letters; babel gives Chinese ones where a language has none that stand alone."""
    contexts, widths = ("format", "stand-alone"), ("wide", "abbreviated")
    every = [locale.months[context][width] for context in contexts for width in widths]
    listed = [names for names in every if names[1] != "\u4e00\u6708" or locale.language in ("zh", "yue", "ja")]
    pairs = ((str(name).lower().strip(". "), month) for names in listed for month, name in names.items())
    return {
        name: month for name, month in pairs if (len(name) > 1 or not name.isascii()) and any(map(str.isalpha, name))
    }


def _stems(names: Mapping[str, int]) -> dict[str, int]:
    """Names without their last letter, where another ending may stand: "marca" is "marcu", too."""
    found = dict[str, set[int]]()
    for name, month in names.items():
        if len(name) >= _LEAST and name[-1].isalpha():
            found.setdefault(name[:-1], set()).add(month)
    return {stem: months.pop() for stem, months in found.items() if len(months) == 1 and stem not in names}


def _longest(words: Iterable[str]) -> list[str]:
    return [re.escape(word) for word in sorted(words, key=len, reverse=True)]

"""Dates with a named month, in any order and with the words between that CLDR says a language writes."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from botattack.text.folding import aligned
from botattack.text.languages import language
from botattack.text.tokens import PlacedWords
from botattack.text.values.typed_value import TypedValue

if TYPE_CHECKING:
    from babel import Locale

_LEAST = 5
"""Letters of a name that may have another ending, or be a month without a day or a year: "May" and "mars" are words."""
_QUOTED = re.compile(r"'([^']+)'|([^\x00-\x7f\s.]+)")
UNSPACED = "\u3040-\u30ff\u3400-\u9fff"
"""Chinese and Japanese characters."""
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff" + UNSPACED
_YEAR = 4
_HEAD = 3
"""Letters of a month without which a text of a language with a file has none."""
_SEASONS = range(13, 17)
_LETTER = r"[^\W\d_]"


class Calendar:
    """The months of a language, and what it writes between them, the day and the year. `names` are theirs, folded."""

    def __init__(self, locale: Locale, more: Mapping[str, int], joins: Iterable[str]) -> None:
        """`more` are names that CLDR lacks, such as those of seasons; `joins` may be between a day and its month."""
        wide = [str(locale.date_formats["long"].pattern), *map(str, locale.datetime_skeletons.values())]
        order = re.sub(r"'[^']*'|[^dMy]", "", wide[0])
        self._day_first, self._year_first = order.find("d") < order.find("M"), order.find("y") < order.find("M")
        named = _names(locale)
        self.names = {**named, **more}
        # With a file of its own, a language has all forms of a month there: "Augusta" is no form of "August".
        stems = {} if more else _stems(named)
        self._heads = frozenset(name[:_HEAD] for name in self.names) if more else frozenset[str]()
        self._is_small = not more or str(locale.months["format"]["wide"][1]).islower()
        within = any(re.search(rf"[{_UNSPACED}\d]", name) for name in self.names)
        begin = f"(?:(?<!{_LETTER})|(?-i:(?<=[^\\W\\d_A-Z])(?=[A-Z])))"  # assistants lose spaces: "onApril 1"
        edges = (r"(?<!\d)", r"(?:(?<!\d)|(?!\d))") if within else (begin, r"(?![^\W_])")
        exact, open_ended = (f"({'|'.join(_longest(names)) or '(?!)'})" for names in (self.names, stems))
        self._months = re.compile(f"{edges[0]}(?:{exact}|{open_ended}{_LETTER}{{0,6}}){edges[1]}", re.IGNORECASE)
        self._stems = self.names | stems
        words = {aligned(word) for pattern in wide for pair in _QUOTED.findall(pattern) for word in pair if word}
        words |= {*joins, *(aligned(str(named[1])) for named in locale.eras.values())}
        between = rf"(?:[^\S\n]|[.,/()\u200f\u2019'\u00ba-]|{'|'.join(_longest(words)) or ','}){{0,6}}"
        self._before = re.compile(rf"(?<![\d.,:])(\d{{1,4}}){between}$", re.IGNORECASE)
        ends = rf"(?:(?:{'|'.join(_longest(joins)) or '(?!)'})(?!{_LETTER}))?"  # "June 6th"
        self._after = re.compile(
            rf"{between}((?:1\d|20)\d\d(?=\d{{1,2}}(?!\d))|\d{{1,4}}(?![\d:])){ends}", re.IGNORECASE
        )

    def dates(self, said: PlacedWords) -> Mapping[int, TypedValue]:
        """The dates with a named month, by their first words."""
        if self._heads and self._heads.isdisjoint([word[:_HEAD] for word in said.words]):
            return {}
        found, end, text, spans = dict[int, TypedValue](), 0, aligned(said.text), said.spans
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
            # What is behind a year is no day, and a digit right behind it is a footnote's.
            if text[end : end + 1].isdecimal() or (len(one[1]) == _YEAR and not self._year_first):
                break
        day = _chosen((led, followed) if self._day_first else (followed, led), range(1, 32), 2)
        years = (followed,) if self._heads else (led, followed) if self._year_first else (followed, led)
        year = _chosen(years, range(100, 10_000), _YEAR)
        day = None if month in _SEASONS else day
        is_word = not self._is_small and match[0].islower() and len(match[0]) < _LEAST and not followed
        if is_word or (not (day or year) and (month in _SEASONS or not self._stands_alone(text, match))):
            return None
        places = [*match.span(), *(place for place, _ in filter(None, (day, year)))]
        return month, int(day[1]) if day else 0, int(year[1]) if year else 0, min(places), max(places)

    def _stands_alone(self, text: str, match: re.Match[str]) -> bool:
        """Whether a month without a day or year is one: "may", "mars" and "march" are other words, too."""
        if not self._is_small:
            before = text[: match.start()].rstrip(" ")
            return match[0][0].isupper() and (text.strip() == match[0] or before[-1:] not in ("", *".!?\n"))
        return len(match[0]) >= _LEAST - bool(self._heads) or re.match(f"[{_UNSPACED}]", match[0]) is not None


def _chosen(sides: Iterable[list[tuple[int, str]]], allowed: range, most: int) -> tuple[int, str] | None:
    each = (one for side in sides for one in side if len(one[1]) <= most and int(one[1]) in allowed)
    return next(each, None)


@cache
def calendar(code: str) -> Calendar:
    """That of a language of CLDR, with the names of its file."""
    from botattack.text.locales import locale

    spoken = language(code)
    joins = [word for role in ("of", "ordinal") for word in spoken.values.get(role, "").split()]
    return Calendar(locale(code), {name: int(month) for name, month in spoken.months.items()}, joins)


def names_of(named: Mapping[str, Mapping[str, Mapping[int, str]]]) -> list[Mapping[int, str]]:
    """The names of days or months, whole and short, within a date and alone."""
    return [named[context][width] for context in ("format", "stand-alone") for width in ("wide", "abbreviated")]


def _names(locale: Locale) -> dict[str, int]:
    """Names of months with letters."""
    listed = names_of(locale.months)
    pairs = ((aligned(str(name)).lower().strip(". "), month) for names in listed for month, name in names.items())
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

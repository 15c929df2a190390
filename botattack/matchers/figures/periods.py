"""Days of the week and months that a text names, ranges filled in and exceptions left out."""

from __future__ import annotations

import re

from botattack.text.normalise import Normal, normalise

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS_TEXT = "january february march april may june july august september october november december"
MONTHS = tuple(_MONTHS_TEXT.split())
SEASONS = {"spring": (2, 3, 4), "summer": (5, 6, 7), "autumn": (8, 9, 10), "fall": (8, 9, 10), "winter": (11, 0, 1)}
SETS = {"weekday": (0, 1, 2, 3, 4), "weekend": (5, 6), "daily": tuple(range(7))}
SHORT_DAYS = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6}
_ALSO_WORDS = frozenset(("sat", "sun", "wed"))
_BEFORE_MAY = frozenset(("in", "of", "during", "from", "to", "until", "till", "through", "by", "since", "and", "or"))
_UNTIL = frozenset(("to", "until", "till", "through", "thru"))
_DAY = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*"
_DASHED = re.compile(rf"\b({_DAY})\.?\s*[-\u2010-\u2015]\s*({_DAY})\b", re.I)
EVERY = re.compile(r" (?:every day|daily|[67] days|all week|all year|year round|always) ")
_EXCEPT = re.compile(
    r" (?:except(?: for| on)?|excluding|apart from|other than|but|save|bar) (?=(?:\S+ ){0,2}\S+days? )"
)
_EXCEPTED = re.compile(r" (\S+days?) (?:excepted|excluded|aside) ")
""" "Six days a week, Sundays excepted"."""
_BESIDE_TEXT = "and to until till through on from every each all week days day only of both or in"
_BESIDE = frozenset(_BESIDE_TEXT.split())


def dashed(text: Normal) -> Normal:
    """With "Mon-Thu" written as "Mon to Thu": the normal form knows no dashes."""
    return normalise(_DASHED.sub(r"\1 to \2", text.raw)) if _DASHED.search(text.raw) else text


def points(words: tuple[str, ...], names: tuple[str, ...]) -> frozenset[int]:
    """The days or months that a text names, ranges ("Monday to Friday") filled in."""
    found: set[int] = set()
    previous: int | None = None
    for at, word in enumerate(words):
        here = _point(words, at, names)
        if here is not None:
            if previous is not None and words[at - 1] in _UNTIL:
                span = (here - previous) % len(names)
                found.update((previous + step) % len(names) for step in range(span + 1))
            found.add(here)
            previous = here
        elif (single := word.removesuffix("s")) in (SETS if names is DAYS else SEASONS):
            found.update(SETS[single] if names is DAYS else SEASONS[single])
    return frozenset(found)


def _point(words: tuple[str, ...], at: int, names: tuple[str, ...]) -> int | None:
    single = words[at].removesuffix("s")
    if single in names:
        may = single == "may" and (at == 0 or words[at - 1] not in _BEFORE_MAY)
        return None if may else names.index(single)
    short = SHORT_DAYS.get(words[at]) if names is DAYS else None
    if short is None or words[at] not in _ALSO_WORDS:
        return short
    beside = words[max(0, at - 2) : at] + words[at + 1 : at + 3]
    return short if any(word in SHORT_DAYS or word.removesuffix("s") in DAYS for word in beside) else None


def week(text: Normal) -> frozenset[int]:
    """The days on which a text says that something is so: "every day but Monday" names six."""
    text = dashed(text)
    said, *left_out = _EXCEPT.split(_EXCEPTED.sub(r" except \1 ", text.text), maxsplit=1)
    days = frozenset(range(7)) if EVERY.search(f"{said} ") else points(tuple(said.split()), DAYS)
    return days - points(tuple(left_out[0].split()), DAYS) if left_out else days


def left_out(text: Normal) -> frozenset[int]:
    """The days that a text excepts: Monday, of "every day but Monday"."""
    _, *rest = _EXCEPT.split(_EXCEPTED.sub(r" except \1 ", text.text), maxsplit=1)
    return points(tuple(rest[0].split()), DAYS) if rest else frozenset()


def gold_week(text: Normal) -> frozenset[int]:
    """The days of the week that a gold answer is, if it is nothing else and more than one; else none."""
    if len(text.words) > _LONGEST:
        return frozenset()
    days = week(text)
    rest = {word.removesuffix("s") for word in dashed(text).words} - _BESIDE - {*DAYS, *SHORT_DAYS, *SETS}
    return days if len(days) > 1 and not rest else frozenset()


_LONGEST = 12

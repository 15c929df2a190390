"""Other numbers, months and days in place of those of a text. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from botattack.text.numerals import cardinals, ordinals
from botattack.text.tokens import match_case

_MOST_DIGITS = 100
"""Longer runs of digits stay as they are: `int` refuses very long ones."""
_DIGITS = re.compile(r"\d+")
_LATEST = 2020
"""No year of a fake answer is later, unless the right one is."""
_SUFFIXES = frozenset(["st", "nd", "rd", "th"])
_SPANS = frozenset(["-", "–"])
_DAYS_OF_MONTH = 31
_RANKS = 20
"""The last rank that a fake answer has: hardly anything is said to be the twenty-fifth of its kind."""
_FARTHEST = 6
"""Places in its row that a word moves at most."""
_FRACTION = re.compile(r"\b[a-z]+-(?:halves|thirds?|quarters?|[a-z]+ths?)\b", re.IGNORECASE)
_ROMAN_FORM = re.compile(r"(?=[IVXL]{2})(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_BESIDE = 3
"""Places among the Roman numbers that another one is away at most."""
_ALL = 100
"""The largest share, in percent."""
_ROMAN = ("II", "III", "IV", "VI", "VII", "VIII", "IX", "XI", "XII", "XIV", "XVI", "XIX", "XXII")


def shifted(text: str, rng: Random, years: int = 0, tries: int = 4) -> Iterator[str]:
    """A text with other numbers, number words, months and days in it, if it has any. All years move alike, by so many
    if they are given, and so do all number words, so that a range stays one. A fraction in words stays."""
    pieces = [piece for piece in re.split(r"(\d[\d,.]*\d|\d|[^\W\d_]+)", text) if piece]
    if not any(piece[:1].isdecimal() or _row(piece) for piece in pieces) or _FRACTION.search(text):
        return
    for _ in range(tries):
        far = years or rng.choice([-1, 1]) * rng.randint(3, 40)
        far = -abs(far) if any(_is_year(piece) and int(piece) + far > _LATEST for piece in pieces) else far
        move = _Move(
            far, any(piece.lower() in _rows()[0] for piece in pieces), _step(pieces, rng), any(map(_is_year, pieces))
        )
        beside = zip(("", *pieces), pieces, (*pieces[1:], ""), strict=False)
        yield "".join(_other(before, piece, after, move, rng) for before, piece, after in beside)


def ascends(text: str, other: str) -> bool:
    """Whether other numbers make sense: a range ascends as it did, and no share is more than all."""
    old, new = ([int(run) for run in re.findall(r"\d{1,9}", one)] for one in (text, other))
    turned = len(old) == len(new) == 2 and old[0] < old[1] and new[0] >= new[1]
    return not turned and ("%" not in other or max(new, default=0) <= _ALL)


def years_apart(text: str, rng: Random) -> int:
    """How far all years of a text move, none beyond the latest."""
    far = rng.choice([-1, 1]) * rng.randint(3, 40)
    found = [int(run) for run in _DIGITS.findall(text) if _is_year(run)]
    return -abs(far) if any(year + far > _LATEST for year in found) else far


def _step(pieces: Sequence[str], rng: Random) -> int:
    """How far words move in their rows: none over the end of its row, if that can be."""
    places = [(row.index(piece.lower()), len(row)) for piece in pieces if (row := _row(piece))]
    steps = [
        step for step in range(-_FARTHEST, _FARTHEST + 1) if step and all(0 <= at + step < size for at, size in places)
    ]
    return rng.choice(steps or [1])


def _is_year(piece: str) -> bool:
    return len(piece) == 4 and piece.isdecimal() and 1000 <= int(piece) <= 2100


class _Move(NamedTuple):
    """How far years move, whether a month is named, so that small numbers are days, how far words move, and
    whether years are named, so that "-21" ends a span of them."""

    years: int
    dated: bool
    words: int
    spans: bool


def _other(before: str, piece: str, after: str, move: _Move, rng: Random) -> str:
    if piece[:1].isdecimal():
        return _other_number(before, piece, after, move, rng)
    if piece in _SUFFIXES and before.isdecimal():
        return "th"
    row = _row(piece)
    return match_case(piece, row[(row.index(piece.lower()) + move.words) % len(row)]) if row else piece


def _other_number(before: str, piece: str, after: str, move: _Move, rng: Random) -> str:
    if len(piece) > _MOST_DIGITS:
        return piece
    if _is_year(piece):
        return f"{(int(piece) + move.years) // 10 * 10 if after == 's' else int(piece) + move.years}"
    if piece.isdecimal() and after in _SUFFIXES:
        return f"{rng.randint(4, 9 if len(piece) == 1 else 20)}"  # all of which have "th", which is set below
    if piece.isdecimal() and len(piece) == 2 and (before.endswith(":") or (move.spans and before in _SPANS)):
        return f"{(int(piece) + move.years) % 100:02}" if move.spans else f"{(int(piece) + rng.randint(5, 50)) % 60:02}"
    if move.dated and piece.isdecimal() and int(piece) <= _DAYS_OF_MONTH:
        return f"{(int(piece) + rng.randint(1, 27)) % 28 + 1}"  # every month has 28 days
    return _number(piece, rng)


@cache
def _rows() -> tuple[tuple[str, ...], ...]:
    """The months, the days of the week, numbers and ordinals, each in order."""
    from botattack.text.locales import locale

    english = locale("en")
    numbers = (word for word, value in cardinals().items() if value > 1)  # "one" is a pronoun as well
    ranks = (word for word, value in ordinals().items() if 0 < value <= _RANKS)
    named = (english.months["format"]["wide"].values(), english.days["format"]["wide"].values())
    return tuple(tuple(map(str.lower, row)) for row in (*named, numbers, ranks))


def _row(piece: str) -> tuple[str, ...]:
    """The row a word is of; a month or a day has a capital."""
    rows = _rows() if piece[:1].isupper() else _rows()[2:]
    return next((row for row in rows if piece.lower() in row), ())


def _number(text: str, rng: Random) -> str:
    """A number of the same form and size: it moves by a tenth to a half, at least 1."""
    digits = text.replace(",", "").replace(".", "")
    value = int(digits)
    far = max(1, value * rng.randint(10, 50) // 100)
    new = f"{value - far if value > far + 1 and rng.random() < 0.5 else value + far}"
    if len(new) != len(digits):
        new = (
            f"{max(value + far, 1)}"
            if len(f"{value + far}") == len(digits)
            else f"{max(value - far, 1)}".zfill(len(digits))
        )
    place = iter(new)
    return _DIGITS.sub(lambda run: "".join(next(place, "") for _ in run[0]), text) + "".join(place)


def other_roman(text: str, rng: Random) -> str:
    """Another Roman number of two letters or more; "" if this is none."""
    at = _ROMAN.index(text) if text in _ROMAN else None
    near = _ROMAN if at is None else _ROMAN[max(0, at - _BESIDE) : at + _BESIDE + 1]
    others = [other for other in near if other != text]
    return rng.choice(others) if _ROMAN_FORM.fullmatch(text) else ""

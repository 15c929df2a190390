"""Numbers written in English words, read into digits: "twenty-one" is "21", "two hundred and fifth" is "205th"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from operator import itemgetter

from botattack.text.languages import language
from botattack.text.word_lists import grammar_words

_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_BIG = {"hundred": 100, "dozen": 12, **_SCALES}
_FRACTIONS = frozenset(("third", "fourth", "fifth", "tenth"))
"""What after a scale begins another number: "4.6 thousand, a third of them"."""


@cache
def cardinals() -> Mapping[str, int]:
    """Return the single words for whole numbers below a hundred, the smallest first."""
    return _sorted({word: value for word, value in _listed().items() if not _is_ordinal(word)})


@cache
def ordinals() -> Mapping[str, int]:
    """Return the single words that say a place in an order, the first first."""
    tens = {f"{word[:-1]}ieth": value for word, value in cardinals().items() if word.endswith("ty")}
    known = {word: value for word, value in _listed().items() if _is_ordinal(word)}
    return _sorted({"zeroth": 0, "hundredth": 100, "thousandth": 1000, **tens, **known})


@cache
def number_words() -> frozenset[str]:
    """Return every word a number can be written with, "and" and "point" apart."""
    return frozenset([*cardinals(), *_BIG, *ordinals()])


def _listed() -> Mapping[str, int]:
    numbers = language("en").numbers.items()
    return {word: int(digits) for word, digits in numbers if word not in ("once", "twice")}


def _is_ordinal(word: str) -> bool:
    return word.endswith(("first", "second", "third", "th"))


def _sorted(words: Mapping[str, int]) -> Mapping[str, int]:
    return dict(sorted(words.items(), key=itemgetter(1)))


def plain_number(token: str) -> str:
    """Digits without thousands separators and without decimals that say nothing: "1,000.50" is "1000.5"."""
    digits = token.replace(",", "")
    whole, point, decimals = digits.partition(".")
    if not point or "." in decimals:
        return digits
    decimals = decimals.rstrip("0")
    return f"{whole}.{decimals}" if decimals else whole


def ordinal(value: int) -> str:
    suffix = "th" if value % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{suffix}"


def read_number(tokens: Sequence[str], at: int) -> tuple[str, int] | None:
    """The number that starts at `at` in casefolded words, in digits, and where it ends; None if none starts."""
    if tokens[at] == "one" and _is_pronoun(tokens, at):
        return None
    total, end = Decimal(0), at
    scale_before = Decimal(10**15)
    while end < len(tokens):
        group = _group(tokens, end)
        if group is None:
            break
        value, stop, is_ordinal = group
        scale = _SCALES.get(tokens[stop]) if stop < len(tokens) and not is_ordinal else None
        if value >= scale_before or (scale or 0) >= scale_before:
            break
        if scale is None:
            return _finish(total + value, stop, tokens, is_ordinal)
        total, scale_before, end = total + value * scale, Decimal(scale), stop + 1
        if end + 1 < len(tokens) and tokens[end] == "and" and _group(tokens, end + 1):
            end += 1
        elif end < len(tokens) and tokens[end] in _FRACTIONS:
            break
    return (_written(total), end) if end > at else None


def _is_pronoun(tokens: Sequence[str], at: int) -> bool:
    before = tokens[at - 1] if at else ""
    after = tokens[at + 1] if at + 1 < len(tokens) else ""
    if before == "only":
        return not after or after in grammar_words.behind_only_one
    return before in grammar_words.before_one or after in ("of", "another")


def _group(tokens: Sequence[str], at: int) -> tuple[Decimal, int, bool] | None:
    """A number below a thousand, or digits before a scale: value, end, whether it is an ordinal."""
    word = tokens[at]
    if word in ordinals():
        return Decimal(ordinals()[word]), at + 1, True
    if word in _BIG:
        return (Decimal(1), at, False) if word in _SCALES else _after_hundred(tokens, Decimal(_BIG[word]), at + 1)
    if word in cardinals():
        return _small_group(tokens, at)
    return _digits(tokens, at) if word[0].isdecimal() and word.isascii() else None


def _small_group(tokens: Sequence[str], at: int) -> tuple[Decimal, int, bool]:
    value, end, is_ordinal = _below_hundred(tokens, at)
    follows = tokens[end] if end < len(tokens) and not is_ordinal else ""
    if follows in ("hundred", "dozen"):
        return _after_hundred(tokens, value * _BIG[follows], end + 1)
    if 10 <= value <= 99 and 10 <= cardinals().get(follows, 0) <= 99:
        rest, stop, _ = _below_hundred(tokens, end)
        return value * 100 + rest, stop, False
    return value, end, is_ordinal


def _digits(tokens: Sequence[str], at: int) -> tuple[Decimal, int, bool] | None:
    follows = tokens[at + 1] if at + 1 < len(tokens) else ""
    number = plain_number(tokens[at])
    if follows not in _BIG or not number.replace(".", "", 1).isdecimal():
        return None
    if follows in _SCALES:
        return Decimal(number), at + 1, False
    return _after_hundred(tokens, Decimal(number) * _BIG[follows], at + 2)


def _below_hundred(tokens: Sequence[str], at: int) -> tuple[Decimal, int, bool]:
    value = cardinals()[tokens[at]]
    after = tokens[at + 1] if at + 1 < len(tokens) else ""
    if value >= 20 and 1 <= cardinals().get(after, 0) <= 9:
        return Decimal(value + cardinals()[after]), at + 2, False
    if value >= 20 and 1 <= ordinals().get(after, 0) <= 9:
        return Decimal(value + ordinals()[after]), at + 2, True
    return Decimal(value), at + 1, False


def _after_hundred(tokens: Sequence[str], value: Decimal, at: int) -> tuple[Decimal, int, bool]:
    start = at + 1 if at + 1 < len(tokens) and tokens[at] == "and" else at
    if start < len(tokens) and tokens[start] in cardinals():
        rest, end, is_ordinal = _below_hundred(tokens, start)
        return value + rest, end, is_ordinal
    if start < len(tokens) and ordinals().get(tokens[start], 100) < 100:
        return value + ordinals()[tokens[start]], start + 1, True
    return value, at, False


def _finish(value: Decimal, end: int, tokens: Sequence[str], is_ordinal: bool) -> tuple[str, int]:
    if is_ordinal:
        return ordinal(int(value)), end
    decimals = ""
    if end + 1 < len(tokens) and tokens[end] == "point":
        stop = end + 1
        while stop < len(tokens) and 0 <= cardinals().get(tokens[stop], -1) <= 9:
            decimals += str(cardinals()[tokens[stop]])
            stop += 1
        end = stop if decimals else end
    return plain_number(f"{_written(value)}.{decimals}" if decimals else _written(value)), end


def _written(value: Decimal) -> str:
    return plain_number(format(value, "f"))

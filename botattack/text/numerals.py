"""Numbers written in English words, read into digits: "twenty-one" is "21", "two hundred and fifth" is "205th"."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

_BELOW_20 = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_ORDINALS_TO_20 = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_TENS_FROM_20 = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = {word: value for value, word in enumerate(_BELOW_20.split())}
_TENS = {word: 10 * ten for ten, word in enumerate(_TENS_FROM_20.split(), 2)}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_BIG = {"hundred": 100, "dozen": 12, **_SCALES}
_ORDINALS = {
    **{word: value for value, word in enumerate(_ORDINALS_TO_20.split())},
    **{word[:-1] + "ieth": value for word, value in _TENS.items()},
    "hundredth": 100,
    "thousandth": 1000,
}
_FRACTIONS = frozenset(("third", "fourth", "fifth", "tenth"))
"""What after a scale begins another number: "4.6 thousand, a third of them"."""
_SMALL = {**_UNITS, **_TENS}
NUMBER_WORDS = frozenset([*_SMALL, *_BIG, *_ORDINALS])
"""Every word a number can be written with, "and" and "point" apart."""
_NOT_A_PRONOUN_AFTER = frozenset(
    ("no", "the", "this", "that", "these", "any", "every", "some", "each", "which", "another", "good", "only")
)

_AFTER_A_PRONOUN = frozenset(
    ("", "of", "who", "that", "which", "is", "was", "to", "left", "in", "on", "with", "for", "i", "he", "she", "they")
)
""" "The only one who knows": articles are gone by then."""


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
        return after in _AFTER_A_PRONOUN
    return before in _NOT_A_PRONOUN_AFTER or after in ("of", "another")


def _group(tokens: Sequence[str], at: int) -> tuple[Decimal, int, bool] | None:
    """A number below a thousand, or digits before a scale: value, end, whether it is an ordinal."""
    word = tokens[at]
    if word in _ORDINALS:
        return Decimal(_ORDINALS[word]), at + 1, True
    if word in _BIG:
        return (Decimal(1), at, False) if word in _SCALES else _after_hundred(tokens, Decimal(_BIG[word]), at + 1)
    if word in _SMALL:
        return _small_group(tokens, at)
    return _digits(tokens, at) if word[0].isdecimal() and word.isascii() else None


def _small_group(tokens: Sequence[str], at: int) -> tuple[Decimal, int, bool]:
    value, end, is_ordinal = _below_hundred(tokens, at)
    follows = tokens[end] if end < len(tokens) and not is_ordinal else ""
    if follows in ("hundred", "dozen"):
        return _after_hundred(tokens, value * _BIG[follows], end + 1)
    if 10 <= value <= 99 and 10 <= _SMALL.get(follows, 0) <= 99:
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
    value = _SMALL[tokens[at]]
    after = tokens[at + 1] if at + 1 < len(tokens) else ""
    if value >= 20 and 1 <= _UNITS.get(after, 0) <= 9:
        return Decimal(value + _UNITS[after]), at + 2, False
    if value >= 20 and 1 <= _ORDINALS.get(after, 0) <= 9:
        return Decimal(value + _ORDINALS[after]), at + 2, True
    return Decimal(value), at + 1, False


def _after_hundred(tokens: Sequence[str], value: Decimal, at: int) -> tuple[Decimal, int, bool]:
    start = at + 1 if at + 1 < len(tokens) and tokens[at] == "and" else at
    if start < len(tokens) and (tokens[start] in _SMALL or _ORDINALS.get(tokens[start], 100) < 100):
        if tokens[start] in _SMALL:
            rest, end, is_ordinal = _below_hundred(tokens, start)
            return value + rest, end, is_ordinal
        return value + _ORDINALS[tokens[start]], start + 1, True
    return value, at, False


def _finish(value: Decimal, end: int, tokens: Sequence[str], is_ordinal: bool) -> tuple[str, int]:
    if is_ordinal:
        return ordinal(int(value)), end
    decimals = ""
    if end + 1 < len(tokens) and tokens[end] == "point":
        stop = end + 1
        while stop < len(tokens) and 0 <= _UNITS.get(tokens[stop], -1) <= 9:
            decimals += str(_UNITS[tokens[stop]])
            stop += 1
        end = stop if decimals else end
    return plain_number(f"{_written(value)}.{decimals}" if decimals else _written(value)), end


def _written(value: Decimal) -> str:
    return plain_number(format(value, "f"))

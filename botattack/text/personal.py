"""Personal data of a fixed form, such as phone numbers and addresses: found by pattern and replaced by signs.

A pattern takes too much rather than too little. A sign is one character of the private use area; its slot says what was
there: the kind, and the form in which a made-up value is written. Nothing else of what was there is kept.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from botattack.text.languages import written
from botattack.text.tokens import ZWNJ
from botattack.text.word_lists import word_tuple

FIRST, LAST = "\ue000", "\uf8ff"
"""The signs: of what a text may have none, as `cleaned` takes them out."""
_MOST = ord(LAST) - ord(FIRST)


class Slot(NamedTuple):
    """What a sign stands for. `form` has a 0 for each digit and an `a` or `A` for each letter."""

    kind: str
    form: str = ""


_PATTERNS = r"""
(?P<link>(?:https?://|www\.)\S+
    |\b(?:[\w-]+\.)+(?:com|org|net|de|at|ch|ir|uk|eu|io|info|app|dev)\b(?![\w@])(?:/\S*)?)
|(?P<email>[\w.+%-]+\s?@\s?[\w-]+(?:\.[\w-]+)+
    |\w+(?:\.\w+|\sdot\s\w+)*\s?[\[(]?\bat\b[\])]?\s?\w+\s?[\[(]?\bdot\b[\])]?\s?\w+)
|(?P<address>STREETS)
|(?P<iban>\b[a-z]{2}[ ]?\d{2}(?=(?:[a-z -]{0,6}\d){8})(?:[ -]?[a-z\d]{2,4}){3,8}\b|\b[a-z]{2}\d{13,30}\b)
|(?P<network>(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])|\b(?:[\da-f]{1,4}:){4,7}:?[\da-f]{1,4}\b)
|(?P<date>(?<!\d)(?:\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d{2,4})(?!\d)
    |\d{1,2}\s?(?:NTH)?\s+(?:of\s+)?(?:MONTHS)\.?,?\s+\d{4}|(?:MONTHS)\.?\s+\d{1,2}(?:NTH)?,?\s+\d{4})
|(?P<number>[+(]?(?<!\d)\d(?:[\s().\-/\u2010-\u2015]{0,3}\d){5,}|(?<!\d)\d{5,}(?!\d))
|(?P<code>\#\s?\d{3,}|(?<![\w-])(?=[\w-]*[^\W\d_])(?=(?:[^\W\d]|-)*+(?:\d[^\W\d-]*+-?+){3})[\w-]{4,}(?![\w]))
|(?P<handle>(?<!\w)@\w{2,})
"""
"""A number of five digits or more, and a code with three, is somebody's, whoever else has written it."""
_TOO_LONG = 20_000
"""Characters of a message that are read: what is longer is a pasted document, and no question."""


def cleaned(text: str) -> str:
    """A text without what hides data from patterns: other forms of a character, invisible ones, and our own signs."""
    text = unicodedata.normalize("NFKC", text[:_TOO_LONG])
    if text.isascii() and text.isprintable():
        return text
    return "".join(c for c in text if c in f"\n\t{ZWNJ}" or unicodedata.category(c) not in ("Cf", "Co", "Cc", "Cs"))


@cache
def _pattern(code: str) -> re.Pattern[str]:
    months = "|".join(sorted(map(re.escape, word_tuple("chats.months", code)), key=len, reverse=True))
    nth = "|".join(("\\.", *word_tuple("chats.ordinals", code)))
    pattern = _PATTERNS.replace("MONTHS", months).replace("NTH", nth)
    return re.compile(
        pattern.replace("STREETS", "|".join(written(code, "chats")["streets"])), re.IGNORECASE | re.VERBOSE
    )


def without_structured(text: str, code: str) -> tuple[str, list[Slot]]:
    """A cleaned text with a sign for every value that has a form of its own, and their slots."""
    slots: list[Slot] = []

    def put(match: re.Match[str]) -> str:
        if len(slots) >= _MOST:
            return ""
        slots.append(Slot(_kind(match), form_of(match[0].strip())))
        before, after = (" " if space else "" for space in (match[0][:1].isspace(), match[0][-1:].isspace()))
        return before + sign(len(slots) - 1) + after

    return _pattern(code).sub(put, text), slots


def sign(number: int) -> str:
    return chr(ord(FIRST) + number)


def form_of(text: str) -> str:
    """A text with its digits and letters made alike."""
    return "".join("0" if c.isdecimal() else ("A" if c.isupper() else "a") if c.isalpha() else c for c in text)


def _kind(match: re.Match[str]) -> str:
    kind = match.lastgroup or "number"
    if kind != "number":
        return kind
    digits = [int(c) for c in match[0] if c.isdecimal()]
    if 13 <= len(digits) <= 19 and luhn(digits) == 0:
        return "card"
    return "phone" if match[0][0] in "+(" or digits[0] == 0 else "number"


def luhn(digits: list[int]) -> int:
    """The check sum of a card number: 0 if its digits are those of one."""
    return sum(sum(divmod(digit * (1 + at % 2), 10)) for at, digit in enumerate(reversed(digits))) % 10

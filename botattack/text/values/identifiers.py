"""E-mail addresses, account and phone numbers, and scores: one word each, in a form where equal ones are the same."""

from __future__ import annotations

import re
from collections.abc import Container

from rapidfuzz import fuzz

_CODES = "1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[2-9]\\d\\d"
"""Country codes of ITU E.164: those of one and two digits, all others have three."""
_DATE = r"\d{1,2}-\d{1,2}-\d{2,4}(?!\d)|\d{4}-\d{1,2}-\d{1,2}(?!\d)"
_MAIL = r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63}){1,4}"
_ACCOUNT = r"(?<![^\W_])[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?(?![^\W_])"
_PHONE = rf"(?<![\w+.,/-])(?!{_DATE})(?:\+|\(|[0\u0660\u06f0])(?:[ ()-]{{0,2}}\d){{7,15}}(?![\w/]|[.,-]\d)"
_GROUPS = (
    r"(?<![\w+.,/:-])(?<!\d )(?:(?=(?:[ -]?\d){9})(?![0\u0660\u06f0])\d{2,4}(?:[ -]\d{2,3}){2,4}(?:[ -]\d{2,4})?"
    r"|\d{3} \d{3})(?![\w/]|[ .,-]\d)"
)
"""A number in groups: that of a phone without what it begins with, or one in thousands."""
_SCORE = r"(?<![\d:.])\d{1,3}:(?:\d(?!\d)|[6-9]\d(?!\d))(?![\d:])"
_MIX = r"0[xX][\dA-Fa-f]{2}|[A-Za-z]{1,64}\d{1,64}[A-Za-z]|\d{1,64}[A-Za-z]{1,64}\d"
"""Letters on both sides of digits or digits on both sides of letters: "B12" and "5kg" are no code, "A7B" is one."""
_GLUED = (
    rf"(?<![A-Za-z\d])(?<![A-Za-z\d][-_])(?=(?:[A-Za-z\d]{{1,64}}[-_]){{0,8}}(?:{_MIX}))[A-Za-z\d]+(?:[-_][A-Za-z\d]+)*"
)
"""A hexadecimal number, a hash or an order id with all that a hyphen joins to it."""
IDENTIFIER = f"{_MAIL}|{_ACCOUNT}|{_PHONE}|{_GLUED}|{_GROUPS}|{_SCORE}"
"""What is read as one word, although marks or spaces are in it. A score is what cannot be a time of day: "4:1"."""
_GLUED_CODE, _GLUED_PARTS = re.compile(_GLUED), re.compile(r"[A-Za-z]+|\d+")
_MOST_PARTS = 4
"""Of a quantity or of words that lost their spaces: "5ft4in", "at7pm"."""
_MARKS = re.compile(r"[ ()-]")
_ABROAD = re.compile(rf"^\(?(?:\+|00)(?:{_CODES})(?:\(0\))?")

_LEADS, _ENDS = re.compile(r"(?<![^\W_])(?:([A-Z]{1,5})[-_]?|([a-uw-z]))$"), re.compile(r"([A-Z]{1,2})(?![^\W_])")
"""Letters that make a code of the number behind or before them: "E7", "ABC-12", "7B"; "v7" is version 7."""
_CODE = re.compile(r"(?<![A-Za-z\d-])[A-Z\d]+(?:[ -][A-Z\d]+){0,5}(?![A-Za-z\d])(?!-[A-Z\d])")
_MIXED = re.compile(r"(?!\d+[A-Z]{1,3}\b(?!-))(?=\S*\d)\S*[A-Z]")
"""What a word of a code begins with: capitals and digits, but for a number with its unit ("10AM", "5GB")."""
_ALIKE = 60
"""Of two codes of one kind, how alike they are in per cent."""

_ADDRESS = re.compile(r"https?://[^\s)\]>\"']+|(?<![\w@.])www\.[^\s)\]>\"']+")
SIGN = "="
"""What the word of an identifier begins with, and no other word."""


def canonical(token: str) -> str:
    """How an identifier is compared: without spaces, and a phone number without its country code or the zero for it;
    empty if a word is none."""
    if "@" in token or (":" in token and token[0].isdecimal()):
        return SIGN + token.casefold()
    packed = _MARKS.sub("", token)
    is_phone = token[0] in "+(0\u0660\u06f0" or (9 <= len(packed) <= 13 and not packed.endswith("000"))
    if is_phone and len(packed) > 7 and packed.lstrip("+").isdecimal():
        bare = token.replace(" ", "").replace("-", "")
        return f"{SIGN}tel{int(_MARKS.sub('', _ABROAD.sub('', bare, count=1)))}"
    is_account = token[0].isupper() and len(packed) > 14 and packed[2:4].isdecimal()
    return SIGN + packed.casefold() if is_account or _GLUED_CODE.fullmatch(token) else ""


def glued_codes(text: str) -> list[tuple[int, int]]:
    """Where the codes of a text are whose letters and digits are glued together: "0xb7aa", "A7B-33"."""
    return [match.span() for match in _GLUED_CODE.finditer(text)]


def is_spoken(token: str, known: Container[str]) -> bool:
    """Whether a glued token is no code but quantities or words without their spaces ("1h30m", "at7pm"), as far as its
    language has `known` words. A word of two letters or more may lead them."""
    parts = _GLUED_PARTS.findall(token.lower())
    named = [part for part in parts[parts[0].isalpha() and len(parts[0]) > 1 :] if part.isalpha()]
    return len(parts) <= _MOST_PARTS and token[:2].lower() != "0x" and all(part in known for part in named)


def is_in_code(text: str, span: tuple[int, int], known: Container[str]) -> bool:
    """Whether a number is a part of a code, by letters glued to it that are no unit or other word: `known`."""
    start, end = span
    led, ended = _LEADS.search(text, max(0, start - 6), start), _ENDS.match(text, end)
    if led and (led[2] or len(led[1]) == 1 or led[1].lower() not in known):
        return True
    return ended is not None and ended[1].lower() not in known


def is_number(word: str) -> bool:
    """Whether a word of a reading is a number or an identifier: another one is another value, however like it."""
    return word[0].isdecimal() or word[0] == SIGN


def kind_of(word: str) -> str:
    """The kind of the value that the word of an identifier is: two of a kind are the same or contradict each other."""
    named = "mail" if "@" in word else "score" if ":" in word else "phone" if word.startswith("=tel") else "account"
    return f"identifier {named}"


def code_in(wanted: str, text: str) -> str | None:
    """What a text says for a code ("AB-120", "SW1A 1AA"): the code as it is grouped there, an empty text if it says
    one like it instead, and None if it says neither or `wanted` is no code."""
    if not _is_code(wanted):
        return None
    packed = _MARKS.sub("", wanted)
    if found := re.search(rf"(?i:(?<![a-z\d]){'[ -]?'.join(packed)}(?![a-z\d]))(?!-[A-Z\d])", text):
        return found.group()
    others = filter(_is_code, _CODE.findall(text))
    return "" if any(fuzz.ratio(packed, _MARKS.sub("", each)) >= _ALIKE for each in others) else None


def _is_code(text: str) -> bool:
    return _CODE.fullmatch(text) is not None and any(map(_MIXED.match, text.split()))


def addresses(text: str) -> dict[str, tuple[int, int]]:
    """The web addresses of a text and where they are, without what may be left out: https, www and the last slash."""
    found = {match.group().rstrip(".,;:!?*_"): match.start() for match in _ADDRESS.finditer(text)}
    return {
        re.sub(r"^(?:https?://)?(?:www\.)?", "", each).rstrip("/"): (at, at + len(each)) for each, at in found.items()
    }

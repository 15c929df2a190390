"""Characters that look like others, or like nothing. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from unicodedata import bidirectional

INVISIBLE: Mapping[str, str] = {
    "left-to-right-mark": "\u200e",
    "right-to-left-mark": "\u200f",
    "zero-width-space": "\u200b",
    "word-joiner": "\u2060",
    "zero-width-no-break-space": "\ufeff",
    "invisible-separator": "\u2063",
    "invisible-times": "\u2062",
    "function-application": "\u2061",
    "soft-hyphen": "\u00ad",
    "arabic-letter-mark": "\u061c",
}
"""Characters that take no room by themselves. Joiners (U+200C, U+200D, variation selectors) are not among them: they
become one cluster with the letter before them and change how Persian, Indic scripts and emoji are drawn."""

SPACES: Mapping[str, str] = {
    "no-break-space": "\u00a0",
    "narrow-no-break-space": "\u202f",
    "figure-space": "\u2007",
    "thin-space": "\u2009",
    "hair-space": "\u200a",
    "en-space": "\u2002",
    "em-space": "\u2003",
    "punctuation-space": "\u2008",
    "ideographic-space": "\u3000",
    "braille-blank": "\u2800",
    "hangul-filler": "\u3164",
}
"""Characters that look like a space. The first nine are spaces to whoever normalises (NFKC), the last two are not."""

LOOKALIKES: Mapping[str, str] = {
    "a": "а", "c": "сϲ", "e": "е", "g": "ɡ", "h": "һ", "i": "і", "j": "јϳ", "n": "ո", "o": "оοօ", "p": "р", "q": "ԛ",
    "s": "ѕ", "u": "ս", "w": "ԝ", "x": "х", "y": "у",
    "A": "АΑ", "B": "ВΒ", "C": "СϹ", "E": "ЕΕ", "F": "Ϝ", "H": "НΗ", "I": "ІΙ", "J": "Ј", "K": "Κ", "M": "МΜ", "N": "Ν",
    "O": "ОΟ", "P": "РΡ", "S": "Ѕ", "T": "ТΤ", "W": "Ԝ", "X": "ХΧ", "Y": "ҮΥ", "Z": "Ζ",
    "а": "a", "е": "e", "о": "o", "р": "p", "с": "c", "у": "y", "х": "x", "і": "i", "ѕ": "s",
    "А": "A", "В": "B", "Е": "E", "М": "M", "Н": "H", "О": "O", "Р": "P", "С": "C", "Т": "T", "Х": "X",
    "ο": "o", "ک": "ك", "ك": "ک", "ي": "ی", "ی": "ى", "ى": "ی",
}  # fmt: skip
"""Letters and the letters of another script, or another letter of the same, with one skeleton in Unicode's table of
confusables (UTS 39), that DejaVu's Sans, Serif and Mono faces draw alike where they have both. None is a compatibility
form, so that normalising (NFKC, case) does not undo it."""

ALIKE_JOINED = frozenset("کكي")
"""Arabic letters that look like the other only where they join the next letter; the rest of the Arabic ones do only
where they join none."""


def looks_alike(letter: str, following: str) -> bool:
    """Whether a letter looks like its others before that character."""
    if letter not in "کكيىی":
        return letter in LOOKALIKES
    joins = "\u0620" < following <= "\u06d3" and following.isalpha()
    return joins == (letter in ALIKE_JOINED)


def base_direction(text: str) -> str:
    """L or R: the direction of the first letter that has one, else L."""
    return next((_DIRECTION[kind] for kind in map(bidirectional, text) if kind in _DIRECTION), "L")


def unseen(mark: str, text: str, at: int) -> bool:
    """Whether a character without width that is put there moves nothing that is seen (Unicode's bidirectional
    algorithm, UAX 9).

    One without a direction never does. One with a direction does not behind a letter of its own class, nor in a text
    of its direction only, nor between two letters of the text's direction: what is neutral around it takes that
    direction either way. Elsewhere it may draw spaces, marks and digits to the other side.
    """
    own = bidirectional(mark)
    if own not in _DIRECTION:
        return True
    if own == "L" and (text.isascii() or not any(bidirectional(other) in _TURNING for other in text)):
        return True
    before = bidirectional(text[at - 1]) if at else ""
    after = next((kind for kind in map(bidirectional, text[at:]) if kind not in _NEUTRAL), "")
    base = base_direction(text)
    return before == own or (_DIRECTION.get(before) == base == _DIRECTION.get(after or base))


_DIRECTION = {"L": "L", "R": "R", "AL": "R"}
_TURNING = frozenset({"R", "AL", "AN"})
_NEUTRAL = frozenset({"WS", "ON", "B", "S", "BN", "NSM", "CS", "ES", "ET"})

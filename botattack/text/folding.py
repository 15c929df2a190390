"""The folded form of a word, in which spellings that differ only in case, accents or letter variants are one."""

from __future__ import annotations

import unicodedata

_PLAIN = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ı": "i",
        "æ": "ae",
        "œ": "oe",
        "ð": "d",
        "þ": "th",
        "ي": "ی",
        "ى": "ی",
        "ك": "ک",
        "’": "'",
        "٫": ".",
        "٬": ",",
        "،": ",",
    }
)


def folded(word: str) -> str:
    """Case folded, compatibility characters resolved, without accents, digits of any script as ASCII digits."""
    if word.isascii():
        return word.lower()
    apart = unicodedata.normalize("NFKD", word.casefold())
    bare = "".join(_digit(c) for c in apart if not unicodedata.combining(c) and unicodedata.category(c) != "Cf")
    return bare.translate(_PLAIN)


def _digit(character: str) -> str:
    return str(unicodedata.decimal(character)) if character.isdecimal() else character

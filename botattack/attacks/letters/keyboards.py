"""Which keys lie beside which: for slips of a finger. Pure."""

from __future__ import annotations

from functools import cache
from itertools import product

ROWS = {
    "en": ("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"),
    "de": ("1234567890", "qwertzuiopü", "asdfghjklöä", "yxcvbnm"),
    "fr": ("1234567890", "azertyuiop", "qsdfghjklm", "wxcvbn"),
    "ru": ("1234567890", "йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"),
    "fa": ("۱۲۳۴۵۶۷۸۹۰", "ضصثقفغعهخحجچ", "شسیبلاتنمکگ", "ظطزرذدپو"),
    "ar": ("١٢٣٤٥٦٧٨٩٠", "ضصثقفغعهخحجد", "شسيبلاتنمكط", "ئءؤرىةوزظ"),
    "he": ("1234567890", "קראטוןםפ", "שדגכעיחלךף", "זסבהנמצתץ"),
    "el": ("1234567890", "ςερτυθιοπ", "ασδφγηξκλ", "ζχψωβνμ"),
}
"""Rows of keys from above, by language; a row is shifted by half a key against the one above it. English serves the
languages that are not here and write Latin letters."""


@cache
def _beside(lang: str) -> dict[str, str]:
    keys = {key: (x + y / 2, y) for y, row in enumerate(ROWS[lang]) for x, key in enumerate(row)}
    found: dict[str, str] = dict.fromkeys(keys, "")
    for (one, (x, y)), (other, (far, low)) in product(keys.items(), keys.items()):
        # A slip is within the row, or to one of the two keys that touch it above or below.
        if one != other and abs(y - low) <= 1 and abs(x - far) <= (1 if y == low else 0.5):
            found[one] += other
    return found


def neighbours(key: str, lang: str = "en") -> str:
    """The keys beside a lower-case one, "" where the keyboard of the language does not have it."""
    short = lang.partition("-")[0]
    return _beside(short if short in ROWS else "en").get(key, "")

"""What a reader takes for one character: extended grapheme clusters, never to be torn. Pure."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

# Alphabets belong to scripts; CLDR has them, but Babel leaves them out.
LETTERS = {
    "LATIN": "abcdefghijklmnopqrstuvwxyz",
    "ARABIC": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "PERSIAN": "ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی",
    "CYRILLIC": "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    "GREEK": "αβγδεζηθικλμνξοπρστυφχψω",
    "HEBREW": "אבגדהוזחטיכלמנסעפצקרשת",
    "DEVANAGARI": "अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह",
    "HIRAGANA": "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん",
    "KATAKANA": "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン",
    "HANGUL": "가나다라마바사아자차카타파하",
}
"""Letters by script, as the first word of their Unicode names says it; PERSIAN is what `fa` writes."""


@cache
def _cluster() -> regex.Pattern[str]:
    import regex

    return regex.compile(r"\X")


def clusters(text: str) -> list[str]:
    """The text cut into clusters; together they are the text."""
    if text.isascii() and "\r" not in text:
        return list(text)
    return _cluster().findall(text)


def boundaries(text: str) -> frozenset[int]:
    """Where a cluster starts or the text ends."""
    return frozenset([*(match.start() for match in _cluster().finditer(text)), len(text)])


@lru_cache(4096)
def alphabet(letter: str, lang: str) -> str:
    """The lower-case letters of the script that a cluster is written in, or "" if it is no letter or not known."""
    if not letter[:1].isalpha():
        return ""
    script = unicodedata.name(letter[0], "").partition(" ")[0]
    return (
        LETTERS["PERSIAN" if script == "ARABIC" and lang.partition("-")[0] == "fa" else script]
        if (script in LETTERS)
        else ""
    )

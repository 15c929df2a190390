"""The folded form of a word, in which spellings that differ only in case, accents or letter variants are one."""

from __future__ import annotations

import unicodedata

# Letters that no rule of Unicode takes apart: they are of scripts, not of one language, so they are not in lang/.
LETTERS = dict(zip("øłđıæœðþيىك", ("o", "l", "d", "i", "ae", "oe", "d", "th", "ی", "ی", "ک"), strict=True))
"""Letters that only look accented, or are another script's variant, each in its plain form."""
_PLAIN = str.maketrans({**LETTERS, "’": "'", "٫": ".", "٬": ",", "،": ","})


def folded(word: str) -> str:
    """Case folded, compatibility characters resolved, without accents, digits of any script as ASCII digits."""
    if word.isascii():
        return word.lower()
    apart = unicodedata.normalize("NFKD", word.casefold())
    bare = "".join(_digit(c) for c in apart if not unicodedata.combining(c) and unicodedata.category(c) != "Cf")
    return bare.translate(_PLAIN)


def aligned(text: str) -> str:
    """A text without accents, and with its digits as ASCII digits, that has as many characters and the same case."""
    return text if text.isascii() else text.translate(_ALIGNED)


class _Aligned(dict[int, str]):
    """Each character that was seen."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        bare = [c for c in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(c)]
        plain = bare[0] if len(bare) == 1 else letter
        found = LETTERS.get(plain, _digit(plain))
        self[code] = found if len(found) == 1 else letter
        return self[code]


_ALIGNED = _Aligned()


def _digit(character: str) -> str:
    return str(unicodedata.decimal(character)) if character.isdecimal() else character

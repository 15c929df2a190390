"""What a bot could do with a message before it looks anything up: one form of each letter, usual case, and spelling.
An estimate of what such a step would bring, before anybody writes it. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from botattack.attacks.letters.invisible import LOOKALIKES
from botattack.text.parts.speller import LOOKED_AT

Words = Mapping[str, str]
"""The words that are known, in lower case, as each is written."""
_BLANKS = str.maketrans({"\u2800": " ", "\u3164": " "})
_ALIKE = {other: plain for plain, others in LOOKALIKES.items() if plain.isascii() for other in others}
# A look-alike in capitals looks like its letter's capital: an Armenian "Օ" comes of nothing but the small one.
_LETTERS = str.maketrans({other.upper(): plain.upper() for other, plain in _ALIKE.items()} | _ALIKE)
_WORD = re.compile(r"[^\W_]*[^\W\d_][^\W_]*(?:['’][^\W\d_]+)*")
"""With figures between the letters, which lie beside them on a keyboard."""


def normalised(text: str, known: Words) -> str:
    """The text as a normaliser would hand it on whose speller knows no words but these. Word by word, as the spellers
    do that are put before a look-up: one that also looks at the neighbours brings more than these (docs/why.md)."""
    # An apostrophe is one however it is written: what is known in both forms stays as it is.
    known = {**{word.replace("’", "'"): usually for word, usually in known.items()}, **known}
    return _WORD.sub(lambda found: _meant(found.group(), known), usual(text, known))


def in_usual_letters(text: str) -> str:
    """The text in one form of each letter and blank, in its own case."""
    plain = unicodedata.normalize("NFKC", text := text.translate(_BLANKS))
    # Look-alikes are those of another script only among letters of ours: a Russian question stays Russian. They come
    # first: NFKC makes a sigma of the Greek letter that looks like a "c".
    if sum(sign.isascii() for sign in plain if sign.isalpha()) * 2 >= sum(map(str.isalpha, plain)):
        plain = unicodedata.normalize("NFKC", text.translate(_LETTERS))
    return " ".join("".join(sign for sign in plain if unicodedata.category(sign) != "Cf").split())


def usual(text: str, known: Words) -> str:
    """The text in usual letters and case."""
    plain = in_usual_letters(text)
    cased = {word: known.get(word.lower(), word.lower()) for word in odd(plain)}
    found = _WORD.sub(lambda word: cased.get(word.group(), word.group()), plain)
    return found if found == plain else found[:1].upper() + found[1:]


def odd(text: str) -> set[str]:
    """The words with capitals that are not their first letters."""
    return {word for word in _WORD.findall(text) if word[1:] != word[1:].lower()}


def _meant(written: str, known: Words) -> str:
    """The known word that is nearest; of several, one of the same letters. The same word if none is near."""
    word = written.lower().replace("’", "'")
    if known.get(written.lower(), "").lower() == written.lower():
        return written
    most = min(LOOKED_AT, len(word) // 3)
    near_by = [] if word in known else extract(word, list(known), scorer=OSA.distance, score_cutoff=most, limit=None)
    nearest, *_ = min(near_by, key=lambda one: (one[1], sorted(one[0]) != sorted(word)), default=(word,))
    better = known.get(nearest, nearest)
    return better.capitalize() if written[0].isupper() and better.islower() else better

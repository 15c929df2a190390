"""Persian names by type and words of one kind: those of `botattack/lang`, and the countries and cities of CLDR."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from botattack.text.languages import written
from botattack.text.tokens import normalised, words

_NO_COUNTRY = frozenset(("EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"))
# Not those of `folded`: names of CLDR write the Arabic letters, too, and half-spaces must part words.
_LETTERS = str.maketrans({"ي": "ی", "ك": "ک", "ة": "ه", "أ": "ا", "إ": "ا", "ٔ": None, "\u200c": " "})
"""Arabic letters that are typed for Persian ones; a half-space parts words, for half of all writers leave it out."""


def plain(text: str) -> str:
    """A text as it is compared: however its letters and half-spaces were typed, without vowel marks and marks between
    words."""
    spelt = "".join(letter for letter in normalised(text).translate(_LETTERS) if not "\u064b" <= letter <= "\u0652")
    return " ".join(word.text for word in words(spelt))


class Lexicon(NamedTuple):
    """`names` by type are put in place of others; many more are known by `kind`. What tells the type of a name or of
    an answer; words of one kind."""

    names: Mapping[str, tuple[str, ...]]
    answers: Mapping[str, tuple[str, ...]]
    """Fake answers by type: the names, and what is no name (`lang/fa/answers.yaml`)."""
    kind: Mapping[str, str]
    """Of each name, as it is compared, the type."""
    given: frozenset[str]
    cues: Mapping[str, str]
    asked: Mapping[str, str]
    kin: Mapping[str, tuple[str, ...]]
    ends_with_i: frozenset[str]
    """Words whose last letter is no article."""


@cache
def lexicon() -> Lexicon:
    """The lexicon, read when first asked for."""
    data = written("fa", "names")
    names, answers = (
        {kind: tuple(name.strip() for name in text.split("،")) for kind, text in listed.items()}
        for listed in (data["names"], written("fa", "answers"))
    )
    more = {"COUNTRY": _countries(), "CITY": _cities()}
    kind: dict[str, str] = {}
    for each, some in (*names.items(), *more.items()):  # what is listed here comes first: many cities are countries
        for name in some:
            kind.setdefault(plain(name), each)
    kin: dict[str, tuple[str, ...]] = {}
    for row in data["kin"]:
        for word in row.split():
            kin.setdefault(plain(word), tuple(other for other in row.split() if other != word))
    given = frozenset(map(plain, data["given"].split()))
    cues, asked = ({plain(word): each for word, each in data[key].items()} for key in ("cues", "asked"))
    return Lexicon(
        names,
        {**names, **answers},
        kind,
        given,
        cues,
        asked,
        kin,
        ends_with_i=frozenset(map(plain, data["ends_with_i"].split("#")[0].split())),
    )


def _countries() -> Iterator[str]:
    from botattack.text.locales import locale

    for code, name in locale("fa").territories.items():
        short = len(name.split()) < 4 and not {"(", "،"} & {*name} and not name.startswith("جزایر")
        if len(code) == 2 and code not in _NO_COUNTRY and short and name not in written("fa", "names")["ambiguous"]:
            yield name


def _cities() -> Iterator[str]:
    from botattack.text.locales import locale

    found = (str(zone["city"]) for zone in locale("fa").time_zones.values() if zone.get("city"))
    yield from (name for name in found if len(name) > 1 and name not in written("fa", "names")["ambiguous"])

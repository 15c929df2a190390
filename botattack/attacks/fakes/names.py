"""Names of each type (`lang/en/fakes.yaml`), and what other name may stand in place of one: of the same type where the
type is sure, else one that may be of any. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from random import Random

from botattack.attacks.building.parsed import paired
from botattack.attacks.fakes.numbers import other_roman
from botattack.model import Token
from botattack.text.word_lists import fake_words, name_words, word_table, word_tuple


@cache
def fake_names() -> Mapping[str, tuple[str, ...]]:
    """Return names by entity type, as spaCy names types and in finer types of our own, such as CITY: those of the list,
    the countries and states that are known, and the languages that are official somewhere, as CLDR has them."""
    from babel.core import get_global

    from botattack.text.locales import locale

    english, known = locale("en"), word_table("names.places")
    spoken = [one.items() for one in get_global("territory_languages").values()]
    official = {code for one in spoken for code, about in one if about["official_status"] == "official"}
    more = {
        "COUNTRY": (name for name in english.territories.values() if name.lower() in {*known["country"]} - _WITH_THE),
        "STATE": map(str.title, known["state"]),
        "PERSON": _people(word_tuple("fakes.given")),
        "MAN": _people(map(str.title, word_tuple("names.men"))),
        "WOMAN": _people(map(str.title, word_tuple("names.women"))),
        "LANGUAGE": (name for code in official if (name := english.languages.get(code, "")).isalpha()),
    }
    listed = word_table("fakes.names")
    return {kind: tuple(sorted({*listed.get(kind, ()), *more.get(kind, ())})) for kind in {*listed, *more}}


def _people(given: Iterable[str]) -> Iterator[str]:
    return (f"{name} {surname}" for name in given for surname in word_tuple("fakes.surnames"))


def names_of(kind: str, rng: Random, words: int = 2) -> Iterator[str]:
    """Names of a type, in random order, of a person of as many words as are wanted: a surname alone, or an initial
    more."""
    known = fake_names()[kind]
    for name in rng.sample(known, min(_MANY, len(known))):
        given, _, surname = name.partition(" ")
        initial = f" {rng.choice(_CONSONANTS)}. " if words > 2 else " "
        yield name if kind not in PEOPLE else surname if words == 1 else f"{given}{initial}{surname}"


def invented(rng: Random) -> Iterator[str]:
    """Names of nobody, made of syllables: each may be a person, a place, a company or a ship, so none is of the wrong
    type."""
    syllables = word_table("fakes.syllables")
    for _ in range(_MANY):
        yield rng.choice(syllables["first"]) + rng.choice(syllables["last"])


def made_up(rng: Random) -> str:
    """A word of three syllables, which is in no language."""
    syllables = word_table("fakes.syllables")
    return "".join((rng.choice(syllables["first"]), *rng.sample(syllables["last"], 2))).casefold()


def made_up_in(texts: Iterable[str]) -> str:
    """The first word of texts that `made_up` made; empty if there is none."""
    return next((found[0] for text in texts if (found := _made_up().search(text))), "")


@cache
def _made_up() -> re.Pattern[str]:
    first, last = ("|".join(word_table("fakes.syllables")[name]).casefold() for name in ("first", "last"))
    return re.compile(rf"\b(?:{first})(?:{last}){{2}}\b")


_SPOKEN = re.compile(r"[A-Z]\w*(?:ish|ese|ian|ench|eek|atin|utch|indi|abic|erman)")
"""What a language's name looks like."""
_SMALL = 3
"""Letters of words that a name may write small: "of", "the"."""
_QUOTES = frozenset(['"', "“", "”", "'"])
_LONGEST = 4
"""Words of a name that are invented: one of more says what it is."""
_CONSONANTS = "BCDFGKLMNPRSTVW"
_MANY = 40
"""Names that are made, of which one must fit."""
_WITH_THE = frozenset(["netherlands", "philippines", "united kingdom", "united states"])
"""Countries that have an article, which the list gives them."""
PEOPLE = frozenset(["PERSON", "MAN", "WOMAN"])
_KINDS = {"country": "COUNTRY", "city": "CITY", "state": "STATE"}


def is_name(text: str) -> bool:
    """Whether every longer word has a capital, and none is a mark."""
    words = text.split()
    return (
        bool(words)
        and (words[0][:1].isupper() or words[0] == "the")
        and all(
            (word == "&" or any(char.isalnum() for char in word)) and (not word[:1].islower() or len(word) <= _SMALL)
            for word in words
        )
    )


def is_given(name: str, kind: str = "PERSON") -> bool:
    """Whether a name of several words begins with one that people are given, men or women if that is asked for."""
    first, *more = name.split()
    small = {word for word in more if word.islower() and not name.islower()} - fake_words.particles
    if small or {*more} & fake_words.several:
        return False  # "Albert Lasker Award for Research", "Jerry the Minion", "Charlotte Hornets"
    men, women = first.lower() in name_words.men, first.lower() in name_words.women
    found = {"MAN": men, "WOMAN": women}.get(kind, men or women or first in fake_words.given)
    return bool(more) and found and more[-1].lower() not in fake_words.heads


def known_kind(text: str) -> str:
    """The type of a country, city or state that is on a list; else ""."""
    lower = text.lower().removeprefix("the ")
    if text in word_table("fakes.names")["CONTINENT"]:
        return "CONTINENT"
    return next((kind for key, kind in _KINDS.items() if lower in word_table("names.places")[key]), "")


def renamed(text: str, rng: Random, *, article: bool) -> list[str]:
    """A name in which what says what is named stays, in random order: "the Maastricht Treaty" becomes "the Kelmar
    Treaty", "the Battle of Hastings" "the Battle of Kelmar"; of a plural or behind an article the last word stays. Else
    none.
    """
    start = text[:4] if text.lower().startswith("the ") else ""
    words = text[len(start) :].split()
    if len(words) < 2:
        return []
    roman = other_roman(words[-1], rng)
    if roman:
        known = words[-2] == "War"
        return [f"{name} War" for name in invented(rng)] if known else [start + " ".join([*words[:-1], roman])]
    end = next((n for n, word in enumerate(words) if word in fake_words.between), len(words))
    two = words[1] == "of" and words[-1].lower() in fake_words.heads  # "University of Phoenix Stadium"
    if end == 1 and end + 1 < len(words) and words[0].lower() in fake_words.heads and not two:
        return [f"{start}{words[0]} {words[1]} {name}" for name in invented(rng)]
    if (end > 1 and words[end - 1].lower() in fake_words.heads) or (end == len(words) and (start or article)):
        return [f"{start}{name} {words[end - 1]}" for name in invented(rng)]
    return []


def takes_the(name: str) -> bool:
    """Whether "the" stands before a name, by the word that says what is named: "the Kelmar Treaty"."""
    words = name.split()
    head = (words[0] if words[1:2] == ["of"] else words[-1]).lower() if len(words) > 1 else ""
    return head in fake_words.heads and head not in fake_words.bare_heads


def named_anew(text: str, rng: Random, *, compound: bool = False, plural: bool = False) -> list[str]:
    """Other names of the same form for one of no sure type, in random order; one that only says what is named has none,
    but before a noun: "Parliament elections"."""
    word, start = text.removeprefix("the "), "the " if text.startswith("the ") else ""
    if word.lower() in fake_words.heads and not compound:
        return []
    if word.isupper() and len(word) > 1:
        return [
            start + "".join(rng.choice(_CONSONANTS) if char.isalpha() else char for char in word) for _ in range(_MANY)
        ]
    end = "s" if plural and " " not in word else ""
    made = (f"{name}{end}" for name in invented(rng))
    parts = word.split()
    named = [part[:1].isupper() and part.lower() not in fake_words.between | fake_words.determiners for part in parts]
    if sum(named) > _LONGEST:
        return []
    some = zip(*[made] * sum(named), strict=False)
    return [
        start + " ".join(next(new) if is_new else part for part, is_new in zip(parts, named, strict=True))
        for new in map(iter, some)
    ]


def others_of(tokens: Sequence[Token], span: tuple[int, int], label: str, text: str, rng: Random) -> list[str]:
    """Other names for the one from a token of a question to another, in random order; none if it is a part of a longer
    one, in quotation marks, or no name."""
    first, last = span
    before = tokens[first - 1].text.lower() if first else ""
    if not is_name(text) or is_part(tokens, first, last) or not paired(tokens, range(first, last + 1)):
        return []
    behind = tokens[last + 1].pos if last + 1 < len(tokens) else ""
    counted = before == "many" and behind not in ("NOUN", "PROPN")  # "how many Huguenots"
    article = before in fake_words.determiners or counted
    kind = known_kind(text)
    if kind:
        the = before == "the" or text.lower().startswith("the ")
        names = [name for name in fake_names()[kind] if name.startswith("the ") == the]
        names = names if text.lower().startswith("the ") else [name.removeprefix("the ") for name in names]
        return rng.sample(names, len(names))
    spoken = before == "in" and bool(_SPOKEN.fullmatch(text))
    if label in ("NORP", "LANGUAGE") and (tokens[last].pos == "ADJ" or spoken):
        names = list(fake_names()["LANGUAGE" if spoken else "NORP"])
        return rng.sample(names, len(names))
    if tokens[last].tag not in ("NNP", "NNPS", "NNS") and not (text[-1:].isdigit() or text.isupper()):
        return []
    return renamed(text, rng, article=article and label != "PERSON") or named_anew(
        text, rng, compound=behind == "NOUN" and tokens[last].relation == "compound"
    )


def is_part(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Whether a capital is beside the name: the parser has found a part of a longer one."""
    beside = [*tokens[max(first - 1, 1) : first], *tokens[last + 1 : last + 2]]
    return any(token.text[:1].isupper() or (token.text in _QUOTES and first > 1) for token in beside)

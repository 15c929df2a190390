"""Names of each type (`lang/en/fakes.yaml`), and what other name may stand in place of one: of the same type where the
type is sure, else one that may be of any. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

from botattack.attacks.building.parsed import paired
from botattack.attacks.fakes.numbers import other_roman
from botattack.model import Token
from botattack.text.word_lists import fake_words, word_table, word_tuple


def fake_names() -> Mapping[str, tuple[str, ...]]:
    """Return names by entity type, as spaCy names types and in finer types of our own, such as CITY."""
    return word_table("fakes.names")


def invented() -> tuple[str, ...]:
    """Return names of nobody: each may be a person, a place, a company or a ship, so none is of the wrong type."""
    return word_tuple("fakes.invented")


def acronyms() -> tuple[str, ...]:
    return word_tuple("fakes.acronyms")


_SPOKEN = re.compile(r"[A-Z]\w*(?:ish|ese|ian|ench|eek|atin|utch|indi|abic|erman)")
"""What a language's name looks like."""
_SMALL = 3
"""Letters of words that a name may write small: "of", "the"."""
_QUOTES = frozenset(['"', "“", "”", "'"])
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


def known_kind(text: str) -> str:
    """The type of a country, city or state that is on a list; else ""."""
    lower = text.lower().removeprefix("the ")
    return next((kind for key, kind in _KINDS.items() if lower in word_table("names.places")[key]), "")


def renamed(text: str, rng: Random, *, article: bool) -> list[str]:
    """A name in which what says what is named stays, in random order: "the Maastricht Treaty" becomes "the Kelmar
    Treaty"; of a plural or behind an article the last word stays. Else none.
    """
    start = "the " if text.lower().startswith("the ") else ""
    words = text[len(start) :].split()
    other_names = rng.sample(invented(), len(invented()))
    if len(words) < 2:
        return []
    roman = other_roman(words[-1], rng)
    if roman and words[-2] != "War":
        return [start + " ".join([*words[:-1], roman])]
    end = next((n for n, word in enumerate(words) if word in fake_words.between), len(words))
    if (end > 1 and words[end - 1].lower() in fake_words.heads) or (end == len(words) and (start or article)):
        return [f"{start}{name} {words[end - 1]}" for name in other_names]
    return []


def takes_the(name: str) -> bool:
    """Whether "the" stands before a name, by the word that says what is named: "the Kelmar Treaty"."""
    words = name.split()
    last = words[-1].lower() if len(words) > 1 else ""
    return last in fake_words.heads and last not in fake_words.bare_heads


def named_anew(text: str, rng: Random, *, compound: bool = False) -> list[str]:
    """Other names for one of no sure type, in random order; one that only says what is named has none, but before a
    noun: "Parliament elections"."""
    word, start = text.removeprefix("the "), "the " if text.startswith("the ") else ""
    if word.lower() in fake_words.heads and not compound:
        return []
    if word.isupper() and len(word) > 1:
        return [start + name for name in rng.sample(acronyms(), len(acronyms()))]
    return [start + name for name in rng.sample(invented(), len(invented()))]


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

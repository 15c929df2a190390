"""Gold answers made ready once: normal forms, words, patterns."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import msgspec

from botattack.errors import BotattackError
from botattack.matchers.wording.also_called import also_called, initials
from botattack.model import GoldAnswer
from botattack.text.normalise import normalise, without_accents

LONGEST_PATTERN_TIME = 0.25
"""Seconds a pattern may search one reply."""
LONGEST_FIXED = 4
"""Letters up to which a word must be spelt as it is."""
_ALSO = (
    "us it who am in or is as at an do go he me no so to we be by my if of on up hi oh ok la pa ma id all and can may "
    "one how"
)
_ALSO_WORDS = frozenset(_ALSO.split())
"""Words that a gold answer in capitals ("US") must not be confused with."""


_TITLE = re.compile(r"^(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Doctor|Sir|Dame|Lady|Lord)\.? )+(?=[A-Z]\S* [A-Z])")


_TITLES = ("M", "D", "P", "S", "L")
"""How each title begins."""


_CODE = re.compile(r"[a-z]{1,2}\d{1,4}")
""" "S8" is as well written "S 8"."""
_SIDES = ("y", "Y", "n", "N")
_SIDED = re.compile(r"^(?:yes|no)\b\s*[,;:.(\u2013-]+\s*(?=\S)", re.I)


class BadPattern(BotattackError):
    """A gold answer that is not a regular expression."""


class Literal(msgspec.Struct, frozen=True):
    """A gold answer that is text: `phrase` is its normal form, `padded` that with a space at either end.

    `joined` holds the words without spaces, where long enough to be told from other words by that alone; `decimal` is
    the phrase, where it is one number of three signs or more; `is_list` is whether commas and an "and" join its parts;
    `needs_capitals` is whether the same letters in lower
    case are another word ("US" and "us"); `only_as_is` is whether no ASCII text holds it but as `padded` or `joined`;
    `fixed` are the words, padded, that are too short to be known when misspelt.
    """

    raw: str
    phrase: str
    padded: str
    accentless: str
    words: tuple[str, ...]
    joined: str
    decimal: str
    has_figure: bool
    is_list: bool
    needs_capitals: bool
    only_as_is: bool
    fixed: tuple[str, ...]

    @classmethod
    def of(cls, raw: str, *, in_capitals: bool = False) -> Literal:
        words = normalise(raw).words
        phrase, joined = " ".join(words), "".join(words)
        number = phrase.removeprefix("-")
        known = len(joined) >= 7 if joined.isalpha() else joined[:1].isalpha() and _CODE.fullmatch(joined)
        unspaced = joined if known else ""
        decimal = phrase if number.replace(".", "", 1).isdecimal() and len(number) > 2 else ""
        return cls(
            raw,
            phrase,
            f" {phrase} ",
            phrase if phrase.isascii() else " ".join(map(without_accents, words)),
            words,
            unspaced,
            decimal,
            any(map(str.isdecimal, phrase)),
            "," in raw and " and " in raw,
            in_capitals or (len(words) == 1 and raw.isupper() and phrase in _ALSO_WORDS),
            phrase.isascii() and not decimal,
            tuple([f" {word} " for word in words if len(word) <= LONGEST_FIXED]),
        )


class Golds(msgspec.Struct, frozen=True):
    """All answers that count as right; `phrases` are the literal ones, padded, as they are and without accents, and
    `longest` is the number of words of the longest."""

    literals: tuple[Literal, ...]
    patterns: tuple[str, ...]
    phrases: frozenset[str]
    longest: int


@lru_cache(maxsize=1024)
def golds(answers: tuple[GoldAnswer, ...]) -> Golds:
    """Blank answers, which anything would match, are left out; of a person, the name without the title will do, for
    a thing another name of it, and of "yes, 20 %" the figure without the yes."""
    texts = [answer.text for answer in answers if not answer.regex and answer.text.strip()]
    untitled = [bare for text in texts if text.startswith(_TITLES) and (bare := _TITLE.sub("", text)) != text]
    sided = [text for text in texts if text.startswith(_SIDES)]
    unsided = [bare for text in sided if (bare := _SIDED.sub("", text)) != text and any(map(str.isdecimal, bare))]
    named = tuple(map(Literal.of, (*texts, *untitled, *unsided)))
    other = [name for each in named if not each.decimal for name in also_called(each.raw, each.phrase)]
    short = [name for each in named if len(each.words) > 1 for name in initials(each.raw)]
    spelt = (*named, *map(Literal.of, other)) if other else named
    literals = (*spelt, *[Literal.of(name, in_capitals=True) for name in short]) if short else spelt
    patterns = tuple(answer.text for answer in answers if answer.regex and answer.text.strip())
    phrases = frozenset([form for gold in spelt for form in (gold.padded, f" {gold.accentless} ")])
    return Golds(literals, patterns, phrases, max([len(gold.words) for gold in literals], default=0))


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> Any:
    """A pattern that ignores case; raises BadPattern where it does not compile."""
    import regex

    try:
        return regex.compile(pattern, regex.IGNORECASE | regex.V0)
    except regex.error as error:
        raise BadPattern(f"the gold answer {pattern!r} is not a regular expression: {error}") from error

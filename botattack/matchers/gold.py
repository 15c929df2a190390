"""Gold answers made ready once: normal forms, words, patterns."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from botattack.errors import BotattackError
from botattack.model import GoldAnswer
from botattack.patterns import BadPattern as Unusable
from botattack.patterns import compiled as bounded
from botattack.patterns import in_time
from botattack.text.folding import folded
from botattack.text.normalise import normalise

LONGEST_PATTERN_TIME = 0.25
"""Seconds a pattern may search one reply."""


class BadPattern(BotattackError):
    """A gold answer that is not a regular expression."""


class Literal(msgspec.Struct, frozen=True):
    """A gold answer that is text: `phrase` is its normal form, `padded` that with a space at either end."""

    raw: str
    phrase: str
    padded: str
    accentless: str
    words: tuple[str, ...]

    @classmethod
    def of(cls, raw: str) -> Literal:
        words = normalise(raw).words
        phrase = " ".join(words)
        return cls(raw, phrase, f" {phrase} ", " ".join(map(folded, words)), words)


@lru_cache(maxsize=1024)
def golds(answers: tuple[GoldAnswer, ...]) -> tuple[tuple[Literal, ...], tuple[str, ...]]:
    """The answers that are text, and those that are patterns; blank ones, which anything would match, are left out."""
    literals = tuple(Literal.of(answer.text) for answer in answers if not answer.regex and answer.text.strip())
    patterns = tuple(answer.text for answer in answers if answer.regex and answer.text.strip())
    return literals, patterns


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> Any:
    """A pattern that ignores case; raises BadPattern where it does not compile."""
    import regex

    try:
        return bounded(pattern, regex.IGNORECASE | regex.V0)
    except Unusable as error:
        raise BadPattern(f"the gold answer {pattern!r} {error}") from error


def search(pattern: str, text: str) -> Any:
    """Where a pattern first matches a text, or None; raises TimeoutError after LONGEST_PATTERN_TIME."""
    return in_time(compiled(pattern).search, text, seconds=LONGEST_PATTERN_TIME)

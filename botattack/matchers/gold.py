"""Gold answers made ready once: normal forms, words, patterns."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from botattack.errors import BotattackError
from botattack.model import GoldAnswer
from botattack.text.normalise import normalise, without_accents

LONGEST_PATTERN_TIME = 0.25
"""Seconds a pattern may search one reply."""
_ALSO_WORDS = frozenset(
    (
        "us",
        "it",
        "who",
        "am",
        "in",
        "or",
        "is",
        "as",
        "at",
        "an",
        "do",
        "go",
        "he",
        "me",
        "no",
        "so",
        "to",
        "we",
        "be",
        "by",
    )
) | {"my", "if", "of", "on", "up", "hi", "oh", "ok", "la", "pa", "ma", "id", "all", "and", "can", "may", "one", "how"}
"""Words that a gold answer in capitals ("US") must not be confused with."""


class BadPattern(BotattackError):
    """A gold answer that is not a regular expression."""


@dataclass(frozen=True)
class Literal:
    """A gold answer that is text. `phrase` is its normal form, or, where nothing is left of it, the casefolded text."""

    raw: str

    @cached_property
    def phrase(self) -> str:
        return normalise(self.raw).text.strip()

    @cached_property
    def padded(self) -> str:
        return f" {self.phrase} "

    @cached_property
    def accentless(self) -> str:
        return " ".join(map(without_accents, self.words))

    @cached_property
    def words(self) -> tuple[str, ...]:
        return normalise(self.raw).words

    @cached_property
    def bag(self) -> Counter[str]:
        return Counter(self.words)

    @cached_property
    def joined(self) -> str:
        """The words without spaces, where long enough to be told from other words by that alone; else empty."""
        joined = "".join(self.words)
        return joined if len(joined) >= 7 and joined.isalpha() else ""

    @cached_property
    def has_figure(self) -> bool:
        return any(c.isdecimal() for c in self.phrase)

    @cached_property
    def decimal(self) -> str:
        """The gold itself, where it is one number with decimals; else empty."""
        number = self.phrase.removeprefix("-")
        return self.phrase if "." in number and number.replace(".", "", 1).isdecimal() else ""

    @cached_property
    def needs_capitals(self) -> bool:
        """Whether the same letters in lower case are another word: "US" and "us"."""
        return len(self.words) == 1 and self.raw.isupper() and self.phrase in _ALSO_WORDS


@dataclass(frozen=True)
class Golds:
    """All answers of a question that count as right."""

    literals: tuple[Literal, ...]
    patterns: tuple[str, ...]

    @cached_property
    def phrases(self) -> frozenset[str]:
        return frozenset(form for gold in self.literals for form in (gold.padded, f" {gold.accentless} "))


@lru_cache(maxsize=4096)
def golds(answers: tuple[GoldAnswer, ...]) -> Golds:
    """Blank answers, which anything would match, are left out."""
    literals = tuple(Literal(answer.text) for answer in answers if not answer.regex and answer.text.strip())
    patterns = tuple(answer.text for answer in answers if answer.regex and answer.text.strip())
    return Golds(literals, patterns)


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> Any:
    """A pattern that ignores case; raises BadPattern where it does not compile."""
    import regex

    try:
        return regex.compile(pattern, regex.IGNORECASE | regex.V0)
    except regex.error as error:
        raise BadPattern(f"the gold answer {pattern!r} is not a regular expression: {error}") from error

"""How the variants of a question are chosen: options that many attacks take, each declared once. Pure data.

A campaign gives them to all of its attacks under `variants`. An attack takes those that are among its fields, by their
names, so that one of another package does, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from botattack.options import Count

Take = Literal["sample", "nearest"]


@dataclass(frozen=True, kw_only=True)
class PerQuestion:
    """How many variants."""

    per_question: Count = 10
    """How many variants of a question to take at most; variants whose meaning is sure come first."""


@dataclass(frozen=True, kw_only=True)
class Choosing(PerQuestion):
    """How many variants, and which."""

    take: Take = "sample"
    """`sample` draws variants at random, `nearest` takes those with the smallest distance first: of an attack that
    makes its variants by chance, of some that were drawn."""
    stop_at_break: bool = False
    """Whether the variants of a question are asked one after the other and end at the first that surely breaks the bot.
    Then the attack's rate counts questions, not variants."""

    @property
    def counts_questions(self) -> bool:
        return self.stop_at_break


@dataclass(frozen=True, kw_only=True)
class Together:
    """How much may change at once."""

    epsilon: Count | None = None
    """The largest distance from the question (Damerau-Levenshtein, in characters); none: no limit."""
    combine: Count | None = 1
    """How many places may change at once; none: as many as epsilon allows."""


@dataclass(frozen=True, kw_only=True)
class VariantKeys(Together, Choosing):
    """How many variants of each question the attacks make, and how they choose them. Each attack takes those of these
    keys that it has; its own options come first. The defaults are those of most attacks: `attacks show` prints each."""

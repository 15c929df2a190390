"""How many questions an attack had anything to ask about."""

from __future__ import annotations

from dataclasses import dataclass

from botattack.report.statistics.intervals import MIN_QUESTIONS

THIN = 4
"""An attack has next to nothing to ask if it has variants for less than one question in so many."""
NOT_RIGHT = "of questions whose unchanged answer was not judged correct"
"""Why a variant is in no rate: that answer was wrong or refused, the judge was unsure of it, or none came."""


@dataclass(frozen=True)
class Coverage:
    """How many questions an attack had anything to ask about: of `attacked` ones, none of which is in a language
    that it does not work in, `carried` have a variant whose meaning is as claimed, `unsure` more have only variants
    whose meaning is unsure, and on `failed` more the attack failed. `asked` variants were judged, whatever they
    mean: `not_right` of them, and all of questions whose original is not right are in no rate."""

    attacked: int = 0
    carried: int = 0
    unsure: int = 0
    failed: int = 0
    asked: int = 0
    not_right: int = 0

    @property
    def thin(self) -> bool:
        """Whether the attack had next to nothing to ask, so that its figures say little, whatever the bot did."""
        return self.carried < MIN_QUESTIONS <= self.attacked or self.seldom

    @property
    def seldom(self) -> bool:
        """Whether it can alter few questions, however many there are."""
        return THIN * self.carried < self.attacked

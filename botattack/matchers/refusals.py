"""A target's own fallback sentences, made ready."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from botattack.text.normalise import Normal, normalise

ALIKE = 90
"""Similarity (indel, in percent) from which a whole reply is one of the target's refusals."""


@dataclass(frozen=True)
class Refusals:
    """A target's fallback sentences, in normal form."""

    sentences: tuple[str, ...]

    @cached_property
    def _forms(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(form for form in (normalise(s).text for s in self.sentences) if form != " "))

    def exact(self, normal: Normal) -> str:
        """The refusal that the whole reply is; else empty."""
        return normal.text.strip() if normal.text in self._forms else ""

    def near(self, normal: Normal) -> str:
        """The refusal that the whole reply nearly is, or that it contains with three words or more; else empty."""
        if len(normal.text) <= 1.25 * max(map(len, self._forms), default=0):
            from rapidfuzz import fuzz, process

            found = process.extractOne(normal.text, self._forms, scorer=fuzz.ratio, score_cutoff=ALIKE)
            if found:
                return found[0].strip()
        return next((form.strip() for form in self._forms if form.count(" ") > 3 and form in normal.text), "")


@lru_cache(maxsize=64)
def refusals_of(sentences: tuple[str, ...]) -> Refusals:
    return Refusals(sentences)

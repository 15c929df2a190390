"""A target's own fallback sentences."""

from __future__ import annotations

from functools import lru_cache

from botattack.text.normalise import Normal, normalise

ALIKE = 90
"""Similarity (indel, in percent) from which a whole reply is one of the target's refusals."""


@lru_cache(maxsize=64)
def _forms(sentences: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(form for each in sentences if (form := normalise(each).text) != " "))


def exact(sentences: tuple[str, ...], normal: Normal) -> str:
    """The refusal that the whole reply is, in normal form; else empty."""
    return normal.text.strip() if normal.text in _forms(sentences) else ""


def near(sentences: tuple[str, ...], normal: Normal) -> str:
    """The refusal that the whole reply nearly is, or that it contains with three words or more; else empty."""
    forms = _forms(sentences)
    if len(normal.text) <= 1.25 * max(map(len, forms), default=0):
        from rapidfuzz import fuzz, process

        found = process.extractOne(normal.text, forms, scorer=fuzz.ratio, score_cutoff=ALIKE)
        if found:
            return found[0].strip()
    return next((form.strip() for form in forms if form.count(" ") > 3 and form in normal.text), "")

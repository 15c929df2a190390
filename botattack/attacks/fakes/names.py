"""A few names of each type, for fake answers and altered questions (`lang/en/fakes.yaml`). Pure."""

from __future__ import annotations

from collections.abc import Mapping

from botattack.text.word_lists import word_table, word_tuple


def fake_names() -> Mapping[str, tuple[str, ...]]:
    """Return names by entity type, as spaCy names types and in finer types of our own, such as CITY."""
    return word_table("fakes.names")


def invented() -> tuple[str, ...]:
    """Return names of nobody: each may be a person, a place, a company or a ship, so none is of the wrong type."""
    return word_tuple("fakes.invented")


def acronyms() -> tuple[str, ...]:
    return word_tuple("fakes.acronyms")

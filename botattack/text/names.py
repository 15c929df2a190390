"""Names to put in place of others of their type. Pure; our own lists."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from botattack.text.languages import written


class Named(NamedTuple):
    """A name to put in place of another, and words of answers that may be right for it."""

    name: str
    facts: frozenset[str]


@cache
def others(kind: str) -> tuple[Named, ...]:
    """Return the names to put in place of one of a type; none if it is not one of ours."""
    listed = written("en", "names")["others"].get(kind, {})
    return tuple(Named(name, frozenset(f"{name.lower()} {facts}".split())) for name, facts in listed.items())

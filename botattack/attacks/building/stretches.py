"""Stretches of a text that are replaced. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Alteration(NamedTuple):
    """What stands in place of a stretch of a text, in characters; `kind` is the rule."""

    start: int
    end: int
    after: str
    kind: str


def altered(text: str, chosen: Iterable[Alteration]) -> str:
    """The text with these alterations."""
    for one in sorted(chosen, reverse=True):
        text = text[: one.start] + one.after + text[one.end :]
    return text

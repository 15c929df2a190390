"""What an attack draws from a whole question set, and how a recording names it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from botattack.model import content_id


class DrawnRows:
    """Rows that an attack draws from, equal to others with the same digest. As text they are their number and that
    digest: what a recording keeps of them."""

    def __init__(self, kind: str, rows: Sequence[object]) -> None:
        """`kind` says what the rows are, in the plural."""
        self._kind, self._digested = kind, rows

    def __str__(self) -> str:
        return f"{len(self._digested)} {self._kind}, {self._digest}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    @cached_property
    def _digest(self) -> str:
        return content_id(self._kind, self._digested)

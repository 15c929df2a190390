"""Which words broke the bot so far in a run: what a guided search begins with. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from botattack.model import Edit, Result

PART = "roles"
"""The name under which an engine hands a `Roles` to attacks in `Context.parts`."""

PRIOR = (1.0, 4.0)
"""Breaks and trials that a role never seen is taken to have had: the mean of a role tried often weighs more."""


class Role(NamedTuple):
    """What a word does in its sentence."""

    relation: str
    pos: str


class Trials(NamedTuple):
    broke: int = 0
    tried: int = 0


@dataclass(frozen=True)
class Roles:
    """How often one edit of a word of each role was tried, and how often it broke the bot.

    A value: what a question sees depends on the events it was made of and on their number alone, never on their order.
    """

    by_role: Mapping[Role, Trials] = field(default_factory=dict)

    def rate(self, edit: Edit) -> float:
        """How likely an edit of such a word is to break the bot. Relation and part of speech are both looked up:
        the role itself, or what is known of roles with its part of speech where the role was never tried."""
        role = Role(edit.relation, edit.pos)
        tried = self.by_role.get(role) or self._of_pos(role.pos)
        return (tried.broke + PRIOR[0]) / (tried.tried + PRIOR[1])

    def _of_pos(self, pos: str) -> Trials:
        same = [trials for role, trials in self.by_role.items() if role.pos == pos]
        return Trials(sum(trials.broke for trials in same), sum(trials.tried for trials in same))

    def with_(self, outcomes: Iterable[tuple[tuple[Edit, ...], Result]]) -> Roles:
        """What is known after more outcomes; only those of one edit and with a clear result teach anything."""
        counts = dict(self.by_role)
        for edits, result in outcomes:
            if len(edits) == 1 and result in ("success", "robust"):
                role = Role(edits[0].relation, edits[0].pos)
                broke, tried = counts.get(role, Trials())
                counts[role] = Trials(broke + (result == "success"), tried + 1)
        return Roles(counts)

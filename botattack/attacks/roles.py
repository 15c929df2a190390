"""Which words and which edits broke the bot so far in a run: what guides a search from its first request. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from botattack.model import Edit, Result
from botattack.text.spelling import distance

PART = "roles"
"""The name under which an engine hands a `Roles` to attacks in `Context.parts`."""

PRIOR = (1.0, 4.0)
"""Breaks and trials that what was never tried is taken to have had: the mean of what was tried often weighs more."""
LEFT_OUT = "left-out"
"""The kind of edit of a probe: the word is left out to see what it weighs."""
SURE = 0.02
"""A search gives a question up once so few of those that break would have held for as long."""
LATE = 0.5
"""… or once later requests break so much more seldom than all do."""


class Role(NamedTuple):
    """What a word does in its sentence."""

    relation: str
    pos: str


class Trials(NamedTuple):
    """How many there were, and how many of them broke the bot."""

    broke: int = 0
    tried: int = 0

    def plus(self, other: Trials) -> Trials:
        return Trials(self.broke + other.broke, self.tried + other.tried)


NONE = Trials()


@dataclass(frozen=True)
class Roles:
    """What requests of a run did: by the role of the edited word, by kind and size of the edit, by their number.

    A value: what it says depends on the questions it was made of and their number alone, never on their order.
    """

    by_role: Mapping[Role, Trials] = field(default_factory=dict)
    by_edit: Mapping[tuple[str, int], Trials] = field(default_factory=dict)
    by_turn: tuple[Trials, ...] = ()

    def rate(self, edit: Edit) -> float:
        """How likely an edit of such a word is to break the bot: by relation and part of speech, or by part of speech
        alone where the two were never tried together."""
        role = Role(edit.relation, edit.pos)
        return _rate(self.by_role.get(role) or _sum(t for known, t in self.by_role.items() if known.pos == role.pos))

    def edit_rate(self, edit: Edit) -> float:
        """How likely an edit of its kind and size is to break the bot, whatever the word."""
        return _rate(self.by_edit.get(_made(edit), NONE)) if self.by_edit else 0.0

    def with_(self, outcomes: Iterable[tuple[tuple[Edit, ...], Result]]) -> Roles:
        """What is known after one more question: its outcomes in the order they were asked.

        Probes and results that are not clear teach nothing; roles and kinds are learnt from single edits.
        """
        roles, made, turns = dict(self.by_role), dict(self.by_edit), list(self.by_turn)
        clear = [(edits, result) for edits, result in outcomes if result in ("success", "robust") and edits]
        asked = [(edits, result) for edits, result in clear if edits[0].kind != LEFT_OUT]
        for turn, (edits, result) in enumerate(asked):
            one = Trials(int(result == "success"), 1)
            turns[turn:] = [turns[turn].plus(one), *turns[turn + 1 :]] if turn < len(turns) else [one]
            if len(edits) == 1:
                role, kind = Role(edits[0].relation, edits[0].pos), _made(edits[0])
                roles[role] = roles.get(role, NONE).plus(one)
                made[kind] = made.get(kind, NONE).plus(one)
        return Roles(roles, made, tuple(turns))

    @property
    def patience(self) -> float:
        """How many failures in a row say that a question will not break: few where most requests broke one or later
        ones hardly did; without limit where nothing is known or nothing ever broke."""
        total = _sum(self.by_turn)
        if not total.broke:
            return math.inf
        rate = total.broke / (total.tried + PRIOR[1])
        surely = math.log(SURE) / math.log(1 - rate)
        return min(surely, self._fruitful(rate))

    def _fruitful(self, rate: float) -> float:
        """The number of requests after which the rest broke too seldom, or no limit where too few were tried."""
        for turn in range(len(self.by_turn)):
            rest = _sum(self.by_turn[turn:])
            if (rest.broke + 1) / (rest.tried + 1 / rate) < LATE * rate:
                return turn
        return math.inf


def _made(edit: Edit) -> tuple[str, int]:
    return edit.kind, distance(edit.before, edit.after)


def _sum(trials: Iterable[Trials]) -> Trials:
    total = NONE
    for one in trials:
        total = total.plus(one)
    return total


def _rate(trials: Trials) -> float:
    return (trials.broke + PRIOR[0]) / (trials.tried + PRIOR[1])

"""Asks, for each failure of an earlier run, what shows its cause. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, NamedTuple

import msgspec

from botattack.attacks.building.diagnosing import MOST, Answer, diagnose
from botattack.attacks.building.failures import Failure, listed
from botattack.attacks.building.probes import probe
from botattack.model import Question, Reply, Result, Turns, VerdictKind
from botattack.protocols import Attack, Context, Proposals

SPAN = 100
"""Askings of one failure are numbered from a multiple of this, so that no two failures share an asking."""


class Asks(NamedTuple):
    """A failure, and what its diagnosis has to know of it."""

    failure: Failure
    has: tuple[str, ...]


class Replied(NamedTuple):
    """What came of a probe, as an attack is told and as it is recorded."""

    result: Result
    kind: VerdictKind
    took: bool
    turns: Turns
    reply: Reply | None


def answer(question: Question, replied: Replied, again: str) -> Answer:
    """What a diagnosis is told; `again` is what the bot said to the failing variant."""
    reply = replied.reply
    if reply is None:
        return Answer(replied.result)
    passages = replied.turns[-1].passages
    refused = replied.kind == "refused" or bool(reply.refused)
    same = bool(again) and reply.text.strip() == again
    return Answer(replied.result, replied.took, same, refused, listed(question, reply.fields, passages))


def original(question: Question, replies: Sequence[Reply], *, right: bool) -> Replied:
    """The unchanged question, as the run has asked it."""
    reply = replies[-1] if replies else None
    return Replied("robust" if right else "success", "correct" if right else "wrong", False, question.turns, reply)


def failing(probe: str, replied: Replied) -> str:
    """What the bot said to what failed; empty if this was something else, or right."""
    failed = probe in ("original", "again") and replied.reply and replied.result != "robust"
    return replied.reply.text.strip() if failed and replied.reply else ""


@dataclass(frozen=True)
class Why(Attack):
    """Asks what shows why failures came about: at most `most` askings of each, chosen by what came back.

    Everything asked is a probe, which enters no rate. `run` is the run that found the failures; `units` are theirs.
    """

    diagnosis: ClassVar[bool] = True
    name: ClassVar[str] = "why"
    run: str
    units: tuple[str, ...]
    most: int = MOST

    @classmethod
    def of(cls, run: str, found: Mapping[str, Sequence[Asks]], most: int) -> Why:
        """`found` are the failures by the id of their question."""
        units = tuple(f"{question} {each.failure.failed.unit}" for question, those in found.items() for each in those)
        made = cls(run, units, most)
        object.__setattr__(made, "found", found)
        return made

    def __post_init__(self) -> None:
        self.found: Mapping[str, Sequence[Asks]]
        object.__setattr__(self, "found", {})

    def propose(self, context: Context, rng: Random) -> Proposals:
        del rng
        for number, asks in enumerate(self.found.get(context.question.id, ())):
            yield from self._ask(asks, number * SPAN, context)
        return 0

    def _ask(self, asks: Asks, number: int, context: Context) -> Proposals:
        deciding, again = diagnose(asks.has, self.most), ""
        try:
            name = next(deciding)
            while True:
                if name == "original":  # the run has asked it
                    replied = original(context.question, context.replies, right=context.right)
                else:
                    variant = msgspec.structs.replace(probe(asks.failure, self.name, name), again=number)
                    (outcome,) = yield [variant]
                    number += 1
                    reply = outcome.replies[-1] if outcome.replies else None
                    kind = outcome.verdict.kind
                    replied = Replied(outcome.result, kind, outcome.took_decoy, variant.turns, reply)
                known = answer(context.question, replied, again)
                again = failing(name, replied) or again
                name = deciding.send(known)
        except StopIteration:
            return 0

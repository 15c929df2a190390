"""Asks, for each failure of an earlier run, what shows its cause. Pure."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, NamedTuple

import msgspec

from botattack.attacks.building.diagnosing import MOST, PARTS, Answer, Named, diagnose
from botattack.attacks.building.failures import Failure, listed
from botattack.attacks.building.probes import probe
from botattack.model import Question, Reply, Result, Turns, Variant
from botattack.protocols import Attack, Context, Proposals

SPAN = 100
"""Askings of one failure are numbered from a multiple of this, so that no two failures share an asking."""

OWN = "own words"
"""The probe of a message after a speller that knows the words of the questions alone, and what a failure has that is
worth it."""


class Asks(NamedTuple):
    """A failure, and what its diagnosis has to know of it. `own` is its last message after a speller that knows the
    words of the questions alone."""

    failure: Failure
    has: tuple[str, ...]
    own: str = ""


class Replied(NamedTuple):
    """What came of a probe, as an attack hears it and as it is recorded; no reply where it failed."""

    result: Result
    refused: bool
    took: bool
    turns: Turns
    reply: Reply | None


def decided(
    question: Question, has: Sequence[str], most: int, first: Replied
) -> Generator[str, Replied, tuple[Named, list[Answer]]]:
    """Yields the names of probes, is sent what came of each, and returns the cause and what each told. `first` is what
    came of the unchanged question, which the run asks anyway."""
    deciding, again, told, replied = diagnose(has, most), "", list[Answer](), first
    try:
        name = next(deciding)
        while True:
            if name != "original":
                replied = yield name
            text = replied.reply.text.strip() if replied.reply else ""
            told.append(_answer(question, replied, same=bool(text) and text == again))
            if name in ("original", "again") and replied.result != "robust":
                again = text
            name = deciding.send(told[-1])
    except StopIteration as end:
        return end.value, told


def original(question: Question, replies: Sequence[Reply], *, right: bool) -> Replied:
    """The unchanged question, as the run has asked it."""
    return Replied("robust" if right else "success", False, False, question.turns, replies[-1] if replies else None)


def _answer(question: Question, replied: Replied, *, same: bool) -> Answer:
    reply = replied.reply
    if reply is None:
        return Answer(replied.result)
    place = listed(question, reply.fields, replied.turns[-1].passages)
    return Answer(replied.result, replied.took, same, replied.refused or bool(reply.refused), place)


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
        first = original(context.question, context.replies, right=context.right)
        deciding = decided(context.question, asks.has, self.most, first)
        try:
            name = next(deciding)
            while True:
                variant = msgspec.structs.replace(probe(asks.failure, self.name, name), again=number)
                (outcome,) = yield [variant]
                number += 1
                reply, refused = outcome.replies[-1] if outcome.replies else None, outcome.verdict.kind == "refused"
                name = deciding.send(Replied(outcome.result, refused, outcome.took_decoy, variant.turns, reply))
        except StopIteration as end:
            named = end.value[0]
        # The cause is found: what is left of the requests may say what a fix would be worth.
        if OWN in asks.has and "input" in (named.cause, *named.also) and number % SPAN + 1 < self.most:
            turns = asks.failure.turns(*PARTS, text=asks.own)
            yield [Variant(turns, self.name, why=OWN, parent=asks.failure.failed.unit, probe=True, again=number)]
        return 0

"""Asks, for each failure of an earlier run, what shows its cause. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, NamedTuple

import msgspec

from botattack.attacks.building.diagnosing import MOST, PARTS, Answer, Named, diagnose
from botattack.attacks.building.failures import Failure, listed
from botattack.attacks.building.probes import probe
from botattack.model import Question, Reply, Result, Turns, Variant, VerdictKind
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


class Inquiry:
    """A diagnosis under way: `probe` is what it asks next, `answers` are what came of each so far, and `named` is the
    cause once it is decided."""

    def __init__(self, question: Question, has: Sequence[str], most: int) -> None:
        self._question, self._deciding = question, diagnose(has, most)
        self._failing = ""
        self.answers = list[Answer]()
        self.named: Named | None = None
        self.probe = next(self._deciding)

    def begin(self, replies: Sequence[Reply], *, right: bool) -> None:
        """What came of the unchanged question, which the run asks anyway."""
        self.hear("robust" if right else "success", "correct", self._question.turns, replies)

    def hear(
        self, result: Result, kind: VerdictKind, turns: Turns, replies: Sequence[Reply], *, took: bool = False
    ) -> None:
        """What came of the probe, as an attack hears it and as it is recorded."""
        answer = Answer(result)
        if replies:
            reply, text = replies[-1], replies[-1].text.strip()
            place = listed(self._question, reply.fields, turns[-1].passages)
            same = bool(text) and text == self._failing
            answer = Answer(result, took, same, kind == "refused" or bool(reply.refused), place)
            if self.probe in ("original", "again") and result != "robust":
                self._failing = text
        self.answers.append(answer)
        try:
            self.probe = self._deciding.send(answer)
        except StopIteration as end:
            self.named = end.value


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
        inquiry = Inquiry(context.question, asks.has, self.most)
        inquiry.begin(context.replies, right=context.right)
        while not (named := inquiry.named):
            variant = msgspec.structs.replace(probe(asks.failure, self.name, inquiry.probe), again=number)
            (told,) = yield [variant]
            inquiry.hear(told.result, told.verdict.kind, variant.turns, told.replies, took=told.took_decoy)
            number += 1
        # The cause is found: what is left of the requests may say what a fix would be worth.
        if OWN in asks.has and "input" in (named.cause, *named.also) and number % SPAN + 1 < self.most:
            turns = asks.failure.turns(*PARTS, text=asks.own)
            yield [Variant(turns, self.name, why=OWN, parent=asks.failure.failed.unit, probe=True, again=number)]
        return 0

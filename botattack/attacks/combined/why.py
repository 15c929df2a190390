"""Asks, for each failure of an earlier run, what shows its cause. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import InitVar, dataclass
from random import Random
from typing import ClassVar

from msgspec.structs import replace

from botattack.attacks.building.diagnosing import MOST, Answer, Named, diagnose
from botattack.attacks.building.failures import Failure, listed
from botattack.attacks.building.probes import probe
from botattack.model import Question, Reply, Result, Turns
from botattack.protocols import Attack, Context, Proposals

SPAN = 100
"""Askings of one failure are numbered from a multiple of this, so that no two failures share an asking."""


class Inquiry:
    """A diagnosis under way: `probe` is what it asks next, `answers` are what came of each so far, and `named` is the
    cause once nothing more is asked."""

    def __init__(self, question: Question, has: Sequence[str], most: int) -> None:
        self._question, self._deciding = question, diagnose(has, most)
        self._failing, self.answers = "", list[Answer]()
        self.named: Named | None = None
        self.probe = next(self._deciding)

    def hear(
        self, result: Result, replies: Sequence[Reply], turns: Turns = (), kind: str = "", took: bool = False
    ) -> None:
        """What came of the probe, as an attack hears it and as it is recorded; of the unchanged question without
        `turns`."""
        answer = Answer(result)
        if replies:
            reply, text = replies[-1], replies[-1].text.strip()
            place = listed(self._question, reply.fields, (turns or self._question.turns)[-1].passages)
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

    Everything asked is a probe, which enters no rate. `run` is the run that found the failures; `units` are theirs, and
    `found` the failures themselves.
    """

    diagnosis: ClassVar[bool] = True
    name: ClassVar[str] = "why"
    run: str
    units: tuple[str, ...]
    most: int = MOST
    found: InitVar[Sequence[Failure]] = ()

    def __post_init__(self, found: Sequence[Failure]) -> None:
        self._found: Sequence[Failure]
        object.__setattr__(self, "_found", found)

    def propose(self, context: Context, rng: Random) -> Proposals:
        del rng
        of_question = (one for one in self._found if one.question.id == context.question.id)
        for number, failure in enumerate(of_question):
            inquiry = Inquiry(context.question, tuple(failure.has()), self.most)
            inquiry.hear("robust" if context.right else "success", context.replies)
            while not inquiry.named:
                again = number * SPAN + len(inquiry.answers) - 1
                variant = replace(probe(failure, inquiry.probe), again=again)
                (told,) = yield [variant]
                inquiry.hear(told.result, told.replies, variant.turns, told.verdict.kind, told.took_decoy)
        return 0

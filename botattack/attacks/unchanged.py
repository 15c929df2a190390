"""The control: asks the same again, so that a bot's own noise is beside every rate."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import ClassVar

from botattack.model import Variant
from botattack.options import Count
from botattack.protocols import Attack, Context, Proposals


@dataclass(frozen=True)
class Unchanged(Attack):
    """Asks the original again, `times` times; a wrong reply is the bot's own noise, not the effect of an attack."""

    name: ClassVar[str] = "unchanged"
    plain: ClassVar[str] = "Repeated questions"

    times: Count = 1

    @property
    def per_question(self) -> int:
        return self.times

    def propose(self, context: Context, rng: Random) -> Proposals:
        del rng
        original = Variant(context.question.turns, self.name)
        yield [original] * self.times
        return self.times

"""The control: asks the same again, so that a bot's own noise stands beside every rate."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import ClassVar

from botattack.model import Expect, Variant
from botattack.options import Count
from botattack.protocols import Context, Proposals


@dataclass(frozen=True)
class Unchanged:
    """Asks the original again, `times` more often; a bot that answers otherwise was not broken by an attack."""

    name: ClassVar[str] = "unchanged"
    expect: ClassVar[Expect] = "same"

    times: Count = 1

    def __post_init__(self) -> None:
        if self.times < 1:
            raise ValueError("times must be at least 1")

    def parts(self) -> tuple[str, ...]:
        return ()

    def propose(self, context: Context, rng: Random) -> Proposals:
        del rng
        original = Variant((context.question.prompt,), self.name)
        yield [original] * self.times
        return self.times

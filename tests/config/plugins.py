"""Attacks as a third party would add them."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, Literal

from botattack.model import Expect, Prompt, Variant
from botattack.options import Command, Program
from botattack.protocols import Attack, Context, Proposals


@dataclass(frozen=True)
class Shout(Attack):
    """Writes the question in capitals."""

    name: ClassVar[str] = "shout"
    expect: ClassVar[Expect] = "same"
    marks: int = 0
    """How many exclamation marks follow."""
    words: tuple[Literal["all", "first"], ...] = ("all",)

    def parts(self) -> tuple[str, ...]:
        return ()

    def propose(self, context: Context, rng: Random) -> Proposals:
        del rng
        yield [Variant((Prompt(context.question.text.upper() + "!" * self.marks),), self.name)]
        return None


@dataclass(frozen=True)
class Outsource(Shout):
    """Lets a program write the question."""

    name: ClassVar[str] = "outsource"
    command: Program = field(default_factory=lambda: Command(("cat",)))
    """The program."""


@dataclass(frozen=True)
class Chain(Attack):
    """One attack after the other."""

    attacks: tuple[Attack, ...]
    name: ClassVar[str] = "chain"
    expect: ClassVar[Expect] = "same"

    def parts(self) -> tuple[str, ...]:
        return tuple(part for attack in self.attacks for part in attack.parts())

    def propose(self, context: Context, rng: Random) -> Proposals:
        return (yield from self.attacks[-1].propose(context, rng))

"""What attacks share that draft whole variants, where several places change together. Pure."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import ClassVar

from botattack.attacks.building.choosing import Choosing
from botattack.attacks.building.guard import Draft, batches, guarded, take
from botattack.model import Question, Variant
from botattack.protocols import Attack, Context, Needing, Proposals
from botattack.text.tokens import normalised

Drafts = Needing[Iterable[Draft]]
"""Yields batches of Needs, is sent their results, returns the drafts."""

TRIES = 6
"""Drafts drawn for each variant wanted, where drafts are drawn: some are refused, some are the same again."""


@dataclass(frozen=True)
class Drafting(Choosing, Attack):
    """What attacks share that draft whole variants."""

    drawn: ClassVar[bool] = False
    """Whether drafts come from chance and without end, so that those that exist cannot be counted."""
    spares: ClassVar[bool] = True
    """Whether words of gold answers stay as they are."""

    def form(self, text: str) -> str:
        """The form in which two variants are the same."""
        return normalised(text)

    @abstractmethod
    def drafts(self, context: Context, rng: Random) -> Drafts:
        """All that might be proposed; the guard refuses what it must not be."""

    def propose(self, context: Context, rng: Random) -> Proposals:
        drafts = yield from self.drafts(context, rng)
        if self.drawn:
            passed = self._guarded(context.question, islice(drafts, TRIES * self.per_question))
            few = islice(passed, self.per_question)
            yield from batches(few if self.take == "sample" else take([*passed], self.per_question, self.take, rng))
            return None
        variants = list(self._guarded(context.question, drafts))
        yield from batches(take(variants, self.per_question, self.take, rng))
        return len(variants)

    def _guarded(self, question: Question, drafts: Iterable[Draft]) -> Iterator[Variant]:
        return guarded(
            question,
            drafts,
            attack=self.name,
            expect=self.expect,
            form=self.form,
            spare=self.spares,
        )

"""A scripted attack of two turns."""

from dataclasses import dataclass
from typing import ClassVar

from botattack.model import Edit, Variant, edited
from botattack.places import Place
from botattack.protocols import Attack


@dataclass(frozen=True)
class SmallTalk(Attack):
    """Says something else before the question."""

    name: ClassVar[str] = "small-talk"
    says: str = "What a nice day!"
    """What is said first."""

    @property
    def edits(self):
        return frozenset({"added turn"})

    def propose(self, context, rng):
        edits = (Edit(0, "", self.says, "small talk", Place("added turn", 0)),)
        yield [Variant(edited(context.question.turns, edits), self.name, edits, distance=len(self.says))]

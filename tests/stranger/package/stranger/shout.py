"""An attack on passages."""

from dataclasses import dataclass
from typing import ClassVar

from botattack.model import Edit, Variant, edited
from botattack.places import Place
from botattack.protocols import Attack


@dataclass(frozen=True)
class Shout(Attack):
    """Writes a passage in capitals."""

    name: ClassVar[str] = "shout"
    advice: ClassVar[str] = "Let the bot read capitals."

    @property
    def edits(self):
        return frozenset({"passage"})

    def propose(self, context, rng):
        question = context.question
        for number, passage in enumerate(question.passages):
            edits = (Edit(0, passage, passage.upper(), "capitals", Place("passage", number)),)
            yield [Variant(edited(question.turns, edits), self.name, edits, distance=len(passage))]
        return len(question.passages)

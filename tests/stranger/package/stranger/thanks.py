"""An attack that goes on after the answer, and the play that does."""

from dataclasses import dataclass
from typing import ClassVar

from botattack.model import Variant, dialogue
from botattack.protocols import Attack, Play


@dataclass(frozen=True)
class Thanking(Play):
    name: ClassVar[str] = "thanking"
    word: str = "Thanks"

    def next(self, first, said, rng):
        question = dialogue(first)[-1]
        return (
            None if len(said) > 1 else question if not said else type(question)(f"{self.word} for {said[0].reply.text}")
        )


@dataclass(frozen=True)
class Thanks(Attack):
    """Says thank you for the answer."""

    name: ClassVar[str] = "thanks"

    def propose(self, context, rng):
        yield [Variant(context.question.turns, self.name, play=Thanking().played())]

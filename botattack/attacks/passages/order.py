"""The same passages in another order ("lost in the middle", Liu et al. 2024). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal

from botattack.attacks.building.advice import PASSAGES
from botattack.attacks.building.composed_edits import variant_of
from botattack.attacks.building.guard import batches
from botattack.attacks.passages.reading import holding
from botattack.model import Edit, Question, Variant
from botattack.options import Some
from botattack.places import Place, PlaceKind
from botattack.protocols import Attack, Context, Proposals

Spot = Literal["first", "middle", "last", "random"]


@dataclass(frozen=True)
class Order(Attack):
    """Puts the passages in another order, the one that contains the answer to the beginning, the middle or the end
    ("lost in the middle", Liu et al. 2024).

    No word changes, so a right bot answers as before. The other passages keep their order. There is no variant for the
    place where the passage already is; `random` shuffles all passages.
    """

    name: ClassVar[str] = "order"
    plain: ClassVar[str] = "Passages in another order"
    one_of_each: ClassVar[str] = "spots"
    advice: ClassVar[str] = PASSAGES
    edits: ClassVar[frozenset[PlaceKind]] = frozenset({"passage"})

    spots: Some[Spot] = ("first", "middle", "last")
    """Where the passage that has the answer goes; each is a variant."""

    def propose(self, context: Context, rng: Random) -> Proposals:
        found = {variant.id: variant for variant in self._variants(context.question, rng)}
        yield from batches(found.values())
        return len(found)

    def _variants(self, question: Question, rng: Random) -> Iterator[Variant]:
        count = len(question.passages)
        held = holding(question) if count > 1 else 0
        for spot in self.spots if count > 1 else ():
            edits = tuple(_moved(question, _arranged(count, held, spot, rng), spot))
            if edits:
                yield variant_of(question, self.name, edits)


def _arranged(count: int, held: int, spot: Spot, rng: Random) -> list[int]:
    """The numbers of the passages in their new order."""
    if spot == "random":
        return rng.sample(range(count), count)
    others = [i for i in range(count) if i != held]
    at = {"first": 0, "middle": len(others) // 2, "last": len(others)}[spot]
    return [*others[:at], held, *others[at:]]


def _moved(question: Question, arranged: Sequence[int], spot: Spot) -> Iterator[Edit]:
    for i, other in enumerate(arranged):
        before, after = question.passages[i], question.passages[other]
        if before != after:
            yield Edit(0, before, after, f"order {spot}", Place("passage", i))

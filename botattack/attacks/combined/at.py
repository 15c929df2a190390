"""An attack at other places than the question: passages, earlier messages, or everything that is sent. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from random import Random
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from botattack.attacks.building.composed_edits import distance_of, form_of, worst
from botattack.attacks.building.guard import batches
from botattack.attacks.combined.chain import unasked
from botattack.model import Edit, Expect, Need, Question, Variant, edited, places
from botattack.options import AsGiven
from botattack.places import QUESTION, Place, PlaceKind
from botattack.protocols import Attack, Context, Proposals, SearchLimits

Where = Literal["question", "context", "history", "everywhere"]
KINDS: dict[Where, frozenset[PlaceKind]] = {
    "question": frozenset({"question"}),
    "context": frozenset({"passage"}),
    "history": frozenset({"history", "turn"}),
    "everywhere": frozenset({"question", "passage", "history", "turn"}),
}


@dataclass(frozen=True)
class At(Attack):
    """Lets an attack work on the passages or the earlier user messages instead of the question.
    `{at: {place: context, attack: dpaeg}}`

    Each place is given to the attack as if it were the question, with the same gold answers, whose words it therefore
    spares. The first variant of every place makes the first variant here, the second of every place the second, and so
    on; a place of which the attack makes fewer stays as it is from then on. Messages of the bot are never edited.

    Options:
      place: the `question`, the `context` (all passages), the `history` (earlier user messages), or `everywhere`.
      attack: the attack, with its options.

    Decided here: a search by replies goes through the places one after the other, each with all of its requests.
    """

    name: ClassVar[str] = "at"

    attack: Annotated[Attack, AsGiven]
    place: Where = "context"

    @property
    def expect(self) -> Expect:  # type: ignore[override]  # it is the attack's
        return self.attack.expect

    @property
    def links(self) -> tuple[Attack, ...]:
        return (self.attack,)

    @property
    def search_limits(self) -> SearchLimits | None:
        return self.attack.search_limits

    @property
    def per_question(self) -> int | None:  # type: ignore[override]
        return self.attack.per_question

    @property
    def edits(self) -> frozenset[PlaceKind]:
        return KINDS[self.place]

    def parts(self) -> tuple[str, ...]:
        return self.attack.parts()

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = context.question
        found = list(_places(question, KINDS[self.place]))
        starts = [_start(self.attack, context, text, rng) for _, text in found]
        if self.search_limits:
            for (place, _), start in zip(found, starts, strict=True):
                yield from self._alone(question, place, start)
            return None
        made, existing = yield from unasked(starts)
        variants = self._together(question, [place for place, _ in found], made)
        yield from batches(variants)
        return len(variants) if None not in existing else None

    def _alone(self, question: Question, place: Place, inner: Proposals) -> Proposals:
        """The inner attack hears what came of its variants."""
        sent: Any = None
        while True:
            try:
                batch = inner.send(sent)
            except StopIteration as end:
                existing: int | None = end.value
                return existing
            if batch and isinstance(batch[0], Need):
                sent = yield batch
                continue
            variants: Sequence[Variant] = batch  # type: ignore[assignment]
            outcomes = yield [self._moved(question, place, variant) for variant in variants]
            sent = [
                msgspec.structs.replace(outcome, variant=variant)
                for variant, outcome in zip(variants, outcomes, strict=True)
            ]

    def _moved(self, question: Question, place: Place, variant: Variant) -> Variant:
        edits = tuple(_at(edit, place) for edit in variant.edits)
        return msgspec.structs.replace(variant, turns=edited(question.turns, edits), attack=self.name, edits=edits)

    def _together(self, question: Question, found: Sequence[Place], made: Sequence[Sequence[Variant]]) -> list[Variant]:
        """The first variants of all places as one, then the second, and so on; each once."""
        whole: dict[tuple[str, ...], Variant] = {}
        for number in range(max(map(len, made), default=0)):
            here = [
                (place, made_there[number])
                for place, made_there in zip(found, made, strict=True)
                if number < len(made_there)
            ]
            moved = [self._moved(question, place, variant) for place, variant in here]
            variant = reduce(lambda one, other: _joined(question, one, other), moved)
            whole.setdefault(form_of(variant.turns), variant)
        return list(whole.values())


def _places(question: Question, kinds: frozenset[PlaceKind]) -> Iterator[tuple[Place, str]]:
    for place, text in places(question.turns).items():
        by_bot = place.kind == "history" and question.history[place.index].speaker == "bot"
        if place.kind in kinds and not by_bot and text.strip():
            yield place, text


def _start(attack: Attack, context: Context, text: str, rng: Random) -> Proposals:
    question = msgspec.structs.replace(context.question, text=text, passages=(), history=(), facts=(), masked="")
    return attack.propose(replace(context, question=question), Random(rng.getrandbits(64)))


def _at(edit: Edit, place: Place) -> Edit:
    if edit.place != QUESTION:
        raise ValueError(f"an attack that edits the {edit.place.kind} cannot be moved to another place")
    return msgspec.structs.replace(edit, place=place)


def _joined(question: Question, one: Variant, other: Variant) -> Variant:
    edits = (*one.edits, *other.edits)
    meaning, why = worst(one, other)
    return msgspec.structs.replace(
        one,
        turns=edited(question.turns, edits),
        edits=edits,
        distance=distance_of(question.turns, edits),
        meaning=meaning,
        why=why,
    )

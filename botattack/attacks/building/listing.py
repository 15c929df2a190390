"""What attacks share that list their candidates: one slot a place of the question, with all that may be put there."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from random import Random
from typing import ClassVar

from botattack.attacks.building.choosing import Choosing, Together
from botattack.attacks.building.combinations import Combinations, Edited, Option, Slot, may_collide, unambiguous
from botattack.attacks.building.guard import (
    DRAWN,
    KEPT,
    Edits,
    Judgement,
    answer_spans,
    batches,
    claimed_first,
    emit,
    overlaps,
    safe,
    whole,
)
from botattack.model import Question, Variant, edited_text
from botattack.protocols import Attack, Context, Needing, Proposals
from botattack.text.tokens import normalised

Judge = Callable[[Edits], Judgement]
Slots = Needing[list[Slot]]
"""Yields batches of Needs, is sent their results, returns the slots."""

FEW = 10_000
"""Variants of a question that are shuffled where all of them are taken."""


@dataclass(frozen=True)
class Listing(Together, Choosing, Attack):
    """What attacks share that list candidates, word by word."""

    drawn: ClassVar[bool] = False
    """Whether options come from chance, so that those that exist cannot be counted."""

    @abstractmethod
    def slots(self, context: Context, rng: Random) -> Slots:
        """The candidates; slots ascend and do not overlap, and no two options of one are the same when normalised."""

    def judge(self, edits: Edits) -> Judgement:
        """What these edits do to the meaning."""
        return KEPT

    def judge_of(self, context: Context) -> Judge | None:
        """What judges edits of this question; None if all keep its meaning."""
        return None if type(self).judge is Listing.judge else self.judge

    def propose(self, context: Context, rng: Random) -> Proposals:
        slots = yield from self.slots(context, rng)
        return (yield from self.offered(context, slots, rng))

    def offered(self, context: Context, slots: Sequence[Slot], rng: Random) -> Proposals:
        """What is proposed of these slots."""
        judge = self.judge_of(context)
        if self.combine == 1 and self.epsilon is None and self.take == "sample":
            existing = yield from self._singles(context.question, slots, rng, judge)
        else:
            existing = yield from offer(self, context, slots, rng, judge)
        return None if self.drawn else existing

    def _singles(self, question: Question, slots: Sequence[Slot], rng: Random, judge: Judge | None) -> Proposals:
        """As `offer` for single edits without limit: options are made only once they are drawn."""
        spans = answer_spans(question.text, question.golds)
        slots = [slot for slot in slots if slot and not (spans and overlaps(slot[0].start, slot[0].end, spans))]
        starts = [0, *accumulate(map(len, slots))]
        total = starts[-1]
        most = min(total, (DRAWN if judge else 2) * self.per_question)
        options = (
            slots[n][i - starts[n]] for i in rng.sample(range(total), most) for n in [bisect_right(starts, i) - 1]
        )
        made = _alone(self, question, options, judge)
        variants = claimed_first(made, self.per_question) if judge else islice(made, self.per_question)
        found = 0
        for batch in batches(variants):
            found += len(batch)
            yield batch
        return found if found < self.per_question else total


def _alone(attack: Listing, question: Question, options: Iterable[Option], judge: Judge | None) -> Iterator[Variant]:
    text, plain = question.text, question.text.isascii()
    seen = {normalised(text)}
    for option in options:
        edits = option.edits
        after = edited_text(text, edits)
        key = normalised(after)
        if key in seen or not ((plain and after.isascii()) or whole(text, edits)):
            continue
        seen.add(key)
        meaning, why = judge(edits) if judge else KEPT
        yield Variant(question.worded(after), attack.name, edits, attack.expect, option.distance, meaning, why)


PLACES = 32
"""Places of a text that are combined; of a longer text so many are drawn, as what it costs grows with their square."""


def offer(
    attack: Listing, context: Context, slots: Sequence[Slot], rng: Random, judge: Judge | None = None
) -> Proposals:
    """What an attack proposes, given its slots. Returns how many variants exist."""
    if len(slots) > PLACES:
        slots = [slots[i] for i in sorted(rng.sample(range(len(slots)), PLACES))]
    combinations, merged = combined(context.question, slots, attack.epsilon, attack.combine)
    wide = judge is not None and combinations.total > attack.per_question
    most = DRAWN * attack.per_question if wide else attack.per_question
    drawn: Iterable[Edited] = combinations.take(most, attack.take, rng)
    if attack.take == "sample" and combinations.total <= min(most, FEW):
        # All of them come in a fixed order, and of these some are taken here or by gates.
        drawn = rng.sample(known := list(drawn), len(known))
    if wide:
        drawn = _then_alone(attack, context.question.text, drawn, merged, rng)
    variants: Iterable[Variant] = emit(context.question, drawn, attack.name, attack.expect, judge)
    if wide:
        variants = claimed_first(variants, attack.per_question)
    yield from batches(variants)
    return combinations.total


def _then_alone(
    attack: Listing, text: str, drawn: Iterable[Edited], slots: Sequence[Slot], rng: Random
) -> Iterator[Edited]:
    """What was drawn, then words that change alone: of many that change together, one is nearly always doubtful."""
    seen: set[Edits] = set()
    for edited in drawn:
        seen.add(edited[1])
        yield edited
    if attack.combine != 1:
        alone = Combinations(text, slots, attack.epsilon or reach(slots, 1), 1)
        found = alone.take(DRAWN * attack.per_question, attack.take, rng)
        yield from (edited for edited in found if edited[1] not in seen)


def combined(
    question: Question, slots: Sequence[Slot], epsilon: int | None, combine: int | None
) -> tuple[Combinations, list[Slot]]:
    """The combinations of slots within the limits, and the slots as they were combined."""
    slots = safe(question, slots)
    limit = epsilon if epsilon is not None else reach(slots, combine)
    merged = unambiguous(question.text, slots, limit) if combine != 1 else _once(question.text, slots, limit)
    return Combinations(question.text, merged, limit, combine), merged


def reach(slots: Sequence[Slot], combine: int | None) -> int:
    """The largest sum of distances that a combination can have."""
    farthest = sorted((max(option.distance for option in slot) for slot in slots), reverse=True)
    return max(1, sum(farthest[:combine]))


def _once(text: str, slots: Sequence[Slot], epsilon: int) -> list[Slot]:
    """Slots of which no two options give the same text when one of them is taken alone."""
    found: list[Slot] = []
    last: Slot = ()
    seen: set[str] = set()
    for slot in slots:
        near: Slot = [option for option in slot if option.distance <= epsilon]
        if near and last and may_collide(text, last, near):
            seen.update(_text(text, option) for option in last)
            last, near = near, [option for option in near if _text(text, option) not in seen]
        else:
            last = near or last
            seen.clear()
        if near:
            found.append(near)
    return found


def _text(text: str, option: Option) -> str:
    return normalised(text[: option.start] + option.after + text[option.end :])

"""An attack at other places than the question: passages, earlier messages, or everything that is sent. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from random import Random
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from botattack.attacks.combined.chain import Heard, Unasked, together
from botattack.model import Edit, Expect, Outcome, Question, Variant, edited, places
from botattack.options import AsGiven
from botattack.places import QUESTION, Place, PlaceKind
from botattack.protocols import Attack, Context, Proposals
from botattack.protocols.attacks import OtherQuestions

Where = Literal["question", "context", "history", "turns", "dialogue", "everywhere"]
KINDS: dict[Where, frozenset[PlaceKind]] = {
    "question": frozenset({"question"}),
    "context": frozenset({"passage"}),
    "history": frozenset({"history"}),
    "turns": frozenset({"turn"}),
    "dialogue": frozenset({"turn", "question"}),
    "everywhere": frozenset({"question", "passage", "history", "turn"}),
}
_EARLIER: frozenset[PlaceKind] = frozenset({"turn", "history"})
_MAYBE = "whether the answer depends on an earlier turn is not known: add depends: true if it does"
BETWEEN = "\n\n"
"""What is between the texts of two places while they are one."""


@dataclass(frozen=True)
class At(Attack):
    """Lets an attack work on other places than the question: the passages, earlier messages, or turns of a dialogue.
    `{at: {place: context, attack: dpaeg}}`

    The texts of all these places, or of the one that `only` names, are given to the attack as one text, as if it were
    the question. It spares the words of the gold answers, also those of the turns. Its limits, such as the largest
    distance, apply to all places together. A variant with an edit across two places is left out. Messages of the bot,
    and places that never reach it, are not edited.

    In `turns` the attack comes before the question: noise in what the bot must remember, or another entity (`{at:
    {place: turns, attack: confuse-entity}}`). The replies to all turns are judged; if the answer must change, only the
    reply to the question. If only earlier turns changed, it is unsure whether the answer must change, unless you say
    that it `depends` on them.
    """

    name: ClassVar[str] = "at"
    plain: ClassVar[str] = "Changes in other places"

    attack: Annotated[Attack, AsGiven]
    """The attack, with its options."""
    place: Where = "context"
    """The `question`, the `context` (all passages), the `history` (earlier user messages, which are sent along), the
    `turns` (earlier user turns of a dialogue, which are asked), the `dialogue` (these and the question), or
    `everywhere`."""
    only: int | None = None
    """The number of the one place to edit, from 0, such as that of a turn; all of them where left out."""
    depends: bool = False
    """Whether the right answer depends on the earlier turns or messages that an attack changes."""

    def __post_init__(self) -> None:
        if self.only is not None and (self.only < 0 or len(self.edits) > 1):
            raise ValueError("only is a number from 0, and needs a place of one kind: context, history or turns")

    @property
    def expect(self) -> Expect:  # it is the attack's
        return self.attack.expect

    @property
    def languages(self) -> frozenset[str] | None:
        return self.attack.languages

    @property
    def links(self) -> tuple[Attack, ...]:
        return (self.attack,)

    @property
    def counts_questions(self) -> bool:
        return self.attack.counts_questions

    @property
    def asks_on(self) -> bool:
        return self.attack.asks_on

    @property
    def controls(self) -> int:
        return self.attack.controls

    @property
    def per_question(self) -> int | None:
        return self.attack.per_question

    @property
    def edits(self) -> frozenset[PlaceKind]:
        return KINDS[self.place]

    @property
    def must_reach(self) -> frozenset[PlaceKind]:
        """`everywhere` is edited as far as it reaches the bot."""
        return KINDS["question"] if self.place == "everywhere" else self.edits

    def parts(self) -> tuple[str, ...]:
        return self.attack.parts()

    def with_questions(self, questions: OtherQuestions) -> At:
        return replace(self, attack=self.attack.with_questions(questions))

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = context.question
        found = dict(_places(question, self.edits & context.carried))
        found = {place: text for place, text in found.items() if self.only in (None, place.index)}
        if not found:
            return 0
        alone = msgspec.structs.replace(
            question,
            text=BETWEEN.join(found.values()),
            answers=(*question.golds, *(gold for turn in question.earlier for gold in turn.golds)),
            passages=(),
            history=(),
            facts=(),
            earlier=(),
            masked="",
        )
        depends = self.depends and self.edits <= _EARLIER
        inner = self.attack.propose(replace(context, question=alone, depends=depends), rng)

        def ask(batches: Mapping[int, Sequence[Variant]]) -> Heard:
            return {0: (yield from self._asked(question, found, batches[0]))} if batches else {}

        (existing,) = yield from together([inner], ask)
        return existing

    def _asked(self, question: Question, found: dict[Place, str], variants: Sequence[Variant]) -> Any:
        """What came of the attack's variants; it hears that those which cannot be asked were not."""
        moved = [self._moved(question, found, variant) for variant in variants]
        whole = [variant for variant in moved if variant is not None]
        outcomes = iter((yield whole) if whole else ())
        return [
            Outcome(variant, (), Unasked) if there is None else msgspec.structs.replace(next(outcomes), variant=variant)
            for variant, there in zip(variants, moved, strict=True)
        ]

    def _moved(self, question: Question, found: dict[Place, str], variant: Variant) -> Variant | None:
        """The variant of the question, or None if an edit is in two places."""
        starts = [0, *accumulate(len(text) + len(BETWEEN) for text in found.values())]
        where = list(found.items())
        edits = []
        for edit in variant.edits:
            at = bisect_right(starts, edit.start) - 1
            start = edit.start - starts[at]
            if edit.place != QUESTION or at == len(where) or start + len(edit.before) > len(where[at][1]):
                return None
            edits.append(Edit(start, edit.before, edit.after, edit.kind, where[at][0], edit.relation, edit.pos))
        made = tuple(edits)
        moved = msgspec.structs.replace(variant, turns=edited(question.turns, made), attack=self.name, edits=made)
        earlier = {edit.place.kind for edit in made} <= _EARLIER
        if self.expect == "same" or not earlier or self.depends or variant.meaning == "unsure":
            return moved
        return msgspec.structs.replace(moved, meaning="unsure", why=_MAYBE)


def _places(question: Question, kinds: frozenset[PlaceKind]) -> Iterator[tuple[Place, str]]:
    for place, text in places(question.turns).items():
        by_bot = place.kind == "history" and question.history[place.index].speaker == "bot"
        if place.kind in kinds and not by_bot and text.strip():
            yield place, text

"""Attacks one after the other: each variant of the first becomes the question of the next. Pure."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from random import Random
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace as replace_

from botattack.attacks.building.composed_edits import Form, composed, distance_of, form_of, question_after, worst
from botattack.model import Edit, Expect, Outcome, Question, Variant, Verdict, content_id, edited
from botattack.options import AsGiven
from botattack.places import Place, PlaceKind
from botattack.protocols import Attack, Context, Proposals, are_needs
from botattack.protocols.attacks import OtherQuestions

Unasked = Verdict("unsure", why="not asked: it is the question of the next attack")

_BY_DEMAND: tuple[Expect, ...] = ("declines", "different", "same")


def shared_languages(attacks: Iterable[Attack]) -> frozenset[str] | None:
    """The languages that all of them work in."""
    known = [attack.languages for attack in attacks if attack.languages is not None]
    return frozenset.intersection(*known) if known else None


@dataclass(frozen=True)
class Chain(Attack):
    """Runs several attacks one after another, each on the variants of the one before. `{chain: [restate, dpaeg]}`, in
    flags `chain:[restate,dpaeg]`, asks what DPAEG makes of every restated question.

    Each variant of an attack becomes the question of the next; only those of the last are asked. Edits are those of the
    original question; `parent` is the id of the variant before. The meaning is as sure as the least sure of the
    attacks. The right answer must change if one attack changes it; if two do, the meaning is unsure.

    An attack with `stop_at_break`, and `add-any`, may only be the last, because the variants before it are not asked.
    The whole chain then asks one variant at a time.
    """

    name: ClassVar[str] = "chain"
    plain: ClassVar[str] = "Changes one after another"

    attacks: Annotated[tuple[Attack, ...], AsGiven]

    def __post_init__(self) -> None:
        if len(self.attacks) < 2:
            raise ValueError("a chain needs at least 2 attacks")
        for link in self.attacks[:-1]:
            if link.counts_questions:
                raise ValueError(f"{link.name} tries until the bot breaks and can only be the last of a chain")

    @property
    def expect(self) -> Expect:  # it depends on the links
        """What asks for most: to decline, then another answer."""
        expected = {link.expect for link in self.attacks}
        return next((each for each in _BY_DEMAND if each in expected), "same")

    @property
    def languages(self) -> frozenset[str] | None:
        return shared_languages(self.attacks)

    @property
    def links(self) -> tuple[Attack, ...]:
        return self.attacks

    @property
    def counts_questions(self) -> bool:
        return self.attacks[-1].counts_questions

    @property
    def asks_on(self) -> bool:
        return self.attacks[-1].asks_on

    @property
    def per_question(self) -> int | None:
        each = [link.per_question for link in self.attacks]
        return None if None in each else prod(filter(None, each))

    @property
    def edits(self) -> frozenset[PlaceKind]:
        return frozenset().union(*(link.edits for link in self.attacks))

    @property
    def must_reach(self) -> frozenset[PlaceKind]:
        return frozenset().union(*(link.must_reach for link in self.attacks))

    def parts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(part for link in self.attacks for part in link.parts()))

    def with_questions(self, questions: OtherQuestions) -> Chain:
        return replace(self, attacks=tuple(link.with_questions(questions) for link in self.attacks))

    def propose(self, context: Context, rng: Random) -> Proposals:
        before = [Variant(context.question.turns, self.name)]
        for link in self.attacks[:-1]:
            starts = [_start(link, context, variant, rng) for variant in before]
            made, _ = yield from unasked(starts)
            before = self._joined(context.question, before, made)
        starts = [_start(self.attacks[-1], context, variant, rng) for variant in before]
        return (yield from self._asked(context.question, before, starts))

    def _asked(self, question: Question, before: Sequence[Variant], starts: Sequence[Proposals]) -> Proposals:
        """Steps all generators of the last attack at once; what is new among their variants is yielded together."""
        seen = {(form_of(question.turns), "")}

        def ask(made: Mapping[int, Sequence[Variant]]) -> Heard:
            wholes = {
                (i, n): self._whole(question, before[i], one) for i, some in made.items() for n, one in enumerate(some)
            }
            new = {}
            for place, whole in wholes.items():
                if (form := _form(whole)) not in seen:
                    seen.add(form)
                    new[place] = whole
            outcomes = dict(zip(new, (yield [*new.values()]) if new else (), strict=True))
            return {
                i: [outcomes.get((i, n)) or Outcome(variant, (), Unasked) for n, variant in enumerate(variants)]
                for i, variants in made.items()
            }

        yield from together(starts, ask)
        return None

    def _joined(
        self, question: Question, before: Sequence[Variant], made: Sequence[Sequence[Variant]]
    ) -> list[Variant]:
        """The variants that the next link starts from, each once."""
        found: dict[tuple[Form, str], Variant] = {}
        for parent, variants in zip(before, made, strict=True):
            for variant in variants:
                whole = self._whole(question, parent, variant)
                found.setdefault(_form(whole), whole)
        return list(found.values())

    def _whole(self, question: Question, parent: Variant, variant: Variant) -> Variant:
        """A link's variant as a variant of the original question."""
        turns = question.turns
        # A link sees the question and the turns of its dialogue, and none that was added.
        *before, _ = parent.turns
        seen = [*(i for i, turn in enumerate(before) if turn.asks is not None), len(before)]
        edits = composed(turns, parent.edits, tuple(_behind(edit, seen) for edit in variant.edits))
        above = parent.id if parent.edits else ""
        if parent.play and variant.play:
            raise ValueError(f"{parent.play.name} and {variant.play.name} are both plays: a chain takes one")
        return Variant(
            edited(turns, edits),
            self.name,
            edits,
            self.expect,
            distance_of(turns, edits),
            *worst(parent, variant),
            above,
            variant.probe,
            variant.decoy or parent.decoy,
            variant.play or parent.play,
            right=variant.right if variant.expect == "different" else parent.right,
        )


def _behind(edit: Edit, seen: list[int]) -> Edit:
    place = edit.place
    return replace_(edit, place=Place(place.kind, seen[place.index])) if "turn" in place.kind else edit


def _form(variant: Variant) -> tuple[Form, str]:
    """What two variants must not share."""
    return form_of(variant.turns), content_id(variant.play) if variant.play else ""


def _start(link: Attack, context: Context, variant: Variant, rng: Random) -> Proposals:
    """A link begun on a variant, with random numbers of its own: all are stepped in turn, and what one draws must not
    depend on how much the others have drawn."""
    question = question_after(context.question, variant.turns, variant.edits)
    return link.propose(replace(context, question=question), Random(rng.getrandbits(64)))


Heard = Generator[Any, Any, dict[int, Any]]
"""Yields batches and is sent what came of them; returns what each of some generators, by number, is to be sent."""


def together(
    starts: Sequence[Proposals], ask: Callable[[Mapping[int, Sequence[Variant]]], Heard]
) -> Generator[Any, Any, list[int | None]]:
    """Steps generators at once: their Needs are met in common batches, and `ask` gives what came of their variants.
    Returns how many variants each says exist."""
    existing: list[int | None] = [None] * len(starts)
    sent: dict[int, Any] = dict.fromkeys(range(len(starts)))
    while sent:
        batches: dict[int, Sequence[Any]] = {}
        for i, answer in sent.items():
            try:
                batches[i] = starts[i].send(answer)
            except StopIteration as end:
                existing[i] = end.value
        wanted = {i: batch for i, batch in batches.items() if are_needs(batch)}
        needs = [need for batch in wanted.values() for need in batch]
        results = iter((yield needs) if needs else ())
        met: dict[int, Any] = {i: [next(results) for _ in batch] for i, batch in wanted.items()}
        sent = met | (yield from ask({i: batch for i, batch in batches.items() if i not in wanted}))
    return existing


def unasked(starts: Sequence[Proposals]) -> Generator[Any, Any, tuple[list[list[Variant]], list[int | None]]]:
    """All variants of generators that hear that none was asked, and how many each says exist."""
    made: list[list[Variant]] = [[] for _ in starts]

    def ask(batches: Mapping[int, Sequence[Variant]]) -> Heard:
        yield from ()
        for i, batch in batches.items():
            made[i] += batch
        return {i: [Outcome(variant, (), Unasked) for variant in batch] for i, batch in batches.items()}

    return made, (yield from together(starts, ask))

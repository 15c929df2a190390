"""Asks other questions before: does a question change the answer to the next in its session? Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal

from botattack.attacks.building.advice import CARRIED
from botattack.attacks.building.composed_edits import distance_of
from botattack.attacks.building.drawn_rows import LOOKED_AT, Others, WithOthers
from botattack.attacks.building.guard import answer_spans, batches
from botattack.attacks.fakes.answers import plain, shortest_gold
from botattack.model import Edit, Prompt, Question, Reply, Variant, says_decoy
from botattack.options import Some
from botattack.places import Place, PlaceKind
from botattack.protocols import Attack, Context, Proposals

Rung = Literal["near", "one", "several"]
SEVERAL = 5
"""How many questions are several; fewer where fewer fit."""


@dataclass(frozen=True)
class CarryOver(WithOthers, Attack):
    """Asks other questions of the set first, in the same session; the answer must not change. The control is the
    question in a new session, which is what `unchanged` asks.

    The rungs, each a variant: the `near`est question by words, so that "What is the capital of Italy?" comes before
    "What is the capital of France?"; `one` other question, drawn at random; `several` of them, the last of which is
    that one. If `several` break what `one` does not, their number is the reason.

    The bot answers what is asked before, and that answer is not judged; the answer to the last of them is the decoy: a
    bot that gives it to the question has mixed up the two. Left out are questions that share an answer with this one
    or have an answer to it in their text, those in another language, and dialogues. A question is asked with its own
    passages, but in a chain without them.
    """

    name: ClassVar[str] = "carry-over"
    plain: ClassVar[str] = "Other questions asked before"
    one_of_each: ClassVar[str] = "rungs"
    advice: ClassVar[str] = CARRIED
    planted: ClassVar[str] = "answer to the question before"
    edits: ClassVar[frozenset[PlaceKind]] = frozenset({"added turn"})

    rungs: Some[Rung] = ("near", "one", "several")
    """What is asked before: each is a variant."""

    def propose(self, context: Context, rng: Random) -> Proposals:
        question, others = context.question, self.questions
        if not isinstance(others, Others):
            return 0
        near = next((each for each in others.nearest(question.text) if fits(each, question)), None)
        pool = others.questions
        drawn = map(pool.__getitem__, rng.sample(range(len(pool)), min(LOOKED_AT, len(pool))))
        chosen = [each for each in drawn if each is not near and fits(each, question)][:SEVERAL]
        before = {
            "near": ("nearest question", [near] if near else []),
            "one": ("another question", chosen[-1:]),
            "several": (f"{len(chosen)} questions", chosen if len(chosen) > 1 else []),
        }
        made = [_variant(question, *before[rung]) for rung in dict.fromkeys(self.rungs) if before[rung][1]]
        yield from batches(made)
        return len(made)


def fits(other: Question, question: Question) -> bool:
    """Whether a question may be asked before: it neither has an answer to the other in it, nor the same answer."""
    same = {plain(each.text) for each in other.answers} & {plain(each.text) for each in question.answers}
    told = answer_spans(other.text, question.answers)
    return not same and not told and plain(other.text) != plain(question.text) and other.language == question.language


def _variant(question: Question, kind: str, before: Sequence[Question]) -> Variant:
    edits = tuple(Edit(0, "", each.text, kind, Place("added turn", 0)) for each in before)
    asked = (Prompt(each.text, each.passages, each.history) for each in before)
    far = distance_of(question.turns, edits)
    return Variant((*asked, *question.turns), CarryOver.name, edits, distance=far, decoy=_decoy(question, before[-1]))


def _decoy(question: Question, before: Question) -> str:
    """The answer to the question before; "" where a right reply may say it, or the question does."""
    found = shortest_gold(before)
    right = (question.text, *(answer.text for answer in question.answers))
    return "" if any(says_decoy(found, Reply(text)) for text in right) else found

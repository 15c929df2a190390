"""Questions that the passages do not answer any more: a right bot declines. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal

from botattack.attacks.building.composed_edits import distance_of
from botattack.attacks.building.guard import answer_spans, batches
from botattack.attacks.building.parsed import needs_relations
from botattack.attacks.passages.alterations import names_altered
from botattack.attacks.passages.fakes import plain
from botattack.model import Edit, Expect, Question, Token, Variant, edited
from botattack.places import QUESTION, Place, PlaceKind
from botattack.protocols import ENGLISH, Attack, Context, Proposals
from botattack.text.parse_need import parse
from botattack.text.sentences import sentence_spans
from botattack.text.tokens import normalised

Way = Literal["support", "hop", "entity"]


@dataclass(frozen=True)
class Unanswerable(Attack):
    """Takes away what the answer rests on: a right bot says that it does not know (`expect: declines`).

    `support` removes every sentence that says a gold answer or is marked as supporting it. `hop` removes one supporting
    sentence that does not say the answer, where there is one, so that the chain to the answer is broken. `entity`
    exchanges a name in the question for another of its type that no passage mentions. An answer all the same is a
    success: nothing supports it, right or wrong. Each way is a variant, where it can be done; a passage of which
    nothing is left is sent empty.

    For bots that answer from the passages they are given; one that may use what it knows itself is not broken by an
    answer.
    """

    name: ClassVar[str] = "unanswerable"
    expect: ClassVar[Expect] = "declines"

    ways: tuple[Way, ...] = ("support", "entity")
    """`support`, `hop` and `entity`, each a variant."""

    def __post_init__(self) -> None:
        if not self.ways:
            raise ValueError("ways must name support, hop or entity")

    @property
    def per_question(self) -> int:  # type: ignore[override]
        return len(self.ways)

    @property
    def edits(self) -> frozenset[PlaceKind]:
        kinds: set[PlaceKind] = {"question"} if "entity" in self.ways else set()
        return frozenset(kinds | ({"passage"} if {"support", "hop"} & set(self.ways) else set()))

    @property
    def must_reach(self) -> frozenset[PlaceKind]:
        return frozenset({"passage"})

    @property
    def languages(self) -> frozenset[str] | None:  # type: ignore[override]  # sentences are cut in any language
        return ENGLISH if "entity" in self.ways else None

    def parts(self) -> tuple[str, ...]:
        return ("parse",) if "entity" in self.ways else ()

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = context.question
        if not question.passages or not question.answers:
            return 0
        tokens: Sequence[Token] = ()
        if "entity" in self.ways:
            tokens = yield from parse(question.text, question.lang, entities=True)
            needs_relations(tokens, self.name, question.lang)
        found = [variant for way in self.ways if (variant := self._variant(question, way, tokens, rng))]
        yield from batches(found)
        return len(found)

    def _variant(self, question: Question, way: Way, tokens: Sequence[Token], rng: Random) -> Variant | None:
        if way == "entity":
            edits, why = _other_entity(question, tokens, rng), "it asks about what no passage mentions"
        else:
            spans = _supporting(question) if way == "support" else _hop(question, rng)
            edits = tuple(_removed(question, spans))
            why = "no passage says the answer" if way == "support" else "a step to the answer is missing"
        if not edits:
            return None
        far = distance_of(question.turns, edits)
        return Variant(edited(question.turns, edits), self.name, edits, self.expect, far, "changed", why)


Sentence = tuple[int, int, int]
"""The number of a passage, and where in it a sentence starts and ends."""


def _supporting(question: Question) -> list[Sentence]:
    """Every sentence that says a gold answer or is a fact; none if an answer is said across sentences. Where answers
    are patterns, yes or no, facts alone."""
    facts = {(fact.passage, fact.start, fact.end) for fact in question.facts}
    if any(answer.regex or normalised(answer.text) in ("yes", "no") for answer in question.answers):
        return sorted(facts)
    found = []
    for i, text in enumerate(question.passages):
        answers = answer_spans(text, question.answers)
        sentences = [(i, start, end) for start, end in sentence_spans(text)]
        if any(not any(start <= a and b <= end for _, start, end in sentences) for a, b in answers):
            return []
        found += [
            (i, start, end)
            for _, start, end in sentences
            if any(start <= a and b <= end for a, b in answers)
            or any(passage == i and start < stop and begin < end for passage, begin, stop in facts)
        ]
    return found


def _hop(question: Question, rng: Random) -> list[Sentence]:
    """One supporting sentence without the answer, where another has it."""
    facts = [(fact.passage, fact.start, fact.end) for fact in question.facts]
    silent = [each for each in facts if not answer_spans(_said(question, each), question.answers)]
    return [rng.choice(silent)] if silent and len(silent) < len(facts) else []


def _said(question: Question, sentence: Sentence) -> str:
    i, start, end = sentence
    return question.passages[i][start:end]


def _removed(question: Question, sentences: Sequence[Sentence]) -> Iterator[Edit]:
    """A sentence goes with the white space behind it."""
    for i, start, end in sorted(sentences):
        text = question.passages[i]
        gap = len(text) - end - len(text[end:].lstrip())
        yield Edit(start, text[start : end + gap], "", "support removed", Place("passage", i))


def _other_entity(question: Question, tokens: Sequence[Token], rng: Random) -> tuple[Edit, ...]:
    passages = plain(" ".join(question.passages))
    found = list(names_altered(question.text, question.answers, tokens, rng))
    for one in sorted(found, key=lambda one: one.kind):  # names before numbers
        before = question.text[one.start : one.end]
        if plain(before) in passages and plain(one.after) not in passages:
            return (Edit(one.start, before, one.after, "entity exchanged", QUESTION),)
    return ()

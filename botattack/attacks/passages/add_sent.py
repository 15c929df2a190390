"""A sentence that nearly answers the question, added to a passage (Jia and Liang 2017; the papers' AddSent). Pure;
English and Persian."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from botattack.attacks.building.advice import PASSAGES
from botattack.attacks.building.choosing import PerQuestion
from botattack.attacks.building.clauses import labels
from botattack.attacks.building.guard import batches
from botattack.attacks.building.stretches import Alteration, altered
from botattack.attacks.fakes.answers import fake_answer, shortest_gold, spoken
from botattack.attacks.fakes.pool import Faking
from botattack.attacks.passages.alterations import kinds_altered, names_altered
from botattack.attacks.passages.other_questions import asks_another
from botattack.attacks.passages.reading import Where, answer_tokens, golds_of, holding, parses, sentence_edit
from botattack.attacks.passages.reasoning_chain.relations import relations_altered
from botattack.attacks.passages.statements.readable import readable, says
from botattack.attacks.passages.statements.statement import statement
from botattack.attacks.persian import fakes as persian
from botattack.attacks.persian import statements as persian_statements
from botattack.model import Question, Token, Variant, edited
from botattack.options import Count
from botattack.places import PlaceKind
from botattack.protocols import Attack, Context, Needing, Proposals
from botattack.text.parse_need import parse
from botattack.text.tokens import normalised

_RELATIONS = 3
"""Words that relate that are tried, each alone, where altered names and numbers make no statement."""
Made = Needing[list[tuple[str, str]]]
"""Yields Needs, is sent their results, returns statements with their fake answers."""


@dataclass(frozen=True)
class AddSent(Faking, PerQuestion, Attack):
    """Adds a sentence to the passage: an altered question with a fake answer (AddSent of Jia and Liang 2017; reasoning
    chain 3.2; Persian QA, "AddSent").

    "What is the capital of France?" with the answer Paris adds "The capital of Norway is Chicago." to the passage that
    has the answer. This does not change the right answer: a right bot answers as before. The fake answer is the
    variant's decoy.

    Every name and number of the question that a rule can alter is altered; where none can, or that makes no statement,
    one word that relates becomes its opposite or another of a list, or one noun another of its kind, but none that says
    what is asked for ("the currency of Oslo"). The fake answer is of the type
    of the shortest gold answer; in one that is no name or number a noun becomes another of its kind, or a word its
    opposite. Both become a statement by rules over the parse, which is parsed again. A question that no rule alters,
    whose answer has no fake, or whose statement is not readable has no variant; so has one in which a name or title
    that stays says what is asked for. Decided here: a fake answer is one to a question of the set that asks for the
    same, else a name from elsewhere in the passages, else from lists, and other names are from lists, where the papers
    take the nearest vector, invented ones where the type is not sure; other nouns are from lists by WordNet's kinds;
    further variants alter one thing each.

    A Persian question has one thing altered: a name, as another of its type; without a name a word that a list has
    others of its kind for. Decided here: the list is our own, where the paper masks a noun or an adjective and asks a
    model, and the statement is made by rules, where the paper translates into English and back.
    """

    name: ClassVar[str] = "add-sent"
    plain: ClassVar[str] = "Misleading sentences in a passage"
    advice: ClassVar[str] = PASSAGES
    languages: ClassVar[frozenset[str] | None] = frozenset({"en", "fa"})
    uses: ClassVar[tuple[str, ...]] = ("parse", "thesaurus", "inflection", "speller")
    edits: ClassVar[frozenset[PlaceKind]] = frozenset({"passage"})

    per_question: Count = 1
    """How many sentences are tried, each alone."""
    at: Where = "end"
    """Where the sentence is put in the passage: at the `end`, as in the papers, at the `beginning`, or between two
    sentences at `random`."""

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = context.question
        if not question.passages or not shortest_gold(question):
            return 0
        made = self._persian(question, rng) if question.language == "fa" else (yield from self._english(context, rng))
        variants = [self._variant(question, sentence, fake, rng) for sentence, fake in made]
        yield from batches(variants)
        return len(variants)

    def _persian(self, question: Question, rng: Random) -> list[tuple[str, str]]:
        made = []
        for change in persian.alterations(question, rng)[: self.per_question]:
            altered_question = altered(question.text, [change])
            fake = persian.fake_answer(question, rng, altered_question, self.others)
            sentence = persian_statements.statement(altered_question, fake)
            if sentence:
                made.append((sentence, fake))
        return made

    def _english(self, context: Context, rng: Random) -> Made:
        question, parts = context.question, context.parts
        text = " ".join(question.text.split())
        tokens = yield from parse(text, question.lang, entities=True)
        answer = yield from answer_tokens(question)
        if _is_clause(answer):
            return []
        found = sorted(names_altered(text, question.answers, tokens, rng))
        hop = {*range(len(tokens))} - labels(tokens)
        relating = relations_altered(tokens, hop, parts)
        words = (*relating[:_RELATIONS], *kinds_altered(tokens, parts, rng))
        choices = [*_choices(found), *((one,) for one in words)]
        chosen = [some for some in choices if asks_another(tokens, some)]
        of = yield from parses([altered(text, some) for some in chosen], question.lang)
        made: list[tuple[str, str]] = []
        for some in chosen:
            if len(made) == self.per_question:
                break
            other = altered(text, some)
            fake = fake_answer(question, tokens, answer, rng, beside=other, others=self.others, parts=parts)
            put = spoken(question, fake, answer)
            sentence = statement(other, of[other], put, parts["inflection"]) if fake else ""
            if not any(says(sentence, one.after) for one in some):  # it would answer what is asked
                continue
            read = (yield from parses([sentence], question.lang))[sentence]
            polar = normalised(fake) in ("yes", "no")  # no word of an affirmed or negated question
            golds = [] if polar else golds_of(question)
            if readable(sentence, read, parts, asked=other, answer="" if polar else put, golds=golds):
                made.append((sentence, fake))
        return made

    def _variant(self, question: Question, sentence: str, fake: str, rng: Random) -> Variant:
        edits = (sentence_edit(question, holding(question), sentence, self.at, rng),)
        return Variant(edited(question.turns, edits), self.name, edits, distance=len(edits[0].after), decoy=fake)


def _is_clause(answer: Sequence[Token]) -> bool:
    """Whether an answer has a verb of its own, which stands in no sentence as a name does: "to break their vows"."""
    inner = (i for i, token in enumerate(answer) if token.head != i)
    acts = len(answer) > 1 and answer[0].tag in ("TO", "VB") and answer[0].text.islower()
    return acts or any(answer[i].relation in ("nsubj", "nsubjpass") for i in inner)


def _choices(found: Sequence[Alteration]) -> Iterator[tuple[Alteration, ...]]:
    """All alterations together, then each alone."""
    if found:
        yield tuple(found)
        yield from ((one,) for one in found if len(found) > 1)

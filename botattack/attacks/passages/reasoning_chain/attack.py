"""A sentence that changes one hop of a question and keeps its names, added to every passage (reasoning chain 2). Pure;
English."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Literal

import msgspec

from botattack.attacks.building.advice import PASSAGES
from botattack.attacks.building.composed_edits import variant_of
from botattack.attacks.building.parsed import related
from botattack.attacks.fakes.answers import fake_answer, shortest_gold, spoken
from botattack.attacks.passages.alterations import Alteration, altered, names_altered
from botattack.attacks.passages.other_questions import asks_another
from botattack.attacks.passages.reading import Where, answer_tokens, golds_of, parses, sentence_edit
from botattack.attacks.passages.reasoning_chain.graph import graph_of, near
from botattack.attacks.passages.reasoning_chain.hops import Hop, Plan, plan_of, same_name
from botattack.attacks.passages.reasoning_chain.relations import relations_altered
from botattack.attacks.passages.statements.readable import readable, says
from botattack.attacks.passages.statements.statement import statement
from botattack.model import Need, Question, Token
from botattack.options import Count
from botattack.places import PlaceKind
from botattack.protocols import ENGLISH, Attack, Context, Proposals
from botattack.text.parse_need import parse

Asking = Generator[Sequence[Need], Sequence[Any], Any]


@dataclass(frozen=True)
class ReasoningChain(Attack):
    """Adds to every passage a sentence that is the question with one hop changed and a fake answer (reasoning chain 2).

    "What island is located 808 nmi northwest of the capital of Hawaii?" adds "Zanzibar is located 808 nmi northwest of
    the southeast of Hawaii." Names stay, so the sentence resembles both the question and its passages. It does not
    answer the question: a right bot answers as before. The fake answer is the variant's decoy.

    The passages become a graph: names are joined where one sentence has both. The shortest path from a name of the
    question to the answer is its chain; of several names, the one with most hops is where it starts. What is changed
    depends on the reasoning, which is the `kind` of an edit: of a `bridging` question one hop; of an `intersection`,
    whose names each lead to the answer, one drawn at random; a `comparative` one gets the competitor that loses;
    `yes/no` is affirmed if the answer is yes, negated if it is no, and has no decoy. A noun, adjective or verb
    becomes its opposite, else a noun its nearest vector of the same form and another stem, else the numbers of the hop
    others, else its names.

    Decided here: the paper trains models for the filter, the hops and the reasoning; here the filter counts names and
    words, and a hop is the smallest phrase with a name that says how something relates to it. A neighbour must be a
    kind of the same thing, but none within two steps, and both must be persons, things that can be seen, or places;
    verbs and adjectives have none, as those near them mostly say the same. A word changes only where every name of the
    question depends on it, and becomes one that people write next to its neighbours. A hop in which nothing can change
    leaves the change to the other. A question whose change does not reach the sentence, or whose sentence is not
    readable once it is parsed again, has no variant."""

    name: ClassVar[str] = "reasoning-chain"
    plain: ClassVar[str] = "Fake reasoning steps in passages"
    advice: ClassVar[str] = PASSAGES
    languages: ClassVar[frozenset[str] | None] = ENGLISH
    per_question: ClassVar[int] = 1
    edits: ClassVar[frozenset[PlaceKind]] = frozenset({"passage"})

    hop: Hop = "first"
    """Which hop of a bridging question changes: `first`, as in the paper, `second`, or `both`, which is also for an
    intersection."""
    words: Count = 1
    """How many words of a hop change at most, opposites first, then those with the nearest neighbour. The paper changes
    all; more than one or two rarely make a readable sentence."""
    change: Literal["relations", "entities"] = "relations"
    """What changes: words that relate, or, for comparison, every name of the question."""
    at: Where = "random"
    """Where the sentence is put in each passage: between two sentences at `random`, at the `beginning` or the `end`."""

    def parts(self) -> tuple[str, ...]:
        near = ("neighbours",) if self.change == "relations" else ()
        return ("parse", "thesaurus", "inflection", "speller", *near)

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = context.question
        if not question.passages or not shortest_gold(question):
            return 0
        tokens = yield from related(self.name, question, _spaced(question), entities=True)
        plan = yield from self._plan(msgspec.structs.replace(question, text=_spaced(question)), tokens)
        changes = (yield from self._changes(context, tokens, plan, rng)) if plan else ()
        if not plan or not changes:
            return 0
        fake, said = yield from self._said(context, tokens, plan, changes, rng)
        if not said:
            return 0
        edits = tuple(
            msgspec.structs.replace(sentence_edit(question, i, said, self.at, rng), kind=plan.reasoning)
            for i in range(len(question.passages))
        )
        yield [variant_of(question, self.name, edits, decoy=fake)]
        return 1

    def _plan(self, question: Question, tokens: Sequence[Token]) -> Asking:
        read = near(question)
        needs = [Need("parse", {"text": question.passages[i], "lang": question.lang, "entities": True}) for i in read]
        parsed = yield needs
        return plan_of(question, tokens, graph_of(question, dict(zip(read, parsed, strict=True))))

    def _changes(self, context: Context, tokens: Sequence[Token], plan: Plan, rng: Random) -> Asking:
        if self.change == "entities":
            return list(names_altered(_spaced(context.question), context.question.answers, tokens, rng))
        hops = plan.attacked(self.hop, rng)
        decided = plan.competitors and plan.reasoning in ("comparative", "yes/no")
        compared = plan.competitors.tokens if plan.competitors and decided else frozenset[int]()
        found = yield from self._changed_in(context, tokens, hops, compared, rng)
        if not found and len(hops) == 1:
            rest = [{*plan.first, *plan.second} - hops[0]]
            found = yield from self._changed_in(context, tokens, rest, compared, rng)
        if not found:
            apart = [hop - {*compared} for hop in ({*plan.first}, {*plan.second})]
            found = next(filter(None, (_altered_in(context, tokens, hop, "name", rng) for hop in apart)), [])
        return sorted(found)

    def _changed_in(
        self,
        context: Context,
        tokens: Sequence[Token],
        hops: Sequence[Collection[int]],
        compared: Collection[int],
        rng: Random,
    ) -> Asking:
        found: list[Alteration] = []
        for hop in hops:
            changes = yield from relations_altered(tokens, hop, context.parts, compared)
            found += changes[: self.words] or _altered_in(context, tokens, hop, "number", rng)
        return found

    def _said(
        self, context: Context, tokens: Sequence[Token], plan: Plan, changes: Sequence[Alteration], rng: Random
    ) -> Asking:
        """The decoy and the statement; "" where a change does not come to stand in it."""
        question = context.question
        other = altered(_spaced(question), changes)
        others = yield from parse(other, question.lang, entities=True)
        if plan.reasoning == "yes/no":
            decoy, answer = "", shortest_gold(question)
        elif plan.competitors and plan.reasoning == "comparative":
            one, second = plan.competitors.one, plan.competitors.other
            decoy = answer = second if same_name(shortest_gold(question), one) else one
        else:
            parsed = yield from answer_tokens(question)
            decoy = answer = fake_answer(question, tokens, parsed, rng, beside=other)
        put = spoken(question, answer, (yield from answer_tokens(question))) if decoy else answer
        said = statement(other, others, put, context.parts["inflection"]) if answer else ""
        kept = any(one.kind == "name" for one in changes) or _in_their_place(tokens, others, changes)
        if not said or not kept or not all(says(said, one.after) for one in changes):
            return decoy, ""
        read = yield from parses([said], question.lang)
        golds = golds_of(question) if decoy else []
        fits = readable(said, read[said], context.parts, asked=other, answer=put if decoy else "", golds=golds)
        return decoy, said if fits else ""


def _altered_in(
    context: Context, tokens: Sequence[Token], hop: Collection[int], kind: Literal["name", "number"], rng: Random
) -> list[Alteration]:
    """The names or numbers of a hop exchanged, but for numbers of a range, where they do not only describe what is
    named."""
    question = context.question
    inside = {tokens[i].start for i in hop}
    found = [
        one
        for one in names_altered(_spaced(question), question.answers, tokens, rng)
        if one.kind == kind and all(t.start in inside for t in tokens if one.start <= t.start < one.end)
    ]
    ranges = kind == "number" and {token.text.lower() for token in tokens} & {"from", "between"}
    return found if not ranges and asks_another(tokens, found) else []


def _in_their_place(tokens: Sequence[Token], others: Sequence[Token], changes: Sequence[Alteration]) -> bool:
    """Whether the altered question has its words where the question had them, as far as both have as many."""
    if len(tokens) != len(others):
        return True
    at = [i for i, token in enumerate(tokens) if any(one.start <= token.start < one.end for one in changes)]
    return all(tokens[i].relation == others[i].relation and tokens[i].pos == others[i].pos for i in at)


def _spaced(question: Question) -> str:
    """The question with single spaces."""
    return " ".join(question.text.split())

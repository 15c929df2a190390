"""A sentence that changes one hop of a question and keeps its names, added to every passage (reasoning chain 2). Pure;
English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any, ClassVar, Literal, NamedTuple

import msgspec

from botattack.attacks.building.advice import PASSAGES
from botattack.attacks.building.clauses import BE
from botattack.attacks.building.composed_edits import variant_of
from botattack.attacks.building.stretches import Alteration, altered
from botattack.attacks.fakes.answers import fake_answer, shortest_gold, spoken
from botattack.attacks.passages.alterations import names_altered
from botattack.attacks.passages.reading import Where, answer_tokens, golds_of, parses, sentence_edit
from botattack.attacks.passages.reasoning_chain.graph import graph_of, near
from botattack.attacks.passages.reasoning_chain.hops import Hop, Plan, plan_of, same_name
from botattack.attacks.passages.reasoning_chain.relations import relations_altered
from botattack.attacks.passages.statements.readable import readable, says
from botattack.attacks.passages.statements.statement import statement
from botattack.model import Question, Token, Variant
from botattack.options import Count
from botattack.places import PlaceKind
from botattack.protocols import ENGLISH, Attack, Context, Needing, PartsByName, Proposals
from botattack.text.parse_need import parse

TRIES = 8
"""Changes that are tried until a sentence can be read."""
_CHANGED = {"relations": "relation changed", "entities": "entity changed"}
Asking = Needing[Any]


class _Asked(NamedTuple):
    """A question with single spaces, as it is read."""

    question: Question
    parts: PartsByName
    tokens: Sequence[Token]
    plan: Plan


@dataclass(frozen=True)
class ReasoningChain(Attack):
    """Adds to every passage a sentence that is the question with one hop changed and a fake answer (reasoning chain 2).

    "What island is located 808 nmi northwest of the capital of Hawaii?" adds "Zanzibar is located 808 nmi northwest of
    the port of Hawaii." Names stay, so the sentence resembles both the question and its passages. It does not
    answer the question: a right bot answers as before. The fake answer is the variant's decoy.

    The passages become a graph: names are joined where one sentence has both. The shortest path from a name of the
    question to the answer is its chain; of several names, the one with most hops is where it starts. What is changed
    depends on the reasoning: of a `bridging` question one hop; of an `intersection`, whose names each lead to the
    answer, one drawn at random; a `comparative` one gets the competitor that loses; `yes/no` is affirmed if the answer
    is yes, negated if it is no, and has no decoy. The `kind` of an edit is this and what changed: "bridging, relation
    changed". Entities change only if `change` says so.

    A noun, adjective or verb becomes its opposite, else a word near it that stands in the same places and says
    something else. Decided here: such words are listed (`relations.yaml`, in which the nearest vector comes first),
    since most of the nearest vectors say the same or make no sense in its place. Nouns come first, and a word that only
    describes a name that stays ("the comedy Big Stone Gap") is left. A hop in which nothing can change leaves the
    change to the other. The paper trains models for the filter, the hops and the reasoning; here the filter counts
    words, and a hop is the smallest phrase with a name that says how something relates to it. A question whose change
    does not reach the sentence, or whose sentence is not readable or has another main verb once it is parsed again, has
    no variant.
    """

    name: ClassVar[str] = "reasoning-chain"
    plain: ClassVar[str] = "Fake reasoning steps in passages"
    advice: ClassVar[str] = PASSAGES
    languages: ClassVar[frozenset[str] | None] = ENGLISH
    uses: ClassVar[tuple[str, ...]] = ("parse", "thesaurus", "inflection", "speller")
    per_question: ClassVar[int] = 1
    edits: ClassVar[frozenset[PlaceKind]] = frozenset({"passage"})

    hop: Hop = "first"
    """Which hop of a bridging question changes: `first`, as in the paper, `second`, or `both`, which is also for an
    intersection."""
    words: Count = 1
    """How many words of a hop change at most, opposites first. The paper changes
    all; more than one or two rarely make a readable sentence."""
    change: Literal["relations", "entities"] = "relations"
    """What changes: words that relate, or, for comparison, every name of the question."""
    at: Where = "random"
    """Where the sentence is put in each passage: between two sentences at `random`, at the `beginning` or the `end`."""

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = msgspec.structs.replace(context.question, text=" ".join(context.question.text.split()))
        if not question.passages or not shortest_gold(question):
            return 0
        tokens = yield from parse(question.text, question.lang, entities=True)
        read = near(question)
        parsed = yield from parses([question.passages[i] for i in read], question.lang)
        plan = plan_of(question, tokens, graph_of(question, {i: parsed[question.passages[i]] for i in read}))
        if not plan:
            return 0
        asked = _Asked(question, context.parts, tokens, plan)
        tries = self._tries(asked, rng)
        for changes in tries[:TRIES]:
            fake, said = yield from _said(asked, changes, rng)
            if said:
                yield [self._variant(context.question, f"{plan.reasoning}, {_CHANGED[self.change]}", said, fake, rng)]
                return 1
        return 0

    def _variant(self, question: Question, kind: str, said: str, fake: str, rng: Random) -> Variant:
        each = [sentence_edit(question, i, said, self.at, rng) for i in range(len(question.passages))]
        edits = tuple(msgspec.structs.replace(edit, kind=kind) for edit in each)
        return variant_of(question, self.name, edits, decoy=fake)

    def _tries(self, asked: _Asked, rng: Random) -> list[list[Alteration]]:
        """What may change, the best first: words of the hops that are attacked, then of the others."""
        question, parts, tokens, plan = asked
        if self.change == "entities":
            changes = list(names_altered(question.text, question.answers, tokens, rng))
            return [changes] if changes else []
        compared = plan.competitors.tokens if plan.competitors else frozenset[int]()
        hops = plan.attacked(self.hop, rng)
        every = (*hops, {*plan.first, *plan.second}.difference(*hops))
        *attacked, others = [relations_altered(tokens, hop, parts, compared) for hop in every]
        return [*_together(attacked, self.words), *_together([others], self.words)]


def _together(found: Sequence[Sequence[Alteration]], words: int) -> Iterator[list[Alteration]]:
    """So many changes of each hop at once, in the order of the changes; each word once."""
    for n in range(max(map(len, found))):
        rest = (one[min(n, len(one) - 1) :] for one in found if one)
        yield [each for one in rest for each in list({c.start: c for c in reversed(one)}.values())[::-1][:words]]


def _said(asked: _Asked, changes: Sequence[Alteration], rng: Random) -> Asking:
    """The decoy and the statement; "" where a change does not come to stand in it."""
    question, parts, tokens, plan = asked
    gold, competitors = shortest_gold(question), plan.competitors
    other = altered(question.text, changes)
    parsed = yield from answer_tokens(question)
    if plan.reasoning == "yes/no":
        decoy, put = "", gold
    elif competitors and plan.reasoning == "comparative":
        decoy = put = competitors.other if same_name(gold, competitors.one) else competitors.one
        other = altered(question.text, [*changes, Alteration(*competitors.stretch, "", "competitors")])
    else:
        decoy = fake_answer(question, tokens, parsed, rng, beside=other)
        put = spoken(question, decoy, parsed)
    others = yield from parse(other, question.lang, entities=True)
    said = statement(other, others, put, parts["inflection"]) if put else ""
    if not said or not all(says(said, one.after) for one in changes) or not _in_their_place(tokens, others, changes):
        return decoy, ""
    read = (yield from parses([said], question.lang))[said]
    golds = golds_of(question) if decoy else []
    fits = readable(said, read, parts, asked=other, answer=put if decoy else "", golds=golds)
    turned = bool(decoy) and _verb(read, parts) != _verb(others, parts)
    return decoy, said if fits and not turned and not _torn(read) else ""


def _torn(tokens: Sequence[Token]) -> bool:
    """Whether a form of "be" stands behind a bare participle ("the king who made it born was") or in front of the
    second of two subjects, an adjective behind "will", or a subject behind its auxiliary."""
    helps = [(n, token.head) for n, token in enumerate(tokens) if token.relation in ("auxpass", "aux")]
    passive = {head for n, head in helps if n < head}
    turned = any(
        token.relation in ("nsubj", "nsubjpass") and any(head == token.head and n < i for n, head in helps)
        for i, token in enumerate(tokens)
    )
    return turned or any(
        (one.tag == "MD" and other.pos == "ADJ")
        or (
            other.text.lower() in BE
            and ((one.tag in ("VBN", "JJ") and n not in passive) or (one.tag == "CC" and other.relation != "conj"))
        )
        for n, (one, other) in enumerate(pairwise(tokens))
    )


def _verb(tokens: Sequence[Token], parts: PartsByName) -> str:
    """The lemma of the main verb."""
    root = next((token for token in tokens if tokens[token.head] is token and token.pos != "PUNCT"), tokens[0])
    return str(parts["inflection"].lemma(root.text, "VERB"))


def _in_their_place(tokens: Sequence[Token], others: Sequence[Token], changes: Sequence[Alteration]) -> bool:
    """Whether the altered question has its words where the question had them, as far as both have as many."""
    if len(tokens) != len(others):
        return True
    at = [i for i, token in enumerate(tokens) if any(one.start <= token.start < one.end for one in changes)]
    return all(tokens[i].relation == others[i].relation and tokens[i].pos == others[i].pos for i in at)

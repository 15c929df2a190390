"""What kind of reasoning a question asks for, and which of its words belong to which hop (reasoning chain 2.2). Pure;
English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Literal, NamedTuple

from botattack.attacks.building.clauses import clause_of
from botattack.attacks.building.parsed import below, body_of, entities_of
from botattack.attacks.fakes.answers import plain, shortest_gold
from botattack.attacks.passages.reading import title_of
from botattack.attacks.passages.reasoning_chain.graph import Chain, Graph
from botattack.model import Question, Token
from botattack.text.tokens import normalised

Reasoning = Literal["bridging", "intersection", "comparative", "yes/no"]
Hop = Literal["first", "second", "both"]
_REACHES = frozenset({"prep", "poss", "dobj", "pobj", "nsubj", "nsubjpass", "relcl", "acl", "agent", "attr"})
"""Relations that lead from a name to what is said of it; an apposition or a compound only says what it is."""


class Competitors(NamedTuple):
    """Two that are compared, and the tokens that name them."""

    one: str
    other: str
    tokens: frozenset[int]


class Plan(NamedTuple):
    """How a question reasons, and which tokens each hop of it has."""

    reasoning: Reasoning
    first: frozenset[int]
    second: frozenset[int]
    chain: Chain
    competitors: Competitors | None = None

    def attacked(self, hop: Hop, rng: Random) -> tuple[frozenset[int], ...]:
        """The tokens whose relation is to change; the hops of an intersection are equal, so that one is drawn."""
        if hop == "both" or self.reasoning in ("comparative", "yes/no"):
            return self.first, self.second
        if self.reasoning == "intersection":
            return (rng.choice([self.first, self.second]),)
        return (self.first if hop == "first" else self.second,)


def plan_of(question: Question, tokens: Sequence[Token], graph: Graph) -> Plan | None:
    """None if nothing is known of how the question reasons: it names nothing, or not what it compares."""
    gold, asked = normalised(shortest_gold(question)), _asked(question.text, tokens)
    free = frozenset(body_of(tokens)) - asked
    compared = competitors_of(tokens)
    if gold in ("yes", "no"):
        return Plan("yes/no", free - (compared.tokens if compared else frozenset()), frozenset(), (), compared)
    if question.kind != "bridge" and compared and any(same_name(gold, name) for name in (compared.one, compared.other)):
        return Plan("comparative", free - compared.tokens, frozenset(), (), compared)
    return _along_a_chain(question, tokens, graph, free)


def _along_a_chain(question: Question, tokens: Sequence[Token], graph: Graph, free: frozenset[int]) -> Plan | None:
    names = list(names_of(question, tokens))
    if not names:
        return None
    chains = {name: graph.chain(plain(name.text)) for name in names}
    start = max(names, key=lambda name: len(chains[name]))  # the one with most hops to the answer
    direct = [name for name in names if len(chains[name]) == 1]
    later = (
        {word for step in chains[start][1:] for word in step.relation} - {*chains[start][0].relation}
        if chains[start]
        else set()
    )
    whole = hop_of(tokens, start) & free
    first = frozenset(i for i in whole if tokens[i].text.lower() not in later) or whole
    if not first:
        return None
    if len(direct) > 1 and len(chains[start]) == 1:
        others = [hop for name in direct if (hop := hop_of(tokens, name) & free - first)]
        if others:
            return Plan("intersection", first, others[0], chains[start])
    return Plan("bridging", first, free - first, chains[start])


class Name(NamedTuple):
    text: str
    first: int
    last: int


def names_of(question: Question, tokens: Sequence[Token]) -> Iterator[Name]:
    """What a question names: titles of its passages, then what the parser takes for names."""
    lower, taken = question.text.casefold(), set[int]()
    titles = [title_of(text).partition("(")[0].strip() for text in question.passages]
    spans = [(lower.find(title.casefold()), len(title)) for title in sorted(set(titles), key=lambda t: (-len(t), t))]
    found = [(start, start + size) for start, size in spans if size and start >= 0]
    for start, end in [*found, *((start, end) for start, end, _ in entities_of(tokens))]:
        inside = [i for i, token in enumerate(tokens) if start <= token.start and token.end <= end]
        if inside and not taken & set(inside):
            taken |= set(inside)
            yield Name(question.text[start:end].removesuffix("'s"), inside[0], inside[-1])


def hop_of(tokens: Sequence[Token], name: Name) -> frozenset[int]:
    """The smallest phrase with a name that says how something relates to it: "the capital of Hawaii"."""
    at = next((i for i in range(name.first, name.last + 1) if not name.first <= tokens[i].head <= name.last), name.last)
    reached = False
    for _ in tokens:
        above = tokens[at].head
        if above == at:
            break
        reached = reached or tokens[at].relation in _REACHES
        at = above
        if reached and tokens[at].pos in ("NOUN", "VERB", "ADJ"):
            break
    inside = set(below(tokens, at)) if tokens[at].pos != "VERB" else _clause(tokens, at)
    return frozenset(inside) - frozenset(range(name.first, name.last + 1))


def _clause(tokens: Sequence[Token], verb: int) -> set[int]:
    """A verb with its particles and objects, but without the clauses around it."""
    kept = [
        i for i, token in enumerate(tokens) if token.head == verb and token.relation not in ("nsubj", "conj", "relcl")
    ]
    return {verb, *(i for head in kept if head != verb for i in below(tokens, head))}


def competitors_of(tokens: Sequence[Token]) -> Competitors | None:
    """The two that "and" or "or" joins, the last such pair of names first."""
    for i in reversed(body_of(tokens)):
        if tokens[i].text.lower() not in ("or", "and") or tokens[i].relation != "cc":
            continue
        one = tokens[i].head
        joined = [n for n, token in enumerate(tokens) if n > i and token.head == one and token.relation == "conj"]
        if not joined:
            continue
        left, right = _run(tokens, one, i), _run(tokens, joined[0], len(tokens))
        if left and right and left[-1] < i < right[0]:
            return Competitors(
                _said(tokens, left), _said(tokens, right), frozenset([*left, *range(left[-1] + 1, right[0]), *right])
            )
    return None


def _run(tokens: Sequence[Token], i: int, end: int) -> list[int]:
    """The words of a name around its head: names, numbers and what joins them."""
    inner = ("PROPN", "NUM", "ADP", "DET", "PART", "CCONJ", "SYM")
    first = last = i
    while first and (tokens[first - 1].pos == "PROPN" or tokens[first - 1].entity or tokens[first - 1].text in "'\""):
        first -= 1
    while (
        last + 1 < end
        and (tokens[last + 1].pos in inner or tokens[last + 1].entity)
        and tokens[last + 1].text
        not in (
            "and",
            "or",
        )
    ):
        last += 1
    while last > i and tokens[last].pos not in ("PROPN", "NUM", "NOUN") and not tokens[last].entity:
        last -= 1
    named = any(tokens[n].pos == "PROPN" or tokens[n].entity for n in range(first, last + 1))
    return list(range(first, last + 1)) if named else []


def _said(tokens: Sequence[Token], run: Sequence[int]) -> str:
    text = ""
    for i in run:
        text += " " * (tokens[i].start - tokens[i - 1].end if text else 0) + tokens[i].text
    return text


def same_name(one: str, other: str) -> bool:
    """Whether the words of one are among those of the other."""
    a, b = plain(one).split(), plain(other).split()
    return bool(a and b) and (set(a) <= set(b) or set(b) <= set(a))


def _asked(text: str, tokens: Sequence[Token]) -> frozenset[int]:
    clause = clause_of(text, tokens)
    return frozenset(clause.asked) if clause else frozenset()

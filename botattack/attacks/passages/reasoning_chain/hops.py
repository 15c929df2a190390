"""What kind of reasoning a question asks for, and which of its words belong to which hop (reasoning chain 2.2). Pure;
English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Literal, NamedTuple

from botattack.attacks.building.clauses import clause_of
from botattack.attacks.building.parsed import below, body_of, entities_of
from botattack.attacks.fakes.answers import plain, shortest_gold
from botattack.attacks.passages.alterations import COUNTED
from botattack.attacks.passages.reading import title_of
from botattack.attacks.passages.reasoning_chain.graph import Chain, Graph
from botattack.model import Question, Token
from botattack.text.tokens import normalised

Reasoning = Literal["bridging", "intersection", "comparative", "yes/no"]
Hop = Literal["first", "second", "both"]
_APART = frozenset([",", ":", "-", "–", "—"])
_REACHES = frozenset({"prep", "poss", "dobj", "pobj", "nsubj", "nsubjpass", "relcl", "acl", "agent", "attr"})
"""Relations that lead from a name to what is said of it; an apposition or a compound only says what it is."""


class Competitors(NamedTuple):
    """Two that are compared, and the tokens that name them."""

    one: str
    other: str
    tokens: frozenset[int]
    stretch: tuple[int, int] = (0, 0)
    """Where both stand in the question, with the marks around them."""


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
    compared = competitors_of(tokens, list(names_of(question, tokens)))
    if gold in ("yes", "no"):
        return Plan("yes/no", free - (compared.tokens if compared else frozenset()), frozenset(), (), compared)
    if compared and any(same_name(gold, name) for name in (compared.one, compared.other)):
        return Plan("comparative", free - compared.tokens, frozenset(), (), compared)
    return _along_a_chain(question, tokens, graph, free)


def _along_a_chain(question: Question, tokens: Sequence[Token], graph: Graph, free: frozenset[int]) -> Plan | None:
    names = list(names_of(question, tokens))
    if not names:
        return Plan("bridging", free, frozenset(), ()) if free else None
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
    """What a question names: titles of its passages, then what the parser takes for names, but no numbers."""
    lower, taken = question.text.casefold(), set[int]()
    titles = [title_of(text).partition("(")[0].strip() for text in question.passages]
    spans = [(lower.find(title.casefold()), len(title)) for title in sorted(set(titles), key=lambda t: (-len(t), t))]
    found = [(start, start + size) for start, size in spans if size and start >= 0]
    for start, end in [*found, *((start, end) for start, end, kind in entities_of(tokens) if kind not in COUNTED)]:
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


def competitors_of(tokens: Sequence[Token], names: Sequence[Name]) -> Competitors | None:
    """The two that "and" or "or" joins, with their articles, the last such pair of names first."""
    for i in reversed(body_of(tokens)):
        if tokens[i].text.lower() not in ("or", "and"):
            continue
        choices = _choices(tokens, i)
        left = choices[0] if choices else next((name for name in names if name.last == i - 1), None)
        right = choices[1] if choices else next((name for name in names if _first(tokens, name) == i + 1), None)
        if left and right:
            both = range(_first(tokens, left), right.last + 1)
            said = _said(tokens, range(both[0], i)), _said(tokens, range(i + 1, both[-1] + 1))
            return Competitors(*said, frozenset(both), _stretch(tokens, both))
    return None


def _choices(tokens: Sequence[Token], either: int) -> tuple[Name, Name] | None:
    """What stands on both sides of "or" up to a mark, if no verb does: "which band, Letters to Cleo or Screaming Trees,
    had"."""
    verbs = [n for n, token in enumerate(tokens) if token.pos in ("VERB", "AUX")]
    marks = [n for n in range(either) if tokens[n].text in _APART and not any(n < verb < either for verb in verbs)]
    body = body_of(tokens)
    end = next((n for n in body if n > either and tokens[n].text in _APART), body[-1] + 1)
    if tokens[either].text.lower() != "or" or not marks or any(either < verb < end for verb in verbs):
        return None
    return Name("", marks[0] + 1, either - 1), Name("", either + 1, end - 1)


def _first(tokens: Sequence[Token], name: Name) -> int:
    """The first word of a name, with its article."""
    return name.first - (name.first > 0 and tokens[name.first - 1].pos == "DET")


def _stretch(tokens: Sequence[Token], both: range) -> tuple[int, int]:
    """From the mark in front of two names to the mark behind them, or to the end if no verb is behind."""
    first, last = both[0], both[-1]
    first -= bool(first and tokens[first - 1].text in _APART)
    behind = [n for n in body_of(tokens) if n > last]
    if behind and any(tokens[n].pos in ("VERB", "AUX") for n in behind):
        last += tokens[behind[0]].text in _APART
    return tokens[first - 1].end if first else 0, tokens[last].end


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
    """The question phrase, which is not in the statement; what something is of is: "which dog's ancestors"."""
    clause = clause_of(text, tokens)
    asked = clause.asked if clause else ()
    mark = next((n for n, i in enumerate(asked) if tokens[i].tag == "POS"), len(asked))
    return frozenset(asked[:mark])

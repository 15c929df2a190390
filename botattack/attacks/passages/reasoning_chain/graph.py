"""A graph of the names in passages and of what relates them; the shortest way through it to an answer (reasoning chain
2.1). Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

from botattack.attacks.building.guard import answer_spans
from botattack.attacks.building.parsed import above, entities_of
from botattack.attacks.fakes.answers import plain
from botattack.attacks.passages.reading import title_of
from botattack.model import Question, Token
from botattack.text.languages import stem
from botattack.text.tokens import normalised
from botattack.text.word_lists import function_words

NEAR = 4
"""Passages that the graph is made of at most: the paper's filter leaves as few for 85 % of questions."""
_BEST = 3
"""Passages whose names lead to others: with 4, one passage with a fact fewer is kept where three are left."""
ANSWER = " answer "
"""The node of the answer: no name of a passage has this form."""


class Mention(NamedTuple):
    """A name as `plain` has it, and its token that the others of its sentence hang from."""

    name: str
    token: int


class Sentence(NamedTuple):
    """The mentions of a sentence: each two are joined by an edge."""

    passage: int
    tokens: Sequence[Token]
    mentions: tuple[Mention, ...]


class Step(NamedTuple):
    """An edge of a chain: from a name, by the lemmas between two mentions of one sentence."""

    name: str
    relation: tuple[str, ...]
    passage: int


Chain = tuple[Step, ...]


@dataclass(frozen=True)
class Graph:
    """The sentences that a name stands in."""

    sentences: Mapping[str, Sequence[Sentence]]

    def chain(self, name: str) -> Chain:
        """The steps of a shortest path from a name to the answer; none if there is no path."""
        came: dict[str, tuple[str, Sentence] | None] = {name: None}
        ahead = deque([name])
        while ahead and ANSWER not in came:
            at = ahead.popleft()
            for sentence in self.sentences.get(at, ()):
                for mention in sentence.mentions:
                    if mention.name not in came:
                        came[mention.name] = (at, sentence)
                        ahead.append(mention.name)
        steps: list[Step] = []
        last = ANSWER
        while (step := came.get(last)) is not None:
            steps.append(Step(step[0], _relation(step[1], step[0], last), step[1].passage))
            last = step[0]
        return tuple(reversed(steps))


def near(question: Question, most: int = NEAR) -> list[int]:
    """The passages that the answer may be found by (the paper's filter is a trained model): those that share most words
    with the question, each word weighing more the fewer passages have it. Having a title that the question says counts
    as much as all its words, having an answer half as much. A passage that one of the best names gets half of what that
    has, one that names it a quarter: there the other hop is."""
    texts = [plain(text) for text in question.passages]
    titles = [plain(title_of(text).partition("(")[0]) for text in question.passages]
    words = [set(map(stem, text.split())) for text in texts]
    asked = {stem(word) for word in plain(question.text).split() if word not in function_words()}
    in_so_many = {word: sum(word in each for each in words) for word in asked}
    weights = {word: log((len(texts) + 1) / count) for word, count in in_so_many.items() if count}
    said = sum(weights.values()) or 1
    named = _named(plain(question.text), titles)
    polar = any(normalised(answer.text) in ("yes", "no") for answer in question.answers)
    scores = [
        sum(weights[word] for word in weights.keys() & each) / said
        + (title in named)
        + (not polar and bool(answer_spans(text, question.answers))) / 2
        for text, title, each in zip(question.passages, titles, words, strict=True)
    ]
    said_by = [text.replace("'s ", " ") for text in texts]
    best = sorted(range(len(texts)), key=lambda i: -scores[i])[:_BEST]

    def linked(i: int) -> float:
        named = (scores[j] / 2 for j in best if j != i and titles[i].strip() and titles[i] in said_by[j])
        naming = (scores[j] / 4 for j in best if j != i and titles[j].strip() and titles[j] in said_by[i])
        return scores[i] + max((0, *named, *naming))

    return sorted(sorted(range(len(texts)), key=lambda i: -linked(i))[:most])


def _named(asked: str, titles: Iterable[str]) -> set[str]:
    """The titles that a text says; none inside a longer one."""
    found = set[str]()
    for title in sorted({*titles} - {""}, key=lambda title: (-len(title), title)):
        if title.strip() and title in asked:
            found.add(title)
            asked = asked.replace(title, " | ")
    return found


def graph_of(question: Question, parsed: Mapping[int, Sequence[Token]]) -> Graph:
    """The graph of passages, by their numbers, that are parsed with entities.

    A pronoun that is a subject stands for the passage's title, and so does the title of a sentence that does not name
    it.
    """
    found: dict[str, list[Sentence]] = {}
    for passage, tokens in parsed.items():
        for sentence in _sentences(question, passage, tokens):
            for mention in sentence.mentions:
                found.setdefault(mention.name, []).append(sentence)
    return Graph(found)


def _sentences(question: Question, passage: int, tokens: Sequence[Token]) -> Iterator[Sentence]:
    text = question.passages[passage]
    title = plain(title_of(text).partition("(")[0])
    roots = _roots(tokens)
    spans = [*entities_of(tokens), *((start, end, ANSWER) for start, end in answer_spans(text, question.answers))]
    found: dict[int, dict[str, int]] = {root: {} for root in dict.fromkeys(roots)}
    places = {token.start: i for i, token in enumerate(tokens)}
    for start, end, kind in spans:
        i = _top(tokens, places.get(start), end)
        if i is not None:
            name = ANSWER if kind == ANSWER else plain(text[start:end].removesuffix("'s"))
            found[roots[i]].setdefault(name, i)
    for i, token in enumerate(tokens):
        if token.tag == "PRP" and token.relation in ("nsubj", "nsubjpass") and title.strip():
            found[roots[i]].setdefault(title, i)
    for root, mentions in found.items():
        if title.strip():
            mentions.setdefault(title, root)
        if len(mentions) > 1:
            yield Sentence(passage, tokens, tuple(Mention(name, i) for name, i in mentions.items()))


def _roots(tokens: Sequence[Token]) -> list[int]:
    """The root that each token hangs below."""
    found: list[int] = []
    for i in range(len(tokens)):
        at, bound = i, len(tokens)
        while tokens[at].head != at and bound:
            at, bound = tokens[at].head, bound - 1
            if at < i:
                at = found[at]
                break
        found.append(at)
    return found


def _top(tokens: Sequence[Token], first: int | None, end: int) -> int | None:
    """The token of a stretch that hangs from outside it."""
    if first is None:
        return None
    last = first
    while last + 1 < len(tokens) and tokens[last + 1].end <= end:
        last += 1
    inside = range(first, last + 1)
    return next((i for i in inside if tokens[i].head == i or tokens[i].head not in inside), first)


def _relation(sentence: Sentence, one: str, other: str) -> tuple[str, ...]:
    """The nouns, verbs and adjectives on the way from one mention to another."""
    places = dict(sentence.mentions)
    up, down = above(sentence.tokens, places[one]), above(sentence.tokens, places[other])
    shared = set(up) & set(down)
    meet = next((i for i in up if i in shared), up[-1])
    way = [*up[1 : up.index(meet) + 1], *(i for i in down[1:] if i not in shared)]
    return tuple(
        sentence.tokens[i].lemma or sentence.tokens[i].text.lower()
        for i in way
        if sentence.tokens[i].pos in ("NOUN", "VERB", "ADJ")
    )

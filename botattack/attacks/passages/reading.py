"""Which passage and which of its sentences hold the answer, and a sentence put among them. Pure."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from random import Random
from typing import Literal

import msgspec

from botattack.attacks.building.guard import answer_spans
from botattack.attacks.fakes.answers import shortest_gold
from botattack.model import Edit, Need, Question, Token
from botattack.places import Place
from botattack.protocols import Needing
from botattack.text.parse_need import parse
from botattack.text.sentences import sentence_spans

Where = Literal["end", "beginning", "random"]
"""Where in a passage a sentence is put: at its `end`, its `beginning`, or between two sentences at `random`."""
Span = tuple[int, int]


def holding(question: Question) -> int:
    """The number of the passage that holds the answer: that of a fact with the answer's words, else the first passage
    with them, else that of the first fact, else the last passage."""
    with_answer = [i for i, text in enumerate(question.passages) if answer_spans(text, question.answers)]
    facts = [fact.passage for fact in question.facts]
    return next((i for i in facts if i in with_answer), (*with_answer, *facts, len(question.passages) - 1)[0])


def answer_sentence(question: Question) -> Span | None:
    """Where, in the passage that holds the answer, the sentence with its words is; a fact before any other. None
    without a passage."""
    if not question.passages:
        return None
    number = holding(question)
    text = question.passages[number]
    facts = [(fact.start, fact.end) for fact in question.facts if fact.passage == number]
    for start, end in (*facts, *sentence_spans(text)):
        if answer_spans(text[start:end], question.answers):
            return start, end
    return None


def answer_tokens(question: Question) -> Generator[Sequence[Need], Sequence[object], Sequence[Token]]:
    """The shortest gold answer as it is parsed, with entities, in the sentence of its passage, else alone."""
    span, gold = answer_sentence(question), shortest_gold(question)
    sentence = question.passages[holding(question)][slice(*span)] if span else gold
    tokens = yield from parse(sentence, question.lang, entities=True)
    start = sentence.casefold().find(gold.casefold())
    inside = [i for i, token in enumerate(tokens) if start <= token.start < start + len(gold)] if start >= 0 else []
    first = inside[0] if inside else 0
    found = [  # relations are those inside the answer
        msgspec.structs.replace(tokens[i], head=(tokens[i].head if tokens[i].head in inside else i) - first)
        for i in inside
    ]
    return found or (yield from parse(gold, question.lang, entities=True))


def parses(texts: Sequence[str], lang: str) -> Needing[Mapping[str, Sequence[Token]]]:
    """Each text as it is parsed, with entities."""
    needs = [Need("parse", {"text": text, "lang": lang, "entities": True}) for text in dict.fromkeys(texts)]
    parsed = (yield needs) if needs else ()
    return {need.payload["text"]: tokens for need, tokens in zip(needs, parsed, strict=True)}


def golds_of(question: Question) -> list[str]:
    """The gold answers that are no patterns."""
    return [answer.text for answer in question.answers if not answer.regex]


def title_of(passage: str) -> str:
    """What stands before the first colon of a passage, if that is at most eight words in capitals but for short ones;
    else ""."""
    title, colon, _ = passage.partition(":")
    named = colon and len(title.split()) <= 8 and "\n" not in title
    return title if named and not any(word[:1].islower() and len(word) > 3 for word in title.split()) else ""


def sentence_edit(question: Question, passage: int, sentence: str, at: Where, rng: Random) -> Edit:
    """The edit that adds a sentence to a passage; a title stays in front."""
    text = question.passages[passage]
    title = title_of(text)
    behind_title = len(title) + 1 if title else 0
    starts = [behind_title + start for start, _ in sentence_spans(text[behind_title:])]
    start = (
        len(text)
        if at == "end" or not starts
        else starts[0]
        if at == "beginning"
        else rng.choice(starts[1:] or [len(text)])
    )
    behind = start == len(text)
    gap = "" if behind and text[-1:].isspace() else " "
    return Edit(
        start, "", f"{gap}{sentence}" if behind else f"{sentence} ", "added sentence", Place("passage", passage)
    )

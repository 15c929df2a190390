"""An extractive reader in this process: it answers with words of the passages it is sent, found by the words they share
with the question.

It knows no language: what a word weighs follows from the sentences it is in, and the word lists of botattack say which
words ask and which carry no content. It reads any script that puts spaces between words. An answer depends on nothing
but the question and the passages. It names the sentences it read in the field `sources`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from math import log
from typing import Literal, NamedTuple

from botattack.text.folding import folded
from botattack.text.languages import codes, language, stem
from botattack.text.sentences import sentence_spans
from botattack.text.tokens import Word, words

REFUSAL = "Sorry, I do not know that."
"""What it says where no passage has to do with the question."""
Kind = Literal["number", "time", "name", "yes or no", "any"]
RANKED = 10
_READ = 3
"""Sentences that answers are taken from."""
_LONGEST = 8
"""Words of an answer."""
_ENOUGH = 0.2
"""The share of the question's weight that a sentence must have before it is read at all."""
_ALSO = 0.1
"""The same of a sentence that has what the first lacks."""
_CONTEXT = 0.4
"""What a word of the question is worth elsewhere in a sentence's passage, compared with one in the sentence."""
_HELD = 2.0
"""What it is worth that its sentence has all words of the question, compared with all of them beside the answer."""
_LENGTHS = 0.05
"""What a second and a third word of an answer are worth."""
_FITTING = 1.5
"""What an answer of the kind asked for is worth, compared with all words of the question beside it."""
_ASKED: Mapping[str, Kind] = {
    "who": "name", "where": "name", "which": "name", "when": "time", "how_many": "number", "polar": "yes or no",
}  # fmt: skip
_JOINS = frozenset(["of", "the", "de", "von", "van"])
"""Function words that stand inside names, whatever language the passage is in."""
_YEAR = re.compile(r"\d{3,4}")
_BREAK = re.compile(r"[^\w\s'’.\u200c-]|\.\s")


class Reading(NamedTuple):
    """A sentence of a passage: its words by stem, and which of them carry content."""

    passage: int
    text: str
    words: tuple[Word, ...]
    stems: tuple[str, ...]
    content: frozenset[str]


class ReadAnswer(NamedTuple):
    """A possible answer and how good it is."""

    score: float
    text: str
    sentence: Reading


def answer(text: str, passages: Sequence[str]) -> dict[str, object]:
    """The likeliest answer, the next ones as `ranked`, and as `fields.sources` the sentences that were read for it."""
    question, kind = _content(text), asked_for(text)
    sentences = [sentence for number, passage in enumerate(passages) for sentence in _sentences(passage, number)]
    weights = _weights(question, sentences)
    best = _best(weights, sentences)
    if not best:
        return {"text": REFUSAL}
    beside = _beside(weights, best[0], sentences)
    needed = [*best[:1], *beside]
    if kind == "yes or no":
        every = set().union(*(sentence.content for sentence in needed))
        return _reply(["yes" if weights.keys() <= every else "no"], needed)
    found = sorted(_answers(kind, weights, [*needed, *best[1:]]), key=lambda one: -one.score)
    first = found[0].sentence if found else best[0]
    others = [sentence for sentence in needed if sentence.passage != first.passage]
    return _reply(list(dict.fromkeys(one.text for one in found)) or [first.text], [first, *others])


def _reply(ranked: list[str], read: Sequence[Reading]) -> dict[str, object]:
    sources = list(dict.fromkeys(sentence.text for sentence in read))
    return {"text": ranked[0], "ranked": ranked[:RANKED], "fields": {"sources": sources}}


def asked_for(text: str) -> Kind:
    """What kind of answer a question wants, by its first question word and what is behind it."""
    found = [folded(word.text) for word in words(text)]
    asking, nouns = _asking(), _nouns()
    for i, word in enumerate(found):
        kind = asking.get(word, "")
        if kind == "polar" and i:
            continue  # "What is …" asks what
        if kind:
            behind = found[i + 1 : i + 3]
            noun = next((nouns[other] for other in behind if other in nouns), None)
            many = "how_many" in [asking.get(other) for other in behind[:1]]
            return "number" if many else noun or _ASKED.get(kind, "any")
    return "any"


@cache
def _asking() -> Mapping[str, str]:
    return {word: kind for code in reversed(codes()) for word, kind in language(code).questions.items()}


@cache
def _nouns() -> Mapping[str, Kind]:
    """What other words behind a question word ask for."""
    known = (language(code).asked_nouns for code in reversed(codes()))
    return {noun: "time" if kind == "time" else "number" for nouns in known for noun, kind in nouns.items()}


@cache
def _empty() -> frozenset[str]:
    """Words without content, in any language."""
    return frozenset().union(*(language(code).function_words for code in codes())) | _asking().keys()


@lru_cache(1 << 16)
def _stem(word: str) -> str:
    """What words are compared by; "" of one without content."""
    bare = folded(word)
    return "" if bare in _empty() else stem(bare)


def _content(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(bare for word in words(text) if (bare := _stem(word.text))))


@lru_cache(4096)
def _sentences(passage: str, number: int) -> tuple[Reading, ...]:
    return tuple(_reading(passage[start:end], number) for start, end in sentence_spans(passage))


def _reading(text: str, passage: int) -> Reading:
    found = tuple(words(text))
    stems = tuple(_stem(word.text) for word in found)
    return Reading(passage, text, found, stems, frozenset(stems) - {""})


def _weights(question: Sequence[str], sentences: Sequence[Reading]) -> dict[str, float]:
    """What each word of the question weighs: the fewer sentences have it, the more. One that none has weighs as much as
    the rarest."""
    common = Counter(stem for sentence in sentences for stem in sentence.content)
    return {stem: log(1 + len(sentences) / max(1, common[stem])) for stem in question}


def _best(weights: Mapping[str, float], sentences: Sequence[Reading]) -> list[Reading]:
    """The sentences that share most with the question, best first; none if none shares enough."""
    around: dict[int, set[str]] = {}
    for sentence in sentences:
        around.setdefault(sentence.passage, set()).update(sentence.content)
    scores = [
        _shared(weights, sentence.content) + _CONTEXT * _shared(weights, around[sentence.passage] - sentence.content)
        for sentence in sentences
    ]
    order = sorted(range(len(sentences)), key=lambda i: -scores[i])
    enough = _ENOUGH * sum(weights.values())
    return [sentences[i] for i in order[:_READ] if scores[i] > enough]


def _shared(weights: Mapping[str, float], content: frozenset[str] | set[str]) -> float:
    return sum(weight for stem, weight in weights.items() if stem in content)


def _beside(weights: Mapping[str, float], first: Reading, sentences: Sequence[Reading]) -> list[Reading]:
    """The sentence of another passage that has most of what the first lacks, if that is much: the other hop."""
    lacking = {stem: weight for stem, weight in weights.items() if stem not in first.content}
    others = [sentence for sentence in sentences if sentence.passage != first.passage]
    best = max(others, key=lambda sentence: _shared(lacking, sentence.content), default=None)
    much = best is not None and _shared(lacking, best.content) > _ALSO * sum(weights.values())
    return [best] if best is not None and much else []


def _answers(kind: Kind, weights: Mapping[str, float], read: Sequence[Reading]) -> Iterator[ReadAnswer]:
    """Runs of words of the sentences that are not in the question; what stands near the question's words is better."""
    total = sum(weights.values()) or 1.0
    for sentence in read:
        held = _shared(weights, sentence.content) / total
        asked = [(i, weights[stem] / total) for i, stem in enumerate(sentence.stems) if stem in weights]
        for first, last in _runs(sentence, weights):
            said = sentence.text[sentence.words[first].start : sentence.words[last].end]
            near = sum(weight / (1 + (first - i if i < first else i - last)) for i, weight in asked)
            score = _HELD * held + near + _FITTING * _fits(kind, said, first) + _LENGTHS * min(last - first, 2)
            yield ReadAnswer(score, said, sentence)


def _runs(sentence: Reading, weights: Mapping[str, float]) -> Iterator[tuple[int, int]]:
    """First and last word of each run that no mark, no word of the question and no word without content breaks, but for
    those inside names; of numbers also the number alone."""
    start: int | None = None
    for i, word in enumerate(sentence.words):
        stem = sentence.stems[i]
        breaks = i > 0 and _BREAK.search(sentence.text, sentence.words[i - 1].end, word.start + 1) is not None
        out = stem in weights or (not stem and word.text not in _JOINS)
        if start is not None and (breaks or out):
            yield from _trimmed(sentence, start, i - 1)
            start = None
        if start is None and not out and stem:
            start = i
    if start is not None:
        yield from _trimmed(sentence, start, len(sentence.words) - 1)


def _trimmed(sentence: Reading, first: int, last: int) -> Iterator[tuple[int, int]]:
    """A run without words of names at its end, the names in it, and the numbers."""
    while last > first and not sentence.stems[last]:
        last -= 1
    yield first, min(last, first + _LONGEST - 1)
    named: int | None = None
    for i in range(first, last + 2):
        text = sentence.words[i].text if i <= last else ""
        if text[:1].isdecimal() and first < last:
            yield i, i
        capital = text[:1].isupper() or (text[:1].isdecimal() and named is not None)
        if named is not None and not capital and text not in _JOINS:
            end = next(j for j in range(i - 1, -1, -1) if sentence.stems[j])
            if (named, end) != (first, last):
                yield named, end
            named = None
        if named is None and text[:1].isupper():
            named = i


def _fits(kind: Kind, said: str, first: int) -> float:
    """Whether an answer is of a kind, from 0 to 1."""
    digits = sum(char.isdecimal() for char in said) / len(said)
    if kind == "number":
        return min(1.0, 0.7 * (digits > 0) + 0.3 * digits) - 0.3 * bool(_YEAR.fullmatch(said))
    if kind == "time":
        return 0.4 * (digits > 0) + 0.4 * bool(_YEAR.search(said)) + 0.2 * digits
    if kind == "name":
        cased = [word[:1].isupper() for word in said.split()]
        bare = said.upper() == said.lower()  # a script without capitals says nothing
        return float(bare) if bare or digits else sum(cased) / len(cased) - 0.2 * (first == 0)
    return 0.1 * (not digits) + 0.15 * (first > 0 and said[:1].isupper())

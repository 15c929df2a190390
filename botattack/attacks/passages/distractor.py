"""A passage from elsewhere that is nearer and nearer to the question: how near must a distractor be? Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log, sqrt
from random import Random
from typing import ClassVar, Literal

from botattack.attacks.building.advice import PASSAGES
from botattack.attacks.building.composed_edits import variant_of
from botattack.attacks.building.drawn_rows import WithOthers
from botattack.attacks.building.guard import answer_spans, batches
from botattack.attacks.building.parsed import entities_of
from botattack.attacks.fakes.answers import plain, shortest_gold
from botattack.attacks.passages.reading import answer_tokens, holding
from botattack.model import Edit, Need, Question, Token, Variant
from botattack.options import Some
from botattack.places import Place, PlaceKind
from botattack.protocols import ENGLISH, Attack, Context, Proposals
from botattack.text.parse_need import parse
from botattack.text.tokens import normalised, words

Rung = Literal["random", "topic", "name", "answer"]
KINDS: Mapping[Rung, str] = {
    "random": "random passage",
    "topic": "same topic",
    "name": "shares a name",
    "answer": "other answer of the kind",
}
"""What the edits of each rung are called."""
_NEAR = 200
"""Passages, the nearest first, among which those that share a name are looked for."""
_DRAWN = 50
"""Passages that are drawn by chance until one fits."""
_LONG = 4
"""Letters of a word that is a name by itself."""
_LOOKED_AT = 8
"""Passages, the nearest first, that are parsed for another answer."""
_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
_YEAR = re.compile(r"1\d{3}|20\d{2}")
_NAMED = frozenset({"PERSON", "GPE", "ORG", "NORP", "EVENT", "WORK_OF_ART", "PRODUCT", "LANGUAGE", "NAME"})


class Pool:
    """Distinct passages, in their order."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = tuple(dict.fromkeys(texts))

    def nearest(self, text: str) -> list[int]:
        """The numbers of the passages that share a word with a text, those that share most first: a word counts the
        more, the fewer passages have it, and the less, the longer the passage is."""
        scores: defaultdict[int, float] = defaultdict(float)
        for word, times in _counted(text).items():
            held = self._index.get(word, ())
            weight = log(len(self.texts) / len(held)) * sqrt(times) if held else 0.0
            for number in held:
                scores[number] += weight
        ranked = {number: score / sqrt(1 + len(self.texts[number])) for number, score in scores.items() if score}
        return sorted(ranked, key=lambda number: (-ranked[number], number))

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """The passages as `fakes.plain` has them."""
        return tuple(map(plain, self.texts))

    @cached_property
    def _index(self) -> dict[str, list[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, text in enumerate(self.texts):
            for word in _counted(text):
                found[word].append(number)
        return dict(found)


def _counted(text: str) -> Counter[str]:
    return Counter(word.text for word in words(normalised(text)))


@dataclass(frozen=True)
class Distractor(WithOthers, Attack):
    """Adds one passage from elsewhere that does not answer the question: in steps, to see how similar a distractor must
    be to break the bot (Jia and Liang 2017 add sentences that are near by design; these are real passages).

    The rungs, each a variant: a `random` passage; one on the same `topic`, the nearest by words to the question and the
    passage that answers it; one that shares a `name` with the question; one that shares a name and also holds another
    `answer` of the kind asked for, which is the decoy. Each rung leaves out what a higher one would take. No passage
    contains the words of a gold answer or belongs to the question already: a right bot answers as before.

    The passages are those of the other questions of the set, or of a file of questions. Decided here: of the kind asked
    for is a year for a year, a number for a number, else a name that the parser takes for the same type; an answer of
    no known kind has no such rung.
    """

    name: ClassVar[str] = "distractor"
    plain: ClassVar[str] = "Unrelated passages"
    one_of_each: ClassVar[str] = "rungs"
    advice: ClassVar[str] = PASSAGES
    uses: ClassVar[tuple[str, ...]] = ("parse",)
    edits: ClassVar[frozenset[PlaceKind]] = frozenset({"added passage"})

    rungs: Some[Rung] = ("random", "topic", "name", "answer")
    """How similar the passage is: each is a variant."""
    at: Literal["first", "last", "random"] = "last"
    """Where the passage is put among the others: before them, behind them, or anywhere."""

    @cached_property
    def _pool(self) -> Pool:
        return Pool(text for other in self.others for text in other.passages)

    @property
    def languages(self) -> frozenset[str] | None:  # names are known in English alone
        return ENGLISH if {"name", "answer"} & {*self.rungs} else None

    def propose(self, context: Context, rng: Random) -> Proposals:
        question, pool = context.question, self._pool
        if not question.passages or not shortest_gold(question):
            return 0
        asked = yield from parse(question.text, question.lang, entities=True)
        answer = yield from answer_tokens(question)
        about = f"{question.text} {question.text} {question.passages[holding(question)]}"  # the question counts twice
        near = [number for number in pool.nearest(about)[:_NEAR] if is_free(pool.texts[number], question)]
        names = _names(question, asked)
        sharing = [number for number in near if any(name in pool.plain[number] for name in names)]
        with_name, with_answer, decoy = yield from _apart(question, pool, sharing[:_LOOKED_AT], answer)
        apart = next((number for number in near if number not in set(sharing)), None)
        taken = {*sharing, apart}
        drawn = rng.sample(range(len(pool.texts)), min(_DRAWN, len(pool.texts)))
        free = (number for number in drawn if number not in taken and is_free(pool.texts[number], question))
        found: Mapping[Rung, int | None] = {
            "random": next(free, None),
            "topic": apart,
            "name": with_name,
            "answer": with_answer,
        }
        chosen = [(rung, number) for rung in self.rungs if (number := found[rung]) is not None]
        variants = {
            variant.id: variant
            for rung, number in chosen
            for variant in [self._variant(question, rung, pool.texts[number], decoy if rung == "answer" else "", rng)]
        }
        yield from batches(variants.values())
        return len(variants)

    def _variant(self, question: Question, rung: Rung, text: str, decoy: str, rng: Random) -> Variant:
        count = len(question.passages)
        index = {"first": 0, "last": count}.get(self.at, rng.randint(0, count))
        edits = (Edit(0, "", text, KINDS[rung], Place("added passage", index)),)
        return variant_of(question, self.name, edits, decoy=decoy)


def is_free(text: str, question: Question) -> bool:
    """Whether a passage is none of the question's and has no gold answer in it."""
    return text not in question.passages and not answer_spans(text, question.answers)


def _names(question: Question, asked: Sequence[Token]) -> set[str]:
    """The names of the question, and their words that are long enough to be names by themselves."""
    found = {question.text[start:end] for start, end, kind in entities_of(asked) if kind in _NAMED}
    found |= {token.text for token in asked if token.pos == "PROPN" and len(token.text) >= _LONG}
    return {plain(name) for name in found}


def _apart(
    question: Question, pool: Pool, numbers: Sequence[int], answer: Sequence[Token]
) -> Generator[Sequence[Need], Sequence[object], tuple[int | None, int | None, str]]:
    """The first of passages that holds no other answer of the kind asked for, the first that does, and that answer."""
    without = holds = None
    decoy = ""
    for number in numbers:
        if without is not None and holds is not None:
            break
        other = yield from _other_answer(question, pool.texts[number], answer)
        if other and holds is None:
            holds, decoy = number, other
        elif not other and without is None:
            without = number
    return without, holds, decoy


def _other_answer(
    question: Question, text: str, answer: Sequence[Token]
) -> Generator[Sequence[Need], Sequence[object], str]:
    """What a passage holds that is of the kind asked for and no gold answer; "" if nothing is, or the kind is not
    known."""
    gold, asked = shortest_gold(question), plain(question.text)
    kind = next((kind for _, _, kind in entities_of(answer) if kind in _NAMED), "")
    said: Sequence[str] = ()
    if any(char.isdecimal() for char in gold):
        said = (_YEAR if _YEAR.search(gold) else _NUMBER).findall(text)
    elif kind:
        tokens = yield from parse(text, question.lang, entities=True)
        said = [text[start:end] for start, end, other in entities_of(tokens) if other == kind]
    return next((one for one in said if plain(one) not in asked and plain(one) != plain(gold)), "")

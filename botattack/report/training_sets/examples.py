"""Which questions and variants of a run may be trained on: a fold over its cases.

Only variants count whose meaning is what their attack claims, judged against gold answers, and that nobody marked. The
questions of the other half, and their words, never get in.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import nsmallest
from typing import Literal, NamedTuple, get_args

import msgspec

from botattack.attacks.building.guard import answer_spans
from botattack.cases import QuestionCase, VariantCase
from botattack.events import VariantJudged
from botattack.model import CONTROL, EMITTED, Expect, Prompt, Question, content_id
from botattack.report.report_files import ReportError
from botattack.text.languages import language, language_of
from botattack.text.tokens import normalised, words

_ALIKE, _OF = 9, 10
"""Twins have nine tenths of their words of content in common (Dice's coefficient); whole numbers are exact."""

Content = frozenset[str]


@lru_cache(64)
def _empty(lang: str) -> frozenset[str]:
    known = language(lang)
    return frozenset().union(known.function_words, known.fillers, known.stop_words, known.courtesies)


def content_words(text: str, lang: str) -> Content:
    """The words that carry what a text says, without case, order, punctuation and politeness; all if none does."""
    said = {normalised(word.text) for word in words(text)}
    return frozenset(said - _empty(lang) or said)


class Twins:
    """Texts known by their words of content, and the groups they are in: twins, and twins of twins."""

    def __init__(self, texts: Iterable[Content]) -> None:
        texts = set(texts)
        self._seldom = Counter(word for text in texts for word in text)
        self._by_word: defaultdict[str, list[Content]] = defaultdict(list)
        self._leader: dict[Content, Content] = {}
        for text in texts:
            self._leader[text] = text
            for twin in self.of(text):
                self._leader[self.leader(twin)] = self.leader(text)
            for word in self._first_words(text):
                self._by_word[word].append(text)

    def of(self, text: Content) -> Iterator[Content]:
        """The known texts that are twins of one, itself among them if it is known."""
        for one in {one for word in self._first_words(text) for one in self._by_word.get(word, ())}:
            if 2 * _OF * len(text & one) >= _ALIKE * (len(text) + len(one)):
                yield one

    def groups(self) -> Iterator[list[Content]]:
        """Every known text, in the group it belongs to."""
        found: defaultdict[Hashable, list[Content]] = defaultdict(list)
        for text in self._leader:
            found[self.leader(text)].append(text)
        return iter(found.values())

    def leader(self, text: Content) -> Content:
        """The same for all texts of a group."""
        while (up := self._leader[text]) != text:
            self._leader[text] = text = self._leader[up]
        return text

    def _first_words(self, text: Content) -> list[str]:
        """The rarest words, so many that every twin has one of them: with a twin that has no other words, a text shares
        9 of 11 of its own."""
        shared = -(-len(text) * _ALIKE // (2 * _OF - _ALIKE))
        return sorted(text, key=lambda word: (self._seldom[word], word))[: len(text) - shared + 1]


Half = Literal["train", "test", "all"]
_OTHER: Mapping[Half, Half] = {"train": "test", "test": "train"}
_NO_VARIANT = "no variant"
"""Why what was only looked at, or asked unchanged again, is left out: no command shows it."""
Unfit = Callable[[Question, Prompt], str]
"""Why a format cannot hold a question in these words; empty if it can."""


def anything(question: Question, prompt: Prompt) -> str:
    """That a format holds everything."""
    del question, prompt
    return ""


@dataclass(frozen=True)
class Order:
    """What is exported. `share` is how many variants are added to each 100 questions, from each attack: the questions
    are drawn by `seed`. `per_attack` is how many variants of a drawn question each attack gives; `originals` is whether
    unchanged questions are there, too. With `lang`, only questions in that language are."""

    share: float
    changed: bool
    """Whether variants are taken that are meant to change the answer."""
    unfit: Unfit
    variants: bool
    """Whether variants are taken at all: else none is left out."""
    seed: int = 0
    half: Half = "train"
    per_attack: int = 1
    originals: bool = True
    lang: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.share, int | float) or not 0 <= self.share <= 1:
            raise ReportError(f"share is {self.share!r}; write a number from 0 to 1")
        for name, least in (("per_attack", 1), ("seed", 0)):
            if getattr(self, name) < least:
                raise ReportError(f"{name} is {getattr(self, name)}; write {least} or more")
        if self.half not in get_args(Half):
            raise ReportError(f"half is {self.half!r}; write {', '.join(get_args(Half))}")


class Example(NamedTuple):
    """A question as it was asked: unchanged or, with an `attack`, as a variant. With another `expect` than "same", the
    answers to the question are wrong for it."""

    question: Question
    prompt: Prompt
    unit: str
    attack: str = ""
    result: str = ""
    expect: Expect = "same"

    @property
    def answers(self) -> tuple[str, ...]:
        return plain_answers(self.question)


class Group(NamedTuple):
    """A question with the variants that were drawn of it."""

    original: Example
    variants: tuple[Example, ...]


@dataclass
class Survey:
    """What must be known of all questions before the first is exported."""

    order: Order
    halves: Halves
    known: dict[str, str]
    """The question, through whatever door, that has these words, of either half."""
    kept: dict[str, str] = field(default_factory=dict)
    """The key of each question of this half that can be exported, by its id."""
    drawable: list[str] = field(default_factory=list)
    """Those with a variant that can be exported."""
    languages: set[str] = field(default_factory=set)
    left_out: Counter[str] = field(default_factory=Counter)
    """What is left out, by why."""
    held: int = 0
    """Questions of the other half."""

    @property
    def keys(self) -> Counter[str]:
        """How many questions have each key."""
        return Counter(self.kept.values())

    def drawn(self) -> frozenset[str]:
        """The questions whose variants are exported: a share of all questions, drawn among those that have some."""
        number = round(self.order.share * len(self.kept))
        return frozenset(nsmallest(number, self.drawable, key=lambda name: content_id("drawn", self.order.seed, name)))


class Halves:
    """The half each question belongs to. It depends on words of content alone, and questions with nearly the same ones
    are in one half: a bot that learnt a question by heart is not tested with its twin. Reworded twins may be parted."""

    def __init__(self, questions: Iterable[Question]) -> None:
        self._twins = Twins(map(_content, questions))
        self._of = {one: half for group in self._twins.groups() for half in [_drawn_half(group)] for one in group}

    def __call__(self, question: Question) -> Half:
        return self._of[_content(question)]

    def has_twin(self, text: str, lang: str, half: Half) -> bool:
        """Whether a question of that half has nearly the same words."""
        return any(self._of[twin] == half for twin in self._twins.of(content_words(text, lang)))


def _content(question: Question) -> Content:
    return content_words(question.text, question.language or language_of(question.text))


def _drawn_half(group: list[Content]) -> Half:
    return "test" if int(min(content_id("halves", *sorted(one)) for one in group), 16) % 2 else "train"


def survey(cases: Iterable[QuestionCase], order: Order) -> Survey:
    """Reads all questions once."""
    known, read = dict[str, str](), dict[str, tuple[Question, str, bool]]()
    for case in cases:
        question, base = case.question, case.question.base
        twin = known.setdefault(_words(question.prompt), base) != base
        why = _unfit(case, order) or "another one has the same words" * twin
        # Words of another question are looked for once all questions are known.
        fit = any(not _variant_unfit(question, variant, order) for variant in case.variants)
        # Of several doors the first counts that gives most: a question is one, and its variants are the same.
        if base not in read or (not why, fit) > (not read[base][1], read[base][2]):
            # Passages are most of a question, and no longer needed.
            read[base] = msgspec.structs.replace(question, passages=(), facts=(), masked=question.id), why, fit
    found = Survey(order, Halves(question for question, _, _ in read.values()), known)
    for question, why, fit in read.values():
        if order.half not in ("all", found.halves(question)):
            found.held += 1
        elif why:
            found.left_out[f"question: {why}"] += 1
        elif order.lang in ("", question.language):
            found.kept[question.id] = question.key
            found.languages.add(question.language)
            found.drawable += [question.id] * fit
    return found


def groups(cases: Iterable[QuestionCase], found: Survey) -> Iterator[Group]:
    """The questions that are exported, each with its variants. No two examples have the same words."""
    drawn, seen = found.drawn(), set[str]()
    for case in cases:
        if case.question.id in found.kept:
            original = _original(case)
            seen.add(_exactly(original.prompt))
            fit = [*_fit(case, found)] if found.order.variants else []
            taken = _taken(case, fit, found.order, seen) if case.question.id in drawn else ()
            yield Group(original, tuple(taken))


def _unfit(case: QuestionCase, order: Order) -> str:
    """Why a question cannot be exported; empty if it can."""
    question = case.question
    if case.number < 0:
        return "the recording has lost its text"
    if question.masked:
        return "a secret in it was masked"
    if question.earlier:
        return "it is the end of a dialogue"
    if case.left_out:
        return "it is marked"
    return order.unfit(question, question.prompt) if plain_answers(question) else "it has no answer in plain text"


def plain_answers(question: Question) -> tuple[str, ...]:
    """The gold answers that a bot can be taught to say."""
    return tuple(answer.text for answer in question.answers if not answer.regex)


def _original(case: QuestionCase) -> Example:
    question, result = case.question, case.original.standing if case.original else ""
    return Example(question, question.prompt, case.unit, "", result)


def _fit(case: QuestionCase, found: Survey) -> Iterator[VariantCase]:
    """The variants that can be exported; counts the others."""
    marked = [one for one in case.marked if one.left_out and isinstance(one.judged, VariantJudged)]
    if marked:
        found.left_out["variant: it is marked, or readers call it another question"] += len(marked)
    for variant in case.variants:
        why = _variant_unfit(case.question, variant, found.order) or _taken_already(case, variant, found)
        if not why:
            yield variant
        elif why != _NO_VARIANT:
            found.left_out[f"variant: {why}"] += 1


def _variant_unfit(question: Question, variant: VariantCase, order: Order) -> str:
    judged, sent = variant.judged, variant.alteration.sent
    if judged.probe or judged.search not in EMITTED or judged.attack == CONTROL:
        return _NO_VARIANT
    if not judged.claimed:
        return "its meaning is not surely what its attack claims"
    if judged.reference != "gold":
        return "it was compared with the bot's own reply"
    if judged.expect != "same" and not order.changed:
        return "it is meant to change the answer"
    if judged.play is not None or len(sent) != 1:
        return "it is a conversation of several turns, or lost"
    return order.unfit(question, sent[0]) or "its passages no longer have the answer" * _lacks_answer(question, variant)


def _lacks_answer(question: Question, variant: VariantCase) -> bool:
    """Whether passages had the answer and now nothing in the variant has: who learns that answer learns to invent."""
    (sent,) = variant.alteration.sent
    there = (sent.text, *sent.passages, *(turn.text for turn in sent.history))
    had, has = (any(answer_spans(text, question.answers) for text in texts) for texts in (question.passages, there))
    return variant.judged.expect == "same" and had and not has


def _taken_already(case: QuestionCase, variant: VariantCase, found: Survey) -> str:
    prompt, question, half = variant.alteration.sent[0], case.question, found.order.half
    if found.known.get(_words(prompt), question.base) != question.base:
        return "it has the words of another question"
    other = half != "all" and found.halves.has_twin(prompt.text, question.language, _OTHER[half])
    return "it has nearly the words of a question of the other half" * other


def _taken(case: QuestionCase, fit: list[VariantCase], order: Order, seen: set[str]) -> Iterator[Example]:
    """The variants that are drawn, so many of each attack."""
    taken: Counter[str] = Counter()
    for variant in sorted(fit, key=lambda one: (one.judged.attack, content_id("variant", order.seed, one.judged.unit))):
        judged, prompt = variant.judged, variant.alteration.sent[0]
        name = _exactly(prompt)
        if taken[judged.attack] < order.per_attack and name not in seen:
            seen.add(name)
            taken[judged.attack] += 1
            yield Example(case.question, prompt, judged.unit, judged.attack, judged.result, judged.expect)


def _exactly(prompt: Prompt) -> str:
    return content_id(prompt.text, prompt.passages, prompt.history)


def _words(prompt: Prompt) -> str:
    """The same for texts that differ in case and spaces alone."""
    return content_id(" ".join(prompt.text.casefold().split()), prompt.passages, prompt.history)

"""Which questions and variants of a run may be trained on: a fold over its cases.

Only variants count whose meaning is what their attack claims, judged against gold answers, and that nobody marked. The
questions of the other half, and their words, never get in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import Literal, NamedTuple, get_args

from botattack.cases import QuestionCase, VariantCase
from botattack.events import OriginalJudged, VariantJudged
from botattack.model import EMITTED, Expect, Prompt, Question, content_id
from botattack.report.figures.figure_values import CONTROL
from botattack.report.report_files import ReportError
from botattack.text.languages import language, language_of
from botattack.text.tokens import normalised, words

Half = Literal["train", "test", "all"]
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
    seed: int = 0
    half: Half = "train"
    per_attack: int = 1
    originals: bool = True
    lang: str = ""
    changed: bool = False
    """Whether variants are taken that are meant to change the answer."""
    unfit: Unfit = anything

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
    known: dict[str, str] = field(default_factory=dict)
    """The question that has these words, of either half."""
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


def half_of(question: Question) -> Half:
    """The half a question belongs to. It depends on its words of content alone, in any order and case: two questions
    that differ in punctuation, politeness or function words are in one half, so that a bot which learnt one by heart is
    not tested with the other. Misspelt and reworded twins may still be parted."""
    known = language(question.language or language_of(question.text))
    empty = {*known.function_words, *known.fillers, *known.stop_words}
    said = {normalised(word.text) for word in words(question.text)}
    return "test" if int(content_id("halves", *sorted(said - empty or said)), 16) % 2 else "train"


def survey(cases: Iterable[QuestionCase], order: Order) -> Survey:
    """Reads all questions once."""
    found = Survey(order)
    for case in cases:
        question = case.question
        elsewhere = order.half not in ("all", half_of(question))
        why = "" if elsewhere else _unfit(case, order) or _again(question, found)
        found.known.setdefault(_words(question.prompt), question.id)
        found.held += elsewhere
        if why:
            found.left_out[f"question: {why}"] += 1
        elif not elsewhere and order.lang in ("", question.language):
            found.kept[question.id] = question.key
            found.languages.add(question.language)
            # Words of another question are looked for once all questions are known.
            if any(not _variant_unfit(question, variant, order) for variant in case.variants):
                found.drawable.append(question.id)
    return found


def groups(cases: Iterable[QuestionCase], found: Survey) -> Iterator[Group]:
    """The questions that are exported, each with its variants. No two examples have the same words."""
    drawn, seen = found.drawn(), set[str]()
    for case in cases:
        if case.question.id in found.kept:
            original = _original(case)
            seen.add(_exactly(original.prompt))
            fit = [*_fit(case, found)]
            taken = _taken(case, fit, found.order, seen) if case.question.id in drawn else ()
            yield Group(original, tuple(taken))


def _again(question: Question, found: Survey) -> str:
    return "another one has the same words" if _words(question.prompt) in found.known else ""


def _unfit(case: QuestionCase, order: Order) -> str:
    """Why a question cannot be exported; empty if it can."""
    question = case.question
    if case.number < 0:
        return "the recording has lost its text"
    if question.masked:
        return "a secret in it was masked"
    if question.earlier:
        return "it is the end of a dialogue"
    if any(one.left_out and isinstance(one.judged, OriginalJudged) for one in case.marked):
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
    return order.unfit(question, sent[0])


def _taken_already(case: QuestionCase, variant: VariantCase, found: Survey) -> str:
    owner = found.known.get(_words(variant.alteration.sent[0]), case.question.id)
    return "" if owner == case.question.id else "it has the words of another question"


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

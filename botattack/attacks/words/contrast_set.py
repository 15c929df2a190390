"""Asks what another question of the file asks in the same words but for one name or number. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations, product
from random import Random
from typing import ClassVar

from botattack.attacks.building.advice import DETAILS
from botattack.attacks.building.choosing import PerQuestion
from botattack.attacks.building.composed_edits import variant_of
from botattack.attacks.building.drawn_rows import WithOthers
from botattack.attacks.building.guard import answer_spans, batches
from botattack.attacks.turns.carry_over import fits
from botattack.model import Edit, Expect, Question, Variant
from botattack.options import Count
from botattack.protocols import Attack, Context, Proposals
from botattack.text.languages import language
from botattack.text.tokens import Word, normalised, words

LONGEST = 3
"""Words of a stretch that differs: longer ones are other questions that begin alike, as reading them showed."""
# Tried: what reword's list makes of another question, with that question's answer. Of 10,170 questions of ten sets
# that have no twin, 122 got one (0 of 293 of an FAQ), and some of these ask for something else ("play" and "sing").
_LOOKED_AT = 50
"""Questions of one frame that are looked at: there may be thousands."""
Frame = tuple[int, int]


class Frames:
    """Questions by what is left of them without one stretch of words, their frame: as many look-ups as words find all
    that differ in one. A beginning and an end of a sentence are numbers, the same for the same words."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self._numbers: dict[tuple[int, str], int] = {}
        self._questions = questions
        found: defaultdict[Frame, list[int]] = defaultdict(list)
        for number, each in enumerate(questions):
            for _, _, frame in self._frames(each.language, _words(each)):
                found[frame].append(number)
        self._found = {frame: numbers for frame, numbers in found.items() if len(numbers) > 1}

    def _frames(self, lang: str, said: Sequence[Word]) -> Iterator[tuple[int, int, Frame]]:
        """Where a stretch starts and ends, in words, and its frame; the shortest first."""
        plain, small = [normalised(word.text) for word in said], _small(lang)
        begins, ends = self._walked(f"{lang} begins", plain), self._walked(f"{lang} ends", plain[::-1])[::-1]
        for long in range(1, min(LONGEST, len(said) - 2) + 1):
            for start in range(len(said) - long + 1):
                end = start + long
                if 2 * long <= len(said) and not small.intersection(plain[start:end]):
                    yield start, end, (begins[start], ends[end])

    def _walked(self, root: str, plain: Sequence[str]) -> list[int]:
        numbers = [0]
        for word in (root, *plain):
            numbers.append(self._numbers.setdefault((numbers[-1], word), len(self._numbers) + 1))
        return numbers[1:]

    def contrasts(self, question: Question, rng: Random) -> Iterator[tuple[Question, Edit]]:
        """Other questions that differ in one stretch, each with the edit that puts theirs into this one; those of the
        shortest stretch first, in random order."""
        said = _words(question)
        for start, end, frame in self._frames(question.language, said):
            numbers = self._found.get(frame, ())
            for other in map(self._questions.__getitem__, rng.sample(numbers, min(len(numbers), _LOOKED_AT))):
                theirs = _words(other)
                mine, its = said[start:end], theirs[start : len(theirs) - len(said) + end]
                if _differ(mine, its) and _is_known(other, question):
                    before, after = _text(question, mine), _text(other, its)
                    yield other, Edit(mine[0].start, before, after, _kind(before, after))


def _words(question: Question) -> list[Word]:
    """The words that are no courtesy, so that "…, please?" stands in the way of nothing."""
    polite = _polite(question.language)
    return [word for word in words(question.text) if normalised(word.text) not in polite]


def _text(question: Question, some: Sequence[Word]) -> str:
    return question.text[some[0].start : some[-1].end]


@lru_cache(64)
def _polite(lang: str) -> frozenset[str]:
    known = language(lang)
    return frozenset().union(known.courtesies, known.fillers) - known.function_words


@lru_cache(64)
def _small(lang: str) -> frozenset[str]:
    """Words that name nothing."""
    return language(lang).function_words.union(language(lang).stop_words)


def _differ(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Whether two stretches differ from their first word to their last, and are no two forms of one word, as "card" and
    "cards" are; "30" and "300" are not."""
    mine, its = ([normalised(word.text) for word in each] for each in (one, other))
    first, second = sorted(("".join(mine), "".join(its)), key=len)
    alike = second.startswith(first) and not any(map(str.isdecimal, second))
    return mine[0] != its[0] and mine[-1] != its[-1] and not alike


def _is_known(other: Question, question: Question) -> bool:
    """Whether the answers to two questions are surely different: none has one of the other question in it."""
    if question.earlier or (question.passages, question.history) != (other.passages, other.history):
        return False
    pairs = [*product(question.answers, other.answers)]
    read = bool(pairs) and not any(answer.regex for answer in (*question.answers, *other.answers))
    told = (answer_spans(one.text, (another,)) for pair in pairs for one, another in permutations(pair))
    return read and fits(other, question) and not any(told)


def _kind(before: str, after: str) -> str:
    named = before[:1].isupper() and after[:1].isupper()
    return "number" if any(map(str.isdecimal, before + after)) else "name" if named else "word"


@dataclass(frozen=True)
class ContrastSet(WithOthers, PerQuestion, Attack):
    """Asks what another question of the set asks in the same words but for one name, number or word: "What is the
    capital of Norway?" instead of France (contrast sets, Gardner et al. 2020).

    Nothing is made up: the other question is one of the set, and so is its answer. If the bot gives it, it held; only
    the old answer is a break; anything else is counted apart and enters no rate. Case, punctuation and courtesies do
    not matter. In a set of questions that all differ in more, none has a variant; the report says how many had one.

    Decided here: at most three words differ, none of them a function word, and at least as many are the same; no answer
    to one question contains an answer to the other, and the old one is not in what is asked; two forms of one word are
    no contrast, and a question with passages has one only among those with the same. The fewer words differ, the
    sooner it is asked. Works in languages that put spaces between words.
    """

    name: ClassVar[str] = "contrast-set"
    plain: ClassVar[str] = "Questions about something else"
    advice: ClassVar[str] = DETAILS.format("names, numbers and words")
    expect: ClassVar[Expect] = "different"

    per_question: Count = 3
    """How many variants of a question to take at most."""

    @cached_property
    def _frames(self) -> Frames:
        return Frames(self.others)

    def propose(self, context: Context, rng: Random) -> Proposals:
        found: dict[str, Variant] = {}
        for variant in self._variants(context.question, rng):
            found.setdefault(variant.id, variant)
            if len(found) == self.per_question:
                break
        yield from batches(found.values())
        return len(found) if len(found) < self.per_question else None

    def _variants(self, question: Question, rng: Random) -> Iterator[Variant]:
        for other, edit in self._frames.contrasts(question, rng):
            why = f"{edit.before!r} became {edit.after!r}, of which the set knows the answer"
            yield variant_of(
                question, self.name, (edit,), expect="different", meaning="changed", why=why, right=other.answers
            )

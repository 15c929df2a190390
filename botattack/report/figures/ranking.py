"""Figures of ranked candidates, of single answers and of searches, for one question: pure functions from 0 to 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from botattack.cases import QuestionCase
from botattack.events import Asked, VariantJudged
from botattack.model import Edit, GoldAnswer, Prompt, Reply
from botattack.report.figures.sources import Sent, harmonic, sources_of, support

DEPTHS = (1, 5, 10)
"""The k of R@k."""
_NOTHING = Prompt("")
_YES_OR_NO = frozenset(("yes", "no", "noanswer"))


def exact_match(reply: str, answers: tuple[GoldAnswer, ...], language: str = "en") -> float:
    """1 where the reply is a gold answer by SQuAD's evaluation script, or is all that a pattern finds."""
    from botattack.matchers.forms import squad_form
    from botattack.matchers.lexical import Exact

    said = squad_form(reply, language)
    if any(squad_form(answer.text, language) == said for answer in answers if not answer.regex):
        return 1.0
    patterns = tuple(answer for answer in answers if answer.regex)
    return float(bool(patterns) and Exact().judge(_NOTHING, Reply(reply), patterns, ()).kind == "correct")


class Overlap(NamedTuple):
    """How many words a reply and a gold answer have in common, and how many either has."""

    common: float = 0
    said: int = 1
    gold: int = 1

    @property
    def precision(self) -> float:
        return self.common / self.said

    @property
    def recall(self) -> float:
        return self.common / self.gold

    @property
    def f1(self) -> float:
        """SQuAD's F1, rounded as its evaluation script does."""
        return 2 * self.precision * self.recall / (self.precision + self.recall) if self.common else 0.0


def overlap(reply: str, answers: tuple[GoldAnswer, ...], language: str = "en", *, yes_or_no: bool = False) -> Overlap:
    """The words of a reply against the gold answer with the best F1, as SQuAD's evaluation script splits and counts
    them; a pattern counts as one word, in common or not. With `yes_or_no`, as HotpotQA's script: an answer that is yes,
    no or noanswer has nothing in common with another."""
    from botattack.matchers.forms import squad_form

    said = squad_form(reply, language)
    words = Counter(said.split())
    patterns = tuple(answer for answer in answers if answer.regex)
    best = Overlap(exact_match(reply, patterns, language) if patterns else 0)
    for answer in answers:
        right = squad_form(answer.text, language)
        gold = Counter(right.split())
        if answer.regex or (yes_or_no and said != right and _YES_OR_NO & {said, right}):
            continue
        if common := (words & gold).total():
            best = max(best, Overlap(common, words.total(), gold.total()), key=lambda each: each.f1)
    return best


def graded(question: QuestionCase, asked: Asked, edits: Sequence[Edit]) -> Iterator[tuple[str, float]]:
    """EM and F1 of an answer; of facts and jointly where the bot named sources for the original."""
    answers = question.question.answers
    language = question.question.language
    exact = exact_match(asked.reply, answers, language)
    said = overlap(asked.reply, answers, language, yes_or_no=bool(question.question.facts))
    yield from (("EM", exact), ("F1", said.f1))
    if question.question.facts and (first := question.first) and sources_of(first) is not None and asked.replies:
        sent = Sent(question.question, edits)
        found = support(sources_of(asked) or (), sent.facts(), asked.turns[-1].passages)
        yield from (("facts EM", found.exact), ("facts F1", found.f1), ("joint EM", exact * found.exact))
        yield "joint F1", harmonic(said.precision * found.precision, said.recall * found.recall)


def ranked_figures(candidates: Sequence[str], answers: tuple[GoldAnswer, ...]) -> dict[str, float]:
    """R@k: whether a right candidate stands among the first k; MRR: 1 / rank of the first right one; MAP: the mean,
    over the right ones, of the share of right ones down to each (DPAEG 4.1; average precision over what was listed)."""
    right = [_right(candidate, answers) for candidate in candidates]
    places = [place for place, is_right in enumerate(right, 1) if is_right]
    recall = {f"R@{depth}": float(any(right[:depth])) for depth in DEPTHS}
    precision = sum(number / place for number, place in enumerate(places, 1)) / len(places) if places else 0.0
    return {**recall, "MRR": 1 / places[0] if places else 0.0, "MAP": precision}


def likeness(one: str, other: str) -> float:
    """How alike two texts are spelt: normalised indel similarity (rapidfuzz). Lexical: it asks no model."""
    return 1.0 if one == other else float(_similarity()(one, other))


@cache
def _similarity() -> Any:
    from rapidfuzz.distance.Indel import normalized_similarity

    return normalized_similarity


def _right(candidate: str, answers: tuple[GoldAnswer, ...]) -> bool:
    return any(matcher.judge(_NOTHING, Reply(candidate), answers, ()).kind == "correct" for matcher in _matchers())


@cache
def _matchers() -> tuple[Any, ...]:
    from botattack.matchers.lexical import Contains, Exact

    return Exact(), Contains()


CURVE = {mark: f"lowest F1 within {mark} request{'s' * (mark > 1)}" for mark in (1, 2, 5, 10, 20, 50, 100)}
"""The points of the curve: what they are called, by the requests at which it is looked at."""


def worst(question: QuestionCase, outcome: VariantJudged) -> tuple[VariantJudged, dict[str, float]]:
    """The variant of a search whose reply has the lowest F1 (Persian QA, Table 1), and the lowest F1 within so many
    requests, which begins at that of the original. Of a variant that was asked again the best reply counts: what was
    wrong by chance is not its own."""
    answers, language = question.question.answers, question.question.language
    tried = [one for one in question.judged if one.attack == outcome.attack and one.search in ("attempt", "again")]
    best: dict[str, tuple[float, VariantJudged]] = {}
    for one in tried:
        asked, name = question.asked.get(one.unit), _variant(one)
        if asked and asked.replies and one.claimed and not one.probe:
            f1 = overlap(asked.reply, answers, language).f1
            if f1 > best.get(name, (-1.0, one))[0]:
                best[name] = f1, one
    lowest, spent, found = overlap(question.reply, answers, language).f1, 0, outcome
    first, curve, last = lowest, dict.fromkeys(CURVE.values(), lowest), -1.0
    for one in tried:
        if one.search == "attempt":
            spent += question.requests(one.unit)
            f1, asked_as = best.get(_variant(one), (first, found))
            if last < 0 or f1 < last:
                last, found = f1, asked_as
            lowest = min(lowest, f1)
            curve |= {name: lowest for mark, name in CURVE.items() if spent <= mark}
    return found, curve


def _variant(one: VariantJudged) -> str:
    return one.unit.rpartition(".")[0]


def ranking_order(name: str) -> tuple[bool, int, str, bool]:
    """Sorts the names of rankings before and after: R@k first, by their depth."""
    kind, _, when = name.partition(" ")
    return not kind.startswith("R@"), int(kind[2:]) if kind.startswith("R@") else 0, kind, when == "after"

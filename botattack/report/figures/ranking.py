"""Figures of ranked candidates and of single answers, for one reply: pure functions from 0 to 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from botattack.model import GoldAnswer, Prompt, Reply

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

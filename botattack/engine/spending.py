"""Which attacks a question meets in a run that asks first where the bot breaks. Pure.

Before a question is attacked, the attacks that are likeliest to find something for a request are chosen, by the upper
end of what their rate may be (an upper confidence bound; Auer, Cesa-Bianchi and Fischer, Machine Learning 47, 2002).
Every other attack is asked by chance all the same, so that what was unlucky at first is not lost. Each chance is known
and recorded: an attack that was asked with a chance of one in n counts n times in rates, which are unbiased thereby
(Horvitz and Thompson, JASA 47, 1952).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import sqrt
from random import Random
from typing import NamedTuple

from botattack.cases import QuestionCase

EXPLORED, AT_FIRST = 1, 3
"""Attacks of a question that are asked by chance, on average, besides those that are chosen; as long as nothing is
known, more."""
ORIGINAL = ""
"""What is asked of every question, whatever attacks it meets."""


class Yield(NamedTuple):
    """What came of an attack: broken answers, and the requests that they took, in so many questions."""

    questions: int = 0
    broke: int = 0
    requests: int = 0

    def plus(self, broke: int, requests: int) -> Yield:
        return Yield(self.questions + 1, self.broke + broke, self.requests + requests)

    @property
    def bound(self) -> float:
        """The upper end of the share of requests that find something: Wilson's, one standard error up."""
        n, share = self.requests, min(1.0, self.broke / self.requests)
        return (share + 0.5 / n + sqrt(share * (1 - share) / n + 0.25 / n**2)) / (1 + 1 / n)


def found(before: Mapping[str, Yield], case: QuestionCase) -> Mapping[str, Yield]:
    """What is known after one more question."""
    if case.original is None or not case.original.attacked:
        return before
    after = dict(before)
    of_original = sum(case.requests(unit) for unit in case.original.units)
    after[ORIGINAL] = after.get(ORIGINAL, Yield()).plus(0, of_original)
    for label, one in by_attack(case).items():
        after[label] = after.get(label, Yield()).plus(*one)
    return after


def by_attack(case: QuestionCase) -> Mapping[str, tuple[int, int]]:
    """Of each attack the answers that it broke, with the meaning as claimed, and its requests."""
    counts: dict[str, tuple[int, int]] = {}
    for event in case.judged:
        broke, requests = counts.get(event.attack, (0, 0))
        won = event.result == "success" and event.claimed and event.is_outcome
        counts[event.attack] = broke + won, requests + case.requests(event.unit)
    return counts


def one_in(attacks: int, explored: int) -> int:
    """An attack that is not chosen is asked with a chance of one in so many."""
    return max(2, round(attacks / explored))


def chosen(labels: Iterable[str], known: Mapping[str, Yield]) -> frozenset[str]:
    """The attacks that together find most for a request, what the original takes among these: those that find more
    than all before them, best first."""
    tried = {label: known[label] for label in labels if label in known and known[label].requests}
    original = known.get(ORIGINAL, Yield())
    wins, spent = 0.0, original.requests / max(1, original.questions)
    best: set[str] = set()
    for label in sorted(tried, key=lambda label: (-tried[label].bound, label)):
        one = tried[label]
        each = one.requests / one.questions
        if one.bound * spent <= wins:
            break
        best.add(label)
        wins, spent = wins + one.bound * each, spent + each
    return frozenset(best)


def drawn(labels: Iterable[str], known: Mapping[str, Yield], rng: Random) -> dict[str, int]:
    """The attacks that a question meets, each with its chance: one in so many."""
    names = list(labels)
    best = chosen(names, known)
    rare = one_in(len(names), EXPLORED if best else AT_FIRST)
    by_chance = {label for label in names if rng.random() * rare < 1}
    return {label: 1 if label in best else rare for label in names if label in best or label in by_chance}

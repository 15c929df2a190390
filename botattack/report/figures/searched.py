"""How far a search brought the reply to a question from its gold answers: its worst variant, and its curve. Pure."""

from __future__ import annotations

from botattack.cases import QuestionCase
from botattack.events import VariantJudged
from botattack.report.figures.ranking import overlap

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

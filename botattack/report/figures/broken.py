"""How many questions and answers broke: the one count that every report says."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import astuple, dataclass
from operator import add
from typing import Literal

from botattack.cases import QuestionCase
from botattack.model import CONTROL

Left = Literal["settled", "without", "unsure", "failed", "unfinished", "unjudged"]
"""Why a right question has no judged variant: it became right after it was asked, none was made, the meaning of none is
sure, the attack failed, the run ended first, or none could be judged."""


@dataclass(frozen=True)
class BrokenFigures:
    """What broke of all attacks together, which every report says alike: `questions` of the `attacked` ones broke at
    least once, and `answers` of the `rated` ones to altered versions. Attacked are those with a verdict on an altered
    version, through whatever doors; the control, which alters nothing, is in none of these. Of `own`, no right
    answer is known: the bot answered alike each time."""

    attacked: int = 0
    questions: int = 0
    rated: int = 0
    answers: int = 0
    own: int = 0

    def add(self, *doors: QuestionCase) -> BrokenFigures:
        """With one more question, once for each door that it was asked through."""
        results = [case.result == "success" for question in doors for case in question.rated]
        own = bool(results) and not doors[0].question.has_gold
        more = bool(results), any(results), len(results), sum(results), own
        return BrokenFigures(*map(add, astuple(self), more))


def why_left(question: QuestionCase, attacks: Collection[str]) -> Left | None:
    """Why a question that the bot answers correctly has no judged variant of the `attacks` of the run; None if it has
    one, or is not right."""
    if question.original is None or not question.right or question.rated or not attacks:
        return None
    if not question.original.attacked:
        return "settled"
    ends = [end for name, end in question.ended.items() if name != CONTROL]
    if any(one.altered for one in question.judged):
        return "unjudged"
    if any(end.failed for end in ends):
        return "failed"
    if any(end.skipped for end in ends) or any(one.attack != CONTROL and one.is_outcome for one in question.judged):
        return "unsure"
    return "without" if ends and question.ended.keys() >= {*attacks} - {CONTROL} else "unfinished"

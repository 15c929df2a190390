"""How many questions and answers broke: the one count that every report says."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from operator import add

from botattack.cases import QuestionCase


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

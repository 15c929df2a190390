"""How many questions and answers broke: the one count that every report says."""

from __future__ import annotations

from dataclasses import dataclass

from botattack.cases import QuestionCase


@dataclass(frozen=True)
class BrokenFigures:
    """What broke of all attacks together, which every report says alike: `questions` of the `attacked` ones broke at
    least once, and `answers` of the `rated` ones to altered versions. Attacked are those with a verdict on an altered
    version; the control, which alters nothing, is in none of these."""

    attacked: int = 0
    questions: int = 0
    rated: int = 0
    answers: int = 0

    def add(self, question: QuestionCase) -> BrokenFigures:
        """With one more question."""
        rated = question.rated
        broke = sum(case.result == "success" for case in rated)
        now = bool(rated), bool(broke), len(rated), broke
        return BrokenFigures(
            self.attacked + now[0], self.questions + now[1], self.rated + now[2], self.answers + now[3]
        )

"""Which words of which questions break the bot when they are edited, and what failed: folds over closed questions."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from botattack.cases import QuestionCase, VariantCase
from botattack.places import QUESTION
from botattack.report.escape import visible
from botattack.report.figures.figure_values import HotWord

KEPT = 50
_WORD = re.compile(r"\S+")
_LONGEST = 60
"""Words of a question that are shown."""


@dataclass(frozen=True)
class HotQuestion:
    """A question with its words and all that became of it; `broken` of `rated` variants broke the bot."""

    case: QuestionCase
    words: tuple[HotWord, ...]
    broken: int
    rated: int

    @property
    def rank(self) -> tuple[float, int, str]:
        """Sorts questions by the share of their variants that broke, the largest first."""
        return -self.broken / self.rated, -self.broken, self.case.question.id


class Heat:
    """Keeps the questions that break most often."""

    def __init__(self, keep: int = KEPT) -> None:
        self._keep = keep
        self._hottest: list[HotQuestion] = []

    def add(self, question: QuestionCase) -> None:
        cases = question.rated
        broken = sum(case.result == "success" for case in cases)
        if broken:
            found = HotQuestion(question, hot_words(question.question.text, cases), broken, len(cases))
            hottest = [*self._hottest, found]
            self._hottest = sorted(hottest, key=lambda each: each.rank)
            del self._hottest[self._keep :]

    def value(self) -> tuple[HotQuestion, ...]:
        """The hottest first."""
        return tuple(self._hottest)


@dataclass
class Troubles:
    """Why variants brought no answer: each reason with its count, the most frequent first."""

    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, question: QuestionCase) -> None:
        for asked in (question.first, *(case.asked for case in question.variants)):
            if asked is not None and asked.failure is not None:
                self.kinds[f"{visible(asked.failure.kind)}: {visible(asked.failure.message)}"] += 1


def hot_words(text: str, cases: list[VariantCase]) -> tuple[HotWord, ...]:
    """The words as they stand between spaces; an edit counts for each word it touches."""
    found = []
    for match in list(_WORD.finditer(text))[:_LONGEST]:
        touching = [case for case in cases if _touches(case, match.start(), match.end())]
        broken = sum(case.judged.result == "success" for case in touching)
        found.append(HotWord(visible(match[0], 40), broken, len(touching)))
    return tuple(found)


def _touches(case: VariantCase, start: int, end: int) -> bool:
    return any(
        edit.place == QUESTION and edit.start < end and edit.start + max(len(edit.before), 1) > start
        for edit in case.judged.edits
    )

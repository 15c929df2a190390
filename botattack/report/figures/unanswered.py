"""How many askings brought no answer, altered and unchanged.

Errors enter no rate, so a bot that goes silent under attack would look robust.
"""

from __future__ import annotations

from collections import Counter

from botattack.cases import QuestionCase
from botattack.events import Asked
from botattack.model import CONTROL, EMITTED
from botattack.report.figures.figure_values import Unanswered
from botattack.report.statistics.significance import fisher

NOT_OF_THE_QUESTION = frozenset(("unreachable", "rate limited", "unknown"))
"""Failures that say nothing of what the bot makes of a question."""
RISES = 0.01
"""The p below which errors rise with the attacks. Lower than usual: the warning stands above everything else."""


class Silences:
    """Counts judged askings, and those that failed; of variants, of the control and of originals."""

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()

    def add(self, question: QuestionCase) -> None:
        for judged in {(one.attack, one.unit, one.probe): one for one in question.judged}.values():
            if not judged.probe and judged.search in EMITTED:
                failure = _failure(question.asked.get(judged.unit))
                self._add("control" if judged.attack == CONTROL else "altered", failure)
        if (original := question.original) is not None:
            failures = filter(None, (_failure(question.asked.get(unit)) for unit in original.units))
            self._add("original", next(failures, "") if original.standing == "error" else "")

    def _add(self, what: str, failure: str) -> None:
        if failure not in NOT_OF_THE_QUESTION:
            self._asked[what] += 1
            self._failed[what] += failure != ""

    def value(self) -> Unanswered:
        """The control is the better measure: a bot may be silent on the originals that it does not know."""
        unchanged = "control" if self._asked["control"] else "original"
        altered = self._failed["altered"], self._asked["altered"]
        others = self._failed[unchanged], self._asked[unchanged]
        p = fisher(*altered, *others)
        return Unanswered(*altered, *others, p, rises=p < RISES)


def _failure(asked: Asked | None) -> str:
    """The kind; empty if there is none."""
    return asked.failure.kind if asked and asked.failure else ""

"""Which words carry the answer: how often leaving one out broke the bot, a fold over closed questions."""

from __future__ import annotations

from collections import Counter, defaultdict

from botattack.cases import QuestionCase, VariantCase
from botattack.report.figures.figure_values import MappedQuestion, SensitivityFigures
from botattack.report.figures.heat import hot_words
from botattack.report.figures.sums import RowSums, Tally

KEPT = 50
"""Questions on the map."""


class SensitivityFold:
    """Counts right originals. What is left of a question are sums, and of the first few the words."""

    def __init__(self) -> None:
        self._rows: dict[str, RowSums] = {}
        self._map: list[MappedQuestion] = []
        self._questions = 0

    def add(self, case: QuestionCase) -> None:
        without = [one for one in case.variants if _counts(one)] if case.right else []
        if not without:
            return
        self._questions += 1
        by_role: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for one in without:
            edit = one.judged.edits[0]
            by_role[edit.relation or edit.pos][one.judged.result] += 1
            by_role[edit.relation or edit.pos]["requests"] += case.requests(one.judged.unit)
        for role, counts in by_role.items():
            tally = Tally(**counts)
            self._rows[role] = self._rows.get(role, RowSums()).add(tally)
        if len(self._map) < KEPT:
            self._map.append(MappedQuestion(case.question.id, hot_words(case.question.text, without)))

    def value(self) -> SensitivityFigures | None:
        """None if no word was left out."""
        if not self._questions:
            return None
        rows = {role: sums.row() for role, sums in self._rows.items()}
        share = {role: row.success / max(1, row.rated) for role, row in rows.items()}
        order = sorted(rows, key=lambda role: (rows[role].success_rate is None, -share[role], -rows[role].rated, role))
        return SensitivityFigures({role: rows[role] for role in order}, tuple(self._map), self._questions)


def _counts(case: VariantCase) -> bool:
    judged = case.judged
    if not judged.probe or judged.result not in ("success", "robust"):
        return False
    from botattack.attacks.words.sensitivity import LEFT_OUT_ALONE

    return any(edit.kind == LEFT_OUT_ALONE for edit in judged.edits)

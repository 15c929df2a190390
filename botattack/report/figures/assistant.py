"""What only assistants do or leave: obey passages, cite, and remember. Folds over closed questions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from botattack.cases import QuestionCase
from botattack.report.figures.citations import CitationFold, CitedRow
from botattack.report.figures.obeyed import ObeyedFold, ObeyedRow
from botattack.report.figures.remembered import Leak, RememberedFold, RememberedRow


@dataclass(frozen=True)
class AssistantFigures:
    """What the bot made of instructions in passages (`obeyed`), what its replies `cited`, and what it `remembered` of
    facts, with the first `leaks` into other conversations; each empty if nothing was there to look at."""

    obeyed: tuple[ObeyedRow, ...] = ()
    cited: tuple[CitedRow, ...] = ()
    remembered: tuple[RememberedRow, ...] = ()
    leaks: tuple[Leak, ...] = ()

    @property
    def without_rates(self) -> AssistantFigures:
        """The counts alone."""
        cited = tuple(replace(row, share=row.share.without_rate) for row in self.cited)
        remembered = tuple(replace(row, share=row.share.without_rate) for row in self.remembered)
        return AssistantFigures(tuple(row.without_rates for row in self.obeyed), cited, remembered, self.leaks)


class AssistantFold:
    def __init__(self) -> None:
        self._obeyed, self._cited, self._remembered = ObeyedFold(), CitationFold(), RememberedFold()

    def add(self, *doors: QuestionCase) -> None:
        """A question, once for each door that it was asked through."""
        self._cited.add(*doors)
        self._remembered.add(*doors)
        for case in doors:
            self._obeyed.add(case)

    def value(self, *, any_time: bool) -> AssistantFigures:
        rows = self._obeyed.value(any_time=any_time), self._cited.value(any_time=any_time)
        return AssistantFigures(*rows, self._remembered.rows(any_time=any_time), tuple(self._remembered.leaks))

"""What only assistants do or leave: obey passages, cite, and remember. Folds over closed questions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from botattack.cases import QuestionCase
from botattack.report.figures.citations import CitationFold, CitedRow
from botattack.report.figures.obeyed import ObeyedFold, ObeyedRow
from botattack.report.figures.remembered import RememberedFold, RememberedRow
from botattack.report.figures.shares import Sample, Share


@dataclass(frozen=True)
class AssistantFigures:
    """What the bot made of instructions in passages (`obeyed`), what its replies `cited`, and what it `remembered` of
    facts, with the first `leaks` into other conversations; each empty if nothing was there to look at."""

    obeyed: tuple[ObeyedRow, ...] = ()
    cited: tuple[CitedRow, ...] = ()
    remembered: tuple[RememberedRow, ...] = ()
    leaks: tuple[Sample, ...] = ()

    @property
    def obeyed_share(self) -> Share:
        """Of all instructions, those that were obeyed and are not done anyway, where that is no chance."""
        rated = any(row.share.rate is not None for row in self.obeyed)
        x, n = sum(row.beyond for row in self.obeyed if row.evident), sum(row.share.n for row in self.obeyed)
        return Share(x, n, x / n if rated else None)

    @property
    def leaked_share(self) -> Share:
        """Of facts given in one conversation, those that were known in another."""
        return next((row.share for row in self.remembered if row.check == "other conversation"), Share())

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

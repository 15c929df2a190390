"""The smallest edits that a run found to break the bot, next to those it began with: a fold over closed questions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from botattack.cases import QuestionCase
from botattack.events import Shrinks, VariantJudged
from botattack.report.figures.findings import Finding, finding

_NUMBER = re.compile(r"\.([0-9]{1,9})$")
Became = Literal["smaller", "as small", "not again", "by chance", "unfinished"]
"""What came of a finding: a smaller edit breaks the bot; none smaller was found to; its own edit does not break the bot
each time; no edit is surely what breaks it; the run ended first."""


@dataclass(frozen=True)
class Shrunk:
    """A finding and the smallest edit that surely breaks the bot, if there is one: in all `asked` askings, of which it
    broke the bot in `broke`. Without one these are the askings of the finding itself. `requests` and `askings` are what
    it took, as if the other findings of the question had not been there."""

    found: Finding
    became: Became
    smallest: Finding | None
    broke: int
    asked: int
    requests: int
    askings: int


@dataclass(frozen=True)
class ShrinkFigures:
    """`findings` of the run named `run` were to be taken up, of which `shrunk` were. `before` and `after` are the
    median edit distances of those that a smaller edit breaks; None if there are none."""

    run: str
    findings: int
    askings: int
    shrunk: tuple[Shrunk, ...]
    requests: int
    before: float | None = None
    after: float | None = None

    @property
    def sure(self) -> tuple[Shrunk, ...]:
        return tuple(one for one in self.shrunk if one.smallest)

    def became(self, what: Became) -> int:
        """How many findings that became of."""
        return sum(one.became == what for one in self.shrunk)


class ShrinkFold:
    """Memory is bounded by the findings that are shrunk."""

    def __init__(self, shrinks: Shrinks) -> None:
        self._of = shrinks
        self._shrunk: list[Shrunk] = []
        self._requests = 0

    def add(self, case: QuestionCase) -> None:
        by_finding: dict[tuple[str, str], list[VariantJudged]] = {}
        for judged in case.judged:
            if judged.probe and judged.parent:
                by_finding.setdefault((judged.attack, judged.parent), []).append(judged)
        units = {one.unit for asked in by_finding.values() for one in asked}
        self._requests += sum(map(case.requests, units))
        self._shrunk += (_shrunk(case, asked, self._of.askings) for asked in by_finding.values())

    def value(self) -> ShrinkFigures:
        """Those that shrank most come first."""
        order = sorted(self._shrunk, key=lambda one: (one.smallest is None, -_less(one), one.found.size))
        sure = [
            (one.found.distance, one.smallest.distance) for one in order if one.smallest and one.became == "smaller"
        ]
        before, after = (float(median(each)) for each in zip(*sure, strict=True)) if sure else (None, None)
        of = self._of
        return ShrinkFigures(of.run, of.findings, of.askings, tuple(order), self._requests, before, after)


def _shrunk(case: QuestionCase, asked: Sequence[VariantJudged], askings: int) -> Shrunk:
    """Only edits that broke the bot in every asking count, of which as many again were made to decide on them."""
    requests = sum(case.requests(one.unit) for one in asked)
    root = asked[0]
    found = _finding(case, root)
    again = [one.result for one in asked if not one.edits]
    quiet = case.right and again.count("robust") == len(again) == askings
    sure = [one for one in asked if one.edits and quiet and _sure(_of(asked, one), askings)]
    smallest = min(sure, key=lambda one: one.distance, default=None)
    of_it = _of(asked, smallest or root)
    broke = sum(one.result == "success" for one in of_it)
    if smallest:
        became: Became = "smaller" if smallest.distance < root.distance else "as small"
        return Shrunk(found, became, _finding(case, smallest), broke, len(of_it), requests, len(asked))
    if not case.right or any(result != "robust" for result in again):
        became = "by chance"
    elif broke < len(of_it):
        became = "not again"
    else:
        became = "by chance" if root.attack in case.ended else "unfinished"
    return Shrunk(found, became, None, broke, len(of_it), requests, len(asked))


def _of(asked: Sequence[VariantJudged], one: VariantJudged) -> list[VariantJudged]:
    return [each for each in asked if each.edits == one.edits]


def _sure(asked: Sequence[VariantJudged], askings: int) -> bool:
    from botattack.attacks.combined.shrink import decides

    deciding = sum(decides(_number(one.unit)) for one in asked)
    return all(one.result == "success" for one in asked) and deciding == askings == len(asked) - deciding


def _number(unit: str) -> int:
    """The number of the asking; 0 if the recording is forged and names none."""
    found = _NUMBER.search(unit)
    return int(found[1]) if found else 0


def _finding(case: QuestionCase, judged: VariantJudged) -> Finding:
    return finding(case, case.variant(judged))


def _less(one: Shrunk) -> int:
    return one.found.distance - one.smallest.distance if one.smallest else 0

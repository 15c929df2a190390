"""What a run found out that asked further about an earlier one: the smallest edits that break the bot, next to those it
began with, and why failures came about, decided again on what was recorded. Folds over closed questions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Literal

from botattack.attacks.building.diagnosing import STEPS, CauseName
from botattack.cases import QuestionCase
from botattack.events import Shrinks, Unexplained, VariantJudged, Whys
from botattack.model import Result
from botattack.report.figures.findings import Finding, finding
from botattack.report.statistics.intervals import Interval, wilson_at, z_quantile

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
    """`findings` of the run named `run` were to be taken up, the first `of` so many (0 if they were named), of which
    `shrunk` were. `before` and `after` are the median edit distances of those that a smaller edit breaks; None if there
    are none."""

    run: str
    findings: int
    askings: int
    shrunk: tuple[Shrunk, ...]
    requests: int
    before: float | None = None
    after: float | None = None
    of: int = 0

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
        return ShrinkFigures(of.run, of.findings, of.askings, tuple(order), self._requests, before, after, of.of)


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


@dataclass(frozen=True)
class Probed:
    """A request of a diagnosis: its name, what was sent, what came back, and whether that was right; of a conversation,
    in the turn that decided."""

    name: str
    sent: str
    reply: str
    right: bool
    unsure: bool = False


@dataclass(frozen=True)
class Explained:
    """A failure and its cause. `found` is the failing variant as it was asked again; None if it was not. `comes_back`
    is whether its answer is right once the message has been through a normaliser; None if that is of no matter.
    `lacks` is what of passages and gold answers the question has none of. `got` is what the bot said when it failed."""

    question: str
    variant: str
    attack: str
    cause: CauseName
    told: str
    also: tuple[CauseName, ...]
    sure: bool
    requests: int
    expected: tuple[str, ...] = ()
    found: Finding | None = None
    story: tuple[Probed, ...] = ()
    comes_back: bool | None = None
    lacks: tuple[str, ...] = ()
    got: str = ""


@dataclass(frozen=True)
class CauseShare:
    """How many failures have a cause, their share among all failures of the run, and its 95 % interval."""

    cause: CauseName
    count: int
    share: float
    interval: Interval


@dataclass(frozen=True)
class WhyFigures:
    """`explained` are failures of the run named `run`, of `failures` that each attack had there. Of `input_failures`
    caused by the input, `come_back` are right behind a normaliser."""

    run: str
    explained: tuple[Explained, ...] = ()
    causes: tuple[CauseShare, ...] = ()
    failures: dict[str, int] = field(default_factory=dict)
    input_failures: int = 0
    come_back: int = 0


class WhyFold:
    """Memory is bounded by the failures that are explained."""

    def __init__(self, whys: Whys) -> None:
        self._whys = whys
        self._found: dict[Unexplained, Explained] = {}

    def add(self, case: QuestionCase) -> None:
        self._found |= {each: one for each in self._whys.findings if (one := _explained(case, each, self._whys.most))}

    def value(self) -> WhyFigures:
        """In the order in which they were taken up; causes with the largest share first."""
        found = tuple(self._found[each] for each in self._whys.findings if each in self._found)
        causes = tuple(sorted(self._shares(found), key=lambda one: (-one.share, STEPS.index(one.cause))))
        tried = [one.comes_back for one in found if one.comes_back is not None]
        return WhyFigures(self._whys.run, found, causes, dict(self._whys.failures), len(tried), sum(tried))

    def _shares(self, found: Sequence[Explained]) -> Iterator[CauseShare]:
        """Among all failures of the run: one of an attack with many stands for many (Kish's number)."""
        asked = Counter(one.attack for one in found)
        weights = [self._whys.failures.get(one.attack, 1) / asked[one.attack] for one in found]
        for cause, number in Counter(one.cause for one in found).items():
            share = sum(weight for weight, one in zip(weights, found, strict=True) if one.cause == cause) / sum(weights)
            outcomes = sum(weights) ** 2 / sum(weight**2 for weight in weights)
            yield CauseShare(cause, number, share, wilson_at(share, outcomes, z_quantile(0.95)))


def _explained(case: QuestionCase, of: Unexplained, most: int) -> Explained | None:
    """None of a failure of another question, and where the run ended before anything was decided: it says nothing
    about the bot."""
    if of.question != case.question.id or case.original is None:
        return None
    from botattack.attacks.combined.why import EASY, Inquiry

    inquiry = Inquiry(case.question, of.has, most)
    variants = [one for one in case.variants if one.judged.parent == of.unit]
    story = [Probed("original", case.question.text, case.reply, case.right)]
    result: Result = "error" if case.original.standing == "error" else "robust" if case.right else "success"
    # The cause as it was decided when the bot was asked.
    inquiry.hear(result, case.first.replies if case.first else (), case.question.turns)
    for one in variants:
        # An older botattack may have asked by other rules: then nobody knows the cause.
        if one.judged.why != inquiry.next:
            break
        judged, sent, replies = one.judged, one.alteration.sent, one.asked.replies if one.asked else ()
        inquiry.hear(judged.result, replies, sent, judged.verdict.kind, judged.took_decoy)
        # What repeats a fake is wrong; what says the answer of the easy question that was asked is right.
        right = judged.result == "robust" or (judged.took_decoy and judged.why in EASY)
        text = "\n".join(turn.text for turn in sent)
        story.append(Probed(judged.why, text, finding(case, one).got, right, judged.result == "unsure"))
    if isinstance(named := inquiry.next, str):
        return None
    found = next((finding(case, one) for one in variants if one.judged.why == "again"), None)
    comes_back = next((one.right for one in story if one.name == "normalised"), None)
    if "normalisable" not in of.has and "input" in (named.cause, *named.also):
        # A normaliser makes the unchanged question of it, which is right; or the message as it was, which is wrong.
        comes_back = "restored" in of.has
    expected = found.expected if found else case.expected("gold")
    lacks = {"passages": not case.question.passages, "gold answers": not expected}
    cause = named.cause, named.told, named.also, named.sure, len(story), expected, found, tuple(story), comes_back
    return Explained(of.question, of.unit, of.attack, *cause, tuple(filter(lacks.get, lacks)), of.got)

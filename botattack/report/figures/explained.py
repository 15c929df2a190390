"""Why failures of another run came about: a fold over closed questions, which decides again on what was recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from botattack.attacks.building.diagnosing import STEPS, CauseName
from botattack.cases import QuestionCase
from botattack.events import Unexplained, Whys
from botattack.model import Result
from botattack.report.figures.findings import Finding, finding
from botattack.report.statistics.intervals import Interval, wilson_at, z_quantile


@dataclass(frozen=True)
class Probed:
    """A request of a diagnosis: its name, what was sent, what came back, and whether that was right."""

    name: str
    sent: str
    reply: str
    right: bool


@dataclass(frozen=True)
class Explained:
    """A failure and its cause. `found` is the failing variant as it was asked again; None if it was not. `comes_back`
    is whether its answer is right once the message has been through a normaliser; None if that is of no matter.
    `lacks` is what of passages and gold answers the question has none of."""

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


@dataclass(frozen=True)
class CauseShare:
    """How many failures have a cause, and the 95 % interval of their share among all failures of the run."""

    cause: CauseName
    count: int
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
        for each in self._whys.findings:
            if each.question == case.question.id and (explained := _explained(case, each, self._whys.most)):
                self._found[each] = explained

    def value(self) -> WhyFigures:
        """In the order in which they were taken up; causes with the most failures first."""
        whys = self._whys
        found = tuple(self._found[each] for each in whys.findings if each in self._found)
        counts = Counter(one.cause for one in found)
        order = sorted(counts, key=lambda cause: (-counts[cause], STEPS.index(cause)))
        causes = tuple(CauseShare(cause, counts[cause], self._interval(found, cause)) for cause in order)
        tried = [one.comes_back for one in found if one.comes_back is not None]
        return WhyFigures(whys.run, found, causes, dict(whys.failures), len(tried), sum(tried))

    def _interval(self, found: Sequence[Explained], cause: CauseName) -> Interval:
        """Of the share among all failures of the run: one of an attack with many stands for many (Kish's number)."""
        asked = Counter(one.attack for one in found)
        weights = [(self._whys.failures.get(one.attack, 1) / asked[one.attack], one.cause) for one in found]
        total = sum(weight for weight, _ in weights)
        rate = sum(weight for weight, of in weights if of == cause) / total
        return wilson_at(rate, total**2 / sum(weight**2 for weight, _ in weights), z_quantile(0.95))


def _explained(case: QuestionCase, of: Unexplained, most: int) -> Explained | None:
    """None where the run ended before anything was decided: it says nothing about the bot."""
    if case.original is None:
        return None
    from botattack.attacks.combined.why import Inquiry

    inquiry = Inquiry(case.question, of.has, most)
    variants = [one for one in case.variants if one.judged.parent == of.unit]
    story = [Probed("original", case.question.text, case.reply, case.right)]
    result: Result = "error" if case.original.standing == "error" else "robust" if case.right else "success"
    # The cause as it was decided when the bot was asked.
    inquiry.hear(result, case.first.replies if case.first else ())
    for one in variants:
        # An older botattack may have asked by other rules: then nobody knows the cause.
        if one.judged.why != inquiry.next:
            break
        judged, replies = one.judged, one.asked.replies if one.asked else ()
        inquiry.hear(judged.result, replies, one.alteration.sent, judged.verdict.kind, judged.took_decoy)
        told = inquiry.answers[-1]
        story.append(Probed(judged.why, one.alteration.text, one.reply, told.right or told.took))
    if isinstance(named := inquiry.next, str):
        return None
    found = next((finding(case, one) for one in variants if one.judged.why == "again"), None)
    comes_back = next((one.right for one in story if one.name == "normalised"), None)
    if "normalisable" not in of.has and "input" in (named.cause, *named.also):
        # A normaliser makes the unchanged question of it, which is right; or the message as it was, which is wrong.
        comes_back = "restored" in of.has
    expected = found.expected if found else case.expected("gold")
    lacks = {"passages": not case.question.passages, "gold answers": not expected}
    cause = *named, len(story), expected, found, tuple(story), comes_back, tuple(filter(lacks.get, lacks))
    return Explained(of.question, of.unit, of.attack, *cause)

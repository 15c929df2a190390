"""What people said of findings, told among the events of a run. None of it is recorded: marks may change any day, and
a recording keeps what the judge said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from botattack.events.base import Event, QuestionEvent
from botattack.events.questions import OriginalJudged, VariantJudged

FAILURES = ("wrong", "refused")
"""Verdicts that break a bot."""
MarkKind = Literal["wrong-verdict", "bad-variant", "accepted", "settled"]


@dataclass(frozen=True)
class Mark:
    """What somebody said of a finding: the judge was wrong about this reply (`wrong-verdict`), nobody should have asked
    this (`bad-variant`), the failure is known and may stay (`accepted`), or the judge was unsure of this reply and a
    person is not (`settled`): then `label` is the verdict that counts.

    `verdict` and `reply` are what it was said of. A verdict was on one reply: the mark holds as long as the bot says
    the same and is judged the same. Only a bad variant is one whatever the bot says.
    """

    mark: MarkKind
    why: str
    """Why it was marked so."""
    by: str = ""
    """Who marked it."""
    date: str = ""
    """The day, in UTC."""
    attack: str = ""
    """What made the variant; left out of an unchanged question."""
    question: str = ""
    """The unchanged question."""
    sent: str = ""
    """What was sent in its place."""
    verdict: str = ""
    """What the judge said of the reply."""
    reply: str = ""
    """What the bot said, as far as its first 2,000 characters."""
    label: Literal["", "correct", "wrong", "refused"] = ""
    """What a reader calls the reply, if a verdict is wrong or settled: `botattack judge fit` learns from it."""
    answers: tuple[str, ...] = ()
    """Of a labelled reply, the gold answers."""
    patterns: tuple[str, ...] = ()
    """Of a labelled reply, the gold answers that are regular expressions."""
    lang: str = ""
    """Of a labelled reply, the language of the question."""
    run: str = ""
    """The run that it was said of."""

    @property
    def counts(self) -> bool:
        """Whether its label is a verdict to count: of a reply that the judge was unsure of, or of a failure that is
        another one, wrong for refused."""
        return self.mark == "settled" or (self.verdict in FAILURES and self.label in FAILURES)


class TriageRead(Event, frozen=True):
    """The marks of the bot that is asked, by the content id of what was sent."""

    marks: Mapping[str, Mark]


class Marked(QuestionEvent, frozen=True):
    """A verdict on something that is marked. If the mark `holds`, this stands in place of the verdict, which no figure
    then counts, or, if the mark `counts`, is followed by that of a person; else the verdict follows, and counts."""

    of: str
    mark: Mark
    judged: OriginalJudged | VariantJudged
    holds: bool
    by_readers: bool = False
    """Whether readings of the run say so, not the triage file."""

    @property
    def settled(self) -> bool:
        """Whether the verdict of a person counts."""
        return self.holds and self.mark.counts

    @property
    def left_out(self) -> bool:
        """Whether no verdict counts. That on an answer that is right counts although somebody accepted what else the
        reply did."""
        judged = self.judged
        right = judged.standing == "kept" if isinstance(judged, OriginalJudged) else judged.result == "robust"
        return self.holds and not self.settled and not (self.mark.mark == "accepted" and right)

    @property
    def unit(self) -> str:
        return self.judged.unit if isinstance(self.judged, VariantJudged) else self.judged.units[0]

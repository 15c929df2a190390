"""How many askings brought no answer, altered and unchanged.

Errors enter no rate, so a bot that goes silent under attack would look robust.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from botattack.events import OriginalJudged, VariantJudged
from botattack.report.figures.figures import CONTROL, Unanswered
from botattack.report.figures.significance import fisher
from botattack.report.figures.sums import Heard

NOT_OF_THE_QUESTION = frozenset(("unreachable", "rate limited", "not recorded", "unknown"))
"""Failures that say nothing of what the bot makes of a question."""


class Silences:
    """Counts judged askings, and those that failed; of variants, of the control and of originals."""

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()

    def variant(self, event: VariantJudged, heard: Heard | None) -> None:
        if not event.probe:
            self._add("control" if event.attack == CONTROL else "altered", heard.failure if heard else "")

    def original(self, event: OriginalJudged, heard: Sequence[Heard | None]) -> None:
        failures = [one.failure for one in heard if one and one.failure]
        self._add("original", failures[0] if failures and event.standing == "error" else "")

    def _add(self, what: str, failure: str) -> None:
        if failure not in NOT_OF_THE_QUESTION:
            self._asked[what] += 1
            self._failed[what] += failure != ""

    def value(self) -> Unanswered:
        """The control is the better measure: a bot may be silent on the originals that it does not know."""
        unchanged = "control" if self._asked["control"] else "original"
        altered = self._failed["altered"], self._asked["altered"]
        others = self._failed[unchanged], self._asked[unchanged]
        return Unanswered(*altered, *others, fisher(*altered, *others))

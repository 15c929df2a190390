"""How many turns of a conversation were judged, and whether they broke before or after anything was altered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from botattack.cases import QuestionCase
from botattack.events import VariantJudged
from botattack.model import Result, result_of


@dataclass(frozen=True)
class Hits:
    """`broken` of `rated` turns."""

    broken: int = 0
    rated: int = 0

    def plus(self, broken: int, rated: int) -> Hits:
        return Hits(self.broken + broken, self.rated + rated)


@dataclass(frozen=True)
class TurnFigures:
    """The judged turns of the variants of an attack: at `most` so many in one of them, where any wrong reply breaks
    the variant. Turns count until one breaks: `before` the first altered turn, and from it on (`after`)."""

    most: int = 1
    before: Hits = Hits()
    after: Hits = Hits()

    def add(self, question: QuestionCase, event: VariantJudged) -> TurnFigures:
        """One more variant."""
        before, after = self.before, self.after
        for result, altered in _turns(question, event):
            more = int(result == "success"), int(result in ("success", "robust"))
            before, after = (before, after.plus(*more)) if altered else (before.plus(*more), after)
        return TurnFigures(max(self.most, len(event.turns)), before, after)


def _turns(question: QuestionCase, event: VariantJudged) -> Iterator[tuple[Result, bool]]:
    """What came of each judged turn until one breaks, and whether anything had been altered by then."""
    asked = question.asked.get(event.unit)
    unchanged = {(turn.text, turn.passages) for turn in question.question.turns}
    for each in event.turns if asked else ():
        sent = asked.turns[: each.turn + 1] if asked else ()
        result = result_of(event.expect, each.verdict.kind)
        yield result, any((turn.text, turn.passages) not in unchanged for turn in sent)
        if result == "success":
            return

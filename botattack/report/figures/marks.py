"""Which marks held in a run, as a fold over its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from botattack.events import Event, Mark, Marked, QuestionOpened, RunStarted, TriageRead

WHEN = len("20260101T020000Z")
"""Characters of the id of a run that say when it began. What follows is drawn, and orders nothing."""


@dataclass(frozen=True)
class MarkFigures:
    """A mark `of` what was sent: `left_out` of its verdicts enter no figure, as it holds; `changed` ones count, as the
    bot or the judge now says something else, and `now` is what the verdicts are. A person `settled` others, which
    count. With none of these it fits nothing. The run is `newer` if it is the one that the mark was said of, or
    a later one."""

    of: str
    mark: Mark
    left_out: int = 0
    changed: int = 0
    now: tuple[str, ...] = ()
    settled: int = 0
    newer: bool = False


class MarkFold:
    """What readers left out does not matter here (`readers.py`)."""

    def __init__(self) -> None:
        self._known: Mapping[str, Mark] = {}
        self._asked: dict[str, bool] = {}
        """Whether the run asked the question of each mark; a mark that names no question counts as asked."""
        self._left_out: Counter[str] = Counter()
        self._settled: Counter[str] = Counter()
        self._changed: dict[str, Counter[str]] = {}
        self._run = self._day = ""
        self._diagnoses = False

    def update(self, event: Event) -> None:
        if isinstance(event, RunStarted):
            self._run, self._day = event.run, event.started[:10]
            self._diagnoses = event.shrinks is not None or event.whys is not None
        elif isinstance(event, TriageRead):
            self._known = event.marks
            self._asked = {mark.question: not mark.question for mark in event.marks.values()} | self._asked
        elif isinstance(event, QuestionOpened):
            self.opened(event.question.text)
        elif isinstance(event, Marked) and event.by_readers:
            return
        elif isinstance(event, Marked) and event.holds:
            (self._settled if event.settled else self._left_out)[event.of] += 1
        elif isinstance(event, Marked):
            self._changed.setdefault(event.of, Counter())[event.judged.verdict.kind] += 1

    def opened(self, question: str) -> None:
        if question in self._asked:
            self._asked[question] = True

    def value(self) -> tuple[MarkFigures, ...]:
        """Those that changed first, then those that hold. A mark of a question that the run did not ask is left out,
        and so is one that fits nothing in a run that diagnoses the findings of another: it did its work before."""
        asked = {} if self._diagnoses else self._asked
        found = [self._figures(of, mark) for of, mark in self._known.items()]
        found = [one for one in found if asked.get(one.mark.question) or one.left_out or one.changed or one.settled]
        return tuple(sorted(found, key=lambda one: (not one.changed, not one.left_out, one.mark.mark, one.of)))

    def _figures(self, of: str, mark: Mark) -> MarkFigures:
        changed = self._changed.get(of, Counter())
        newer = self._run[:WHEN] >= mark.run[:WHEN] if mark.run else self._day > mark.date  # older marks lack the run
        now = tuple(sorted(changed))
        return MarkFigures(of, mark, self._left_out[of], changed.total(), now, self._settled[of], newer)

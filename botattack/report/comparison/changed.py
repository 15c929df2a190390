"""Verdicts that judging again has changed, as a fold over pairs of events: as recorded, and as of today."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import tee

from botattack.cases import Alteration, OpenCases, QuestionCase
from botattack.events import AnyEvent, Event, JudgedBy, OriginalJudged, RunStarted, VariantJudged
from botattack.report.comparison.diff import ORIGINALS
from botattack.report.escape import visible
from botattack.report.numbers import count
from botattack.report.story.blocks import Example, Fact
from botattack.report.story.in_markdown import example_lines
from botattack.report.wording.alterations import marked
from botattack.report.wording.outcomes import reproduce
from botattack.report.wording.verdict_words import judge_named

KEPT = 1000
"""Changes that are kept by name."""
SHOWN = 20


@dataclass(frozen=True)
class Changed:
    """A unit that means something else today. `was` and `now` are verdicts, or standings of an original."""

    row: str
    was: str
    now: str
    why: str
    question_id: str
    unit: str
    alteration: Alteration


class Changes:
    """`update` takes an event as it was recorded and the same event as of today."""

    def __init__(self, keep: int = KEPT) -> None:
        self._keep = keep
        self._was, self._now = OpenCases(), OpenCases(_verdicts)
        self._found: list[Changed] = []
        self._counts: Counter[tuple[str, str, str]] = Counter()
        """Of each row and pair of verdicts, how many changed so."""
        self._steered: dict[str, set[str]] = {}
        self._judges: tuple[JudgedBy, JudgedBy] | None = None

    def update(self, was: AnyEvent, now: AnyEvent) -> None:
        if isinstance(was, RunStarted) and isinstance(now, RunStarted):
            self._judges = was.judge, now.judge
        before, after = self._was.update(was), self._now.update(now)
        if before is not None and after is not None:
            self._add(before, after)

    @property
    def found(self) -> list[Changed]:
        """What changed, once all events were told: questions that are still open come last."""
        for before in list(self._was):
            after = self._now.close(before.question.id)
            if after is not None and self._was.close(before.question.id):
                self._add(before, after)
        return self._found

    def _add(self, before: QuestionCase, after: QuestionCase) -> None:
        old, new, question = before.original, after.original, before.question.id
        if old and new:
            alteration = before.alteration(before.unit)
            why = new.verdict.why
            self._note(Changed(ORIGINALS, old.standing, new.standing, why, question, before.unit, alteration))
        both = zip(before.variants, after.judged, strict=True)
        # Of a search, one asking is an attempt and what came of the question.
        for (was, _, alteration), now in {(one[0].judged.attack, one[0].judged.unit): one for one in both}.values():
            if was.parent and was.verdict.matcher:
                self._steered.setdefault(was.attack, set()).add(was.verdict.matcher)
            kinds = was.verdict.kind, now.verdict.kind
            self._note(Changed(was.attack, *kinds, now.verdict.why, question, was.unit, alteration))

    def _note(self, change: Changed) -> None:
        if change.was != change.now:
            self._counts[change.row, change.was, change.now] += 1
            if len(self._found) < self._keep:
                self._found.append(change)

    def lines(self, recording: str, shown: int = SHOWN) -> Iterator[str]:
        """What changed, as plain text."""
        found, total = self.found, self._counts.total()
        if self._judges and (before := self._judges[0]) != (today := self._judges[1]):
            yield f"judged by {judge_named(today)}; when it was recorded, by {judge_named(before)}"
        yield f"{count(total, 'verdict') if total else 'no verdict'} changed since the run"
        for (row, was, now), number in sorted(self._counts.items()):
            yield f"  {visible(row)}: {number:,} {was} → {now}"
        for attack, matchers in sorted(self._steered.items()):
            yield f"  {visible(attack)} keeps the path it was steered along by {visible(', '.join(sorted(matchers)))}"
        for change in found[:shown]:
            yield from ("", *example_lines(_example(change, recording)))
        if total > min(shown, len(found)):
            yield f"\n… and {total - min(shown, len(found)):,} more; --changes all lists every one"


def _verdicts(event: Event) -> Event | None:
    return event if isinstance(event, OriginalJudged | VariantJudged) else None


def _example(change: Changed, recording: str) -> Example:
    title = f"{change.was} → {change.now}  {visible(change.row)}"
    why = (Fact("because", visible(change.why)),) if change.why else ()
    return Example(title, tuple(marked(change.alteration)), why, reproduce(change.unit, recording))


def paired(
    events: Iterable[AnyEvent], again: Callable[[Iterable[AnyEvent]], Iterable[AnyEvent]]
) -> Iterator[tuple[AnyEvent, AnyEvent]]:
    """Each event beside what `again` makes of it; `again` gives one event for each, in order."""
    was, given = tee(events)
    return zip(was, again(given), strict=True)

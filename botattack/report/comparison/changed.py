"""Verdicts that judging again has changed, as a fold over pairs of events: as recorded, and as of today."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from botattack.events import AnyEvent, Asked, OriginalJudged, QuestionClosed, QuestionOpened, VariantJudged
from botattack.model import Edit
from botattack.report.comparison.diff import ORIGINALS
from botattack.report.escape import visible
from botattack.report.numbers import count
from botattack.report.writers.marks import join
from botattack.report.writers.words import marked, quoted

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
    question: str
    unit: str
    edits: tuple[Edit, ...] = ()
    sent: str = ""


class Changes:
    """`update` takes an event as it was recorded and the same event as of today."""

    def __init__(self, keep: int = KEPT) -> None:
        self._keep = keep
        self._questions: dict[str, str] = {}
        self._sent: dict[str, dict[str, str]] = {}
        self.found: list[Changed] = []
        self.counts: Counter[tuple[str, str, str]] = Counter()
        """Of each row and pair of verdicts, how many changed so."""
        self._steered: dict[str, set[str]] = {}

    def update(self, was: AnyEvent, now: AnyEvent) -> None:
        match was, now:
            case QuestionOpened(), _:
                self._questions[was.question.id] = was.question.text
            case Asked(), _:
                self._sent.setdefault(was.question, {})[was.unit] = was.turns[-1].text
            case OriginalJudged(), OriginalJudged() if was.standing != now.standing:
                unit = was.units[0] if was.units else ""
                self._note(Changed(ORIGINALS, was.standing, now.standing, now.verdict.why, was.question, unit))
            case VariantJudged(), VariantJudged():
                self._variant(was, now)
            case QuestionClosed(), _:
                self._questions.pop(was.question, None)
                self._sent.pop(was.question, None)

    def _variant(self, was: VariantJudged, now: VariantJudged) -> None:
        if was.parent and was.verdict.matcher:
            self._steered.setdefault(was.attack, set()).add(was.verdict.matcher)
        if was.verdict.kind != now.verdict.kind:
            kinds = was.verdict.kind, now.verdict.kind
            self._note(Changed(was.attack, *kinds, now.verdict.why, was.question, was.unit, was.edits))

    def _note(self, change: Changed) -> None:
        """`change` has the id of its question; what is kept has its text."""
        self.counts[change.row, change.was, change.now] += 1
        if len(self.found) < self._keep:
            sent = self._sent.get(change.question, {}).get(change.unit, "")
            self.found.append(replace(change, question=self._questions.get(change.question, sent), sent=sent))

    def lines(self, recording: str, shown: int = SHOWN) -> Iterator[str]:
        """What changed, as plain text."""
        total = self.counts.total()
        yield f"{count(total, 'verdict') if total else 'no verdict'} changed since the run"
        for (row, was, now), number in sorted(self.counts.items()):
            yield f"  {visible(row)}: {number:,} {was} → {now}"
        for attack, matchers in sorted(self._steered.items()):
            yield f"  {visible(attack)} keeps the path it was steered along by {visible(', '.join(sorted(matchers)))}"
        for change in self.found[:shown]:
            yield ""
            yield from _told(change, recording)
        if total > min(shown, len(self.found)):
            yield f"\n… and {total - min(shown, len(self.found)):,} more; --changes all lists every one"


def _told(change: Changed, recording: str) -> Iterator[str]:
    head, *rest = (join(pieces) for pieces in marked(change.question, change.edits, change.sent or change.question))
    yield f"{change.was} → {change.now}  {visible(change.row)}: {head}"
    yield from (f"  {line}" for line in rest)
    if change.why:
        yield f"  because {visible(change.why)}"
    yield f"  botattack replay {quoted(recording)} --unit {quoted(change.unit)}"


def paired(
    events: Iterable[AnyEvent], again: Callable[[Iterable[AnyEvent]], Iterable[AnyEvent]]
) -> Iterator[tuple[AnyEvent, AnyEvent]]:
    """Each event beside what `again` makes of it; `again` gives one event for each, in order."""
    waiting: deque[AnyEvent] = deque()

    def remembered() -> Iterator[AnyEvent]:
        for event in events:
            waiting.append(event)
            yield event

    for now in again(remembered()):
        yield waiting.popleft(), now

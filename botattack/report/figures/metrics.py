"""The figures of a run as a fold over its events: the same from a live run and from its recording.

Only the counts of open questions are held; a closed question is folded into sums, so that memory does not depend on
how many there were. Events of different questions may come in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from botattack.events import (
    Asked,
    AttackEnded,
    Event,
    HeldGate,
    OriginalJudged,
    Paced,
    QuestionClosed,
    QuestionOpened,
    RecordSkipped,
    RunEnded,
    RunStarted,
    ServiceAsked,
    VariantJudged,
)
from botattack.model import Expect, Verdict
from botattack.report.figures.figures import FaultFigures, Figures, QuestionFigures, RequestFigures, RunFigures
from botattack.report.figures.gates import checked
from botattack.report.figures.measures import Measures, compared
from botattack.report.figures.sums import Heard, OpenQuestion, Sums
from botattack.report.figures.unanswered import Silences


class Metrics:
    """Folds events into `Figures`; `value()` may be asked at any time and counts questions still open, too."""

    def __init__(self) -> None:
        self._run = RunFigures()
        self._last = 0.0
        self._expect: dict[str, Expect] = {}
        self._seen: dict[str, Expect] = {}
        self._questions = QuestionFigures()
        self._standings: Counter[str] = Counter()
        self._requests = _Requests()
        self._failures: Counter[str] = Counter()
        self._askings = 0
        self._unjudged: Counter[str] = Counter()
        self._ended_by: Counter[tuple[str, str]] = Counter()
        """Attacks and the faults that ended them."""
        self._gates: tuple[HeldGate, ...] = ()
        self._open: dict[str, OpenQuestion] = {}
        self._sums = Sums()
        self._measures = Measures()
        self._silences = Silences()

    def update(self, event: Event) -> None:
        match event:
            case Asked():
                self._requests.asked(event)
                self._askings += 1
                if event.failure:
                    self._failures[event.failure.kind] += 1
                self._of(event.question).heard[event.unit] = Heard.of(event)
            case VariantJudged():
                self._judged(event.verdict)
                self._seen.setdefault(event.attack, event.expect)
                question = self._of(event.question)
                question.judged(event)
                self._silences.variant(event, question.heard.get(event.unit))
            case QuestionClosed():
                closed = self._open.pop(event.question, None) or OpenQuestion()
                self._sums.add(closed)
                self._measures.add(closed)
            case OriginalJudged():
                self._original(event)
            case QuestionOpened():
                self._opened(event)
            case AttackEnded():
                self._of(event.question).ended[event.attack] = event
                if event.failed:
                    self._ended_by[event.attack, event.failed] += 1
            case _:
                self._of_the_run(event)
        self._last = max(self._last, event.at)

    def value(self) -> Figures:
        sums, measures = self._sums.copy(), self._measures.copy()
        for question in self._open.values():
            sums.add(question)
            measures.add(question)
        names = dict(self._expect) | {name: self._seen[name] for name in sorted(self._seen.keys() - self._expect)}
        figures = Figures(
            replace(self._run, seconds=max(self._last, self._requests.seconds)),
            self._question_figures(),
            compared({name: sums.attack(name, expect) for name, expect in names.items()}, measures),
            self._requests.value(),
            measures.overall(names),
            dict(self._failures.most_common()),
            self._askings,
            self._silences.value(),
            faults=tuple(self._faults(measures.faults)),
        )
        return replace(figures, gates=checked(self._gates, figures)) if self._gates else figures

    def _judged(self, verdict: Verdict) -> None:
        if verdict.failed:
            self._unjudged[verdict.failed] += 1

    def _faults(self, unmeasured: Counter[str]) -> Iterator[FaultFigures]:
        for reason, times in _by_frequency(self._unjudged):
            yield FaultFigures("judge", None, reason, times)
        for (attack, reason), times in _by_frequency(self._ended_by):
            yield FaultFigures("attack", attack, reason, times)
        for reason, times in _by_frequency(unmeasured):
            yield FaultFigures("measures", None, reason, times)

    def _of(self, question: str) -> OpenQuestion:
        found = self._open.get(question)
        if found is None:
            found = self._open[question] = OpenQuestion()
        return found

    def _original(self, event: OriginalJudged) -> None:
        question = self._of(event.question)
        question.original = event
        self._silences.original(event, [question.heard.get(unit) for unit in event.units])
        self._judged(event.verdict)
        self._standings[event.standing] += 1
        self._standings["attacked"] += event.attacked

    def _opened(self, event: QuestionOpened) -> None:
        if event.duplicates:
            more = self._questions.duplicates + event.duplicates
            self._questions = replace(self._questions, duplicates=more)
        opened = self._of(event.question.id)
        opened.kind, opened.language = event.question.kind, event.question.lang
        opened.answers = event.question.answers

    def _of_the_run(self, event: Event) -> None:
        questions = self._questions
        match event:
            case RunStarted():
                self._run = RunFigures(
                    event.run, event.target, event.started, 0.0, event.seed, event.filter, weaker=event.weaker
                )
                self._expect = dict(event.attacks)
                self._measures.all_attacked = event.filter == "all"
                self._questions = replace(questions, total=event.total, gone=event.gone)
            case Paced() if event.ceiling is not None:
                self._requests.learned = event.ceiling
            case RecordSkipped():
                self._questions = replace(questions, bad_records=questions.bad_records + 1)
            case ServiceAsked():
                self._requests.asked_service(event)
            case RunEnded():
                self._requests.ended(event)
                self._run = replace(self._run, exit=event.exit, why=event.why)
                self._gates = event.gates

    def _question_figures(self) -> QuestionFigures:
        standings = self._standings
        return replace(
            self._questions,
            asked=standings.total() - standings["attacked"],
            correct=standings["kept"],
            wrong=standings["wrong"],
            refused=standings["refused"],
            error=standings["error"],
            unsure=standings["unsure"],
            unstable=standings["unstable"],
            kept=standings["attacked"],
        )


_Counted = TypeVar("_Counted", str, tuple[str, str])


def _by_frequency(counts: Counter[_Counted]) -> list[tuple[_Counted, int]]:
    """The most frequent first, equals in the order of their names: no order of questions changes it."""
    return sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))


def figures_of(events: Iterable[Event]) -> Figures:
    """The figures of a whole recording."""
    metrics = Metrics()
    for event in events:
        metrics.update(event)
    return metrics.value()


class _Requests:
    """Requests and seconds over all processes of a run.

    A process that was killed left no total; its requests are then those of the attempts it recorded.
    """

    def __init__(self) -> None:
        self._done = RequestFigures()
        self._sent = self._retried = self._limited = self._services = 0
        self.seconds = 0.0
        self.learned: float | None = None

    def asked_service(self, event: ServiceAsked) -> None:
        self._sent += event.requests
        self._services += event.requests

    def asked(self, event: Asked) -> None:
        for number, attempt in enumerate(event.attempts):
            self._sent += attempt.requests
            self._retried += number > 0 and attempt.requests > 0
            self._limited += attempt.failure is not None and attempt.failure.kind == "rate limited"

    def ended(self, event: RunEnded) -> None:
        done = self._done
        self._done = RequestFigures(
            done.sent + max(self._sent, event.requests),
            done.retried + max(self._retried, event.retried),
            done.rate_limited + max(self._limited, event.rate_limited),
            done.services + self._services,
        )
        self._sent = self._retried = self._limited = self._services = 0
        self.seconds += event.seconds

    def value(self) -> RequestFigures:
        done = self._done
        return RequestFigures(
            done.sent + self._sent,
            done.retried + self._retried,
            done.rate_limited + self._limited,
            done.services + self._services,
            self.learned,
        )

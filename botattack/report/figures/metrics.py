"""The figures of a run as a fold over its events: the same from a live run and from its recording.

A closed question is folded into sums, so that memory does not depend on how many there were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import replace
from typing import TypeVar

from botattack import events
from botattack.cases import OpenCases, QuestionCase
from botattack.model import Expect
from botattack.outage import Outages
from botattack.report.figures.assistant import AssistantFold
from botattack.report.figures.broken import BrokenFigures, Left, why_left
from botattack.report.figures.causes import Causes
from botattack.report.figures.chance import weighed
from botattack.report.figures.diagnoses import ShrinkFold, WhyFold
from botattack.report.figures.early import Early
from botattack.report.figures.figure_values import FaultFigures, Figures, QuestionFigures, RequestFigures, RunFigures
from botattack.report.figures.findings import KEPT, Finding, Findings
from botattack.report.figures.first_readings import FirstReadings
from botattack.report.figures.gates import with_gates
from botattack.report.figures.marks import MarkFold
from botattack.report.figures.measures import Measures, compared
from botattack.report.figures.readers import ReaderFold
from botattack.report.figures.sums import Sums
from botattack.report.figures.unanswered import Silences
from botattack.report.figures.withheld import withheld

SKIPPED = 50
"""Bad records that are kept by name."""


class Metrics:
    """Folds events into `Figures` and findings; both may be asked at any time and count questions still open, too."""

    def __init__(self, findings: int = KEPT) -> None:
        """`findings` is how many of them are kept."""
        self._open = OpenCases()
        self._run = _RunFold()
        self._closed = _QuestionSums(findings)
        self._early: Early | None = None
        self._known: tuple[Figures, tuple[Finding, ...]] | None = None
        """What was made of the events so far: the end of a run asks for it four times."""

    @property
    def decided(self) -> bool:
        """Whether a run that stops when it is sure may stop."""
        return self._early is not None and self._early.decided

    def update(self, event: events.Event) -> None:
        self._known = None
        if isinstance(event, events.RunStarted):
            if self._early:
                self._early.started_again(event)
            elif event.stops:
                self._early = Early(event, event.stops)
            self._closed.measures.any_time = self._closed.sums.any_time = self._early is not None
            self._closed.measures.all_attacked = event.filter == "all"
            self._closed.measures.by_f1 = event.judge.matcher == "f1"
            self._closed.sums.doors = len(event.carriers)
            self._closed.diagnose(event)
        elif isinstance(event, events.Reading | events.KnownRead):
            self._closed.readers.update(event)
        self._run.update(event)
        if (closed := self._open.update(event)) is not None:
            for case in self._early.in_turn(closed) if self._early else (closed,):
                self._closed.add(case)

    def value(self) -> Figures:
        return self._now()[0]

    def findings(self) -> tuple[Finding, ...]:
        """The shortest edits that broke the bot, in the order in which they are shown."""
        return self._now()[1]

    def _now(self) -> tuple[Figures, tuple[Finding, ...]]:
        if self._known is None:
            questions = self._questions()
            self._known = self._figures(questions), questions.examples()
        return self._known

    def _figures(self, questions: _QuestionSums) -> Figures:
        run = self._run
        seen, measures = questions.seen, questions.measures
        names = dict(run.expect) | {name: seen[name] for name in sorted(seen.keys() - run.expect)}
        attacks = compared({name: questions.sums.attack(name, expect) for name, expect in names.items()}, measures)
        requests = run.requests.value()
        figures = Figures(
            replace(run.figures, seconds=max(run.last, run.requests.seconds), weaker=run.weaker),
            questions.figures(run.questions),
            {
                name: replace(attack, corrected=questions.readers.corrected(attack, name))
                for name, attack in attacks.items()
            },
            requests,
            measures.overall(names),
            questions.broken,
            dict(run.failures.most_common()),
            run.askings,
            questions.silences.value(),
            faults=tuple(questions.faults()),
            skipped=tuple(run.skipped),
            causes=questions.causes.value(),
            early=self._early.value(requests.sent) if self._early else None,
            outage=run.outages.value(),
            marks=run.marks.value(),
            shrunk=questions.shrunk.value() if questions.shrunk else None,
            why=questions.why.value() if questions.why else None,
            assistant=questions.assistant.value(any_time=questions.sums.any_time),
            readers=questions.readers.value(),
            memory=run.memory,
        )
        figures = withheld(figures, first_success=run.first_success)
        figures = replace(figures, causes=weighed(figures))
        return with_gates(figures, run.gates) if run.gates else figures

    def _questions(self) -> _QuestionSums:
        questions = deepcopy(self._closed)
        for case in () if self.decided else (*(self._early.waiting if self._early else ()), *self._open):
            questions.add(case)
        questions.add_waiting()
        return questions


class _QuestionSums:
    """What is kept of questions."""

    def __init__(self, findings: int) -> None:
        self.findings = Findings(findings)
        self.unsure = Findings(findings, unsure=True)
        self.broken = BrokenFigures()
        self.seen: dict[str, Expect] = {}
        """Attacks whose variants were judged."""
        self.sums = Sums()
        self.measures = Measures()
        self.causes = Causes()
        self.silences = Silences()
        self.assistant = AssistantFold()
        self.shrunk: ShrinkFold | None = None
        self.why: WhyFold | None = None
        self.readers = ReaderFold()
        self._waiting: dict[str, list[QuestionCase]] = {}
        """Questions whose turn at another door is not over: what came of all of them is one cluster of figures."""
        self._standings: Counter[str] = Counter()
        """By their names in `QuestionFigures`; together they are those asked."""
        self._beside: Counter[str] = Counter()
        """The same of what are parts of these."""
        self._left: Counter[Left] = Counter()
        self._attacks: frozenset[str] = frozenset()
        self._doors: dict[str, tuple[int, int]] = {}
        self._first: dict[str, tuple[str, str]] = {}
        self._duplicates = 0
        self._unjudged: Counter[str] = Counter()
        self._ended_by: Counter[tuple[str, str]] = Counter()
        """Attacks and the faults that ended them."""

    def diagnose(self, event: events.RunStarted) -> None:
        """What the run says of itself when it starts; a resumed one says it again."""
        self._attacks = frozenset(event.attacks)
        if event.shrinks and self.shrunk is None:
            self.shrunk = ShrinkFold(event.shrinks)
        if event.whys and self.why is None:
            self.why = WhyFold(event.whys)

    def add(self, case: QuestionCase) -> None:
        doors = self._waiting.setdefault(case.question.base, [])
        doors.append(case)
        if len(doors) == (self.sums.doors if case.question.passages else 1):
            self._add_doors(self._waiting.pop(case.question.base))
        self._count(case)

    def examples(self) -> tuple[Finding, ...]:
        """What broke the bot; if no rate has a variant, what did that may ask something else."""
        return self.findings.value() if self.broken.rated else self.unsure.value()

    def add_waiting(self) -> None:
        """Those that are not through all doors count with what there is."""
        for doors in self._waiting.values():
            self._add_doors(doors)

    def _add_doors(self, doors: list[QuestionCase]) -> None:
        self.sums.add(*doors)
        self.measures.add(*doors)
        self.readers.add(*doors)
        self.assistant.add(*doors)
        self.broken = self.broken.add(*doors)

    def _count(self, case: QuestionCase) -> None:
        self.findings.add(case)
        self.unsure.add(case)
        self.causes.add(case)
        self.silences.add(case)
        for fold in (self.shrunk, self.why):
            if fold:
                fold.add(case)
        self._duplicates += case.duplicates
        if left := why_left(case, self._attacks):
            self._left[left] += 1
        self._stands(case)
        for event in case.judged:
            if event.is_outcome:
                self.seen.setdefault(event.attack, event.expect)
        for judged in (case.original, *case.judged):
            if judged is not None and judged.verdict.failed:
                self._unjudged[judged.verdict.failed] += 1
        for attack, ended in case.ended.items():
            if ended.failed:
                self._ended_by[attack, ended.failed] += 1

    def _stands(self, case: QuestionCase) -> None:
        if original := case.original or case.left_out:
            standing = "marked" if case.left_out else {"kept": "correct"}.get(original.standing, original.standing)
            self._standings[standing] += 1
            self._beside["kept"] += original.attacked
            self._beside["own"] += standing == "correct" and not case.question.has_gold
            if standing in ("wrong", "refused", "unsure"):
                self._first[standing] = min(self._first.get(standing, ("~", "")), (case.unit, case.question.text))
            if self.sums.doors > 1 and case.question.passages:
                asked, right = self._doors.get(case.door, (0, 0))
                self._doors[case.door] = asked + 1, right + (standing == "correct")
            if case.question.history or case.question.earlier:
                self._beside.update(follow_ups=1, follow_ups_failed=standing in ("wrong", "refused"))

    def figures(self, of_run: QuestionFigures) -> QuestionFigures:
        return replace(
            of_run,
            asked=self._standings.total(),
            duplicates=self._duplicates,
            doors=dict(sorted(self._doors.items())),
            left=dict(sorted(self._left.items())),
            first=dict(sorted(self._first.items())),
            **self._standings,
            **self._beside,
        )

    def faults(self) -> Iterator[FaultFigures]:
        for reason, times in _by_frequency(self._unjudged):
            yield FaultFigures("judge", None, reason, times)
        for (attack, reason), times in _by_frequency(self._ended_by):
            yield FaultFigures("attack", attack, reason, times)
        for reason, times in _by_frequency(self.measures.faults):
            yield FaultFigures("measures", None, reason, times)


class _RunFold:
    """What belongs to no question, and the requests."""

    def __init__(self) -> None:
        self.figures = RunFigures()
        self.questions = QuestionFigures()
        self.last = 0.0
        self.expect: dict[str, Expect] = {}
        self.requests = _Requests()
        self.first = FirstReadings()
        self.failures: Counter[str] = Counter()
        self.askings = 0
        self.gates: tuple[events.HeldGate, ...] = ()
        self.skipped: list[events.RecordSkipped] = []
        self.marks = MarkFold()
        self.outages = Outages()
        self.memory: events.MemoryProbed | None = None
        self.first_success = False

    def update(self, event: events.Event) -> None:
        self.last = max(self.last, event.at)
        self.marks.update(event)
        self.outages.update(event)
        self.requests.update(event)
        self.first.update(event)
        match event:
            case events.Asked():
                self.askings += 1
                if event.failure:
                    self.failures[event.failure.kind] += 1
            case events.RunStarted():
                self._begins(event)
            case events.BoilerplateKnown():
                known = dict.fromkeys((*self.figures.boilerplate, *event.sentences))
                self.figures = replace(
                    self.figures, boilerplate=tuple(known), learnt_from=max(self.figures.learnt_from, event.learnt_from)
                )
            case events.MemoryProbed() if self.memory is None or event.seen == "leaks":
                self.memory = event
            case events.RecordSkipped():
                self.questions = replace(self.questions, bad_records=self.questions.bad_records + 1)
                if len(self.skipped) < SKIPPED:
                    self.skipped.append(event)
            case events.RunEnded():
                self.figures = replace(self.figures, exit=event.exit, why=event.why)
                self.gates, self.first_success = event.gates, event.first_success

    @property
    def weaker(self) -> tuple[str, ...]:
        return (*self.figures.weaker, *filter(None, [self.first.doubt]))

    def _begins(self, event: events.RunStarted) -> None:
        self.figures = replace(
            self.figures,
            id=event.run,
            target=event.target,
            started=event.started,
            seed=event.seed,
            filter=event.filter,
            exit=None,
            why="",
            weaker=event.weaker,
            judge=event.judge,
            campaign=event.campaign,
            flags=event.flags,
        )
        self.expect = dict(event.attacks)
        self.questions = replace(self.questions, total=event.total, gone=event.gone)


_Counted = TypeVar("_Counted", str, tuple[str, str])


def _by_frequency(counts: Counter[_Counted]) -> list[tuple[_Counted, int]]:
    """The most frequent first, equals in the order of their names: no order of questions changes it."""
    return sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))


def figures_of(told: Iterable[events.Event]) -> Figures:
    """The figures of a whole recording."""
    metrics = Metrics()
    for event in told:
        metrics.update(event)
    return metrics.value()


class _Requests:
    """Requests and seconds over all processes of a run.

    A process that was killed left no total; its requests are then those of the attempts it recorded, and of the turns
    of conversations that never came to an end.
    """

    def __init__(self) -> None:
        self._done: Counter[str] = Counter()
        """By their names in `RequestFigures`, of the processes that have ended."""
        self._now: Counter[str] = Counter()
        """The same of the one that has not."""
        self._open: dict[tuple[str, str], dict[int, int]] = {}
        """Requests of the turns of conversations, by question and unit, of which no end is recorded."""
        self.seconds = 0.0
        self.learned: float | None = None

    def update(self, event: events.Event) -> None:
        match event:
            case events.Asked():
                self.asked(event)
            case events.ConversationBegun() | events.TurnSaid():
                self.said(event)
            case events.ServiceAsked() | events.DocumentAdded() | events.DocumentRemoved() | events.MemoryProbed():
                self.beside(event)
            case events.Paced() if event.ceiling is not None:
                self.learned = event.ceiling
            case events.RunEnded():
                self.ended(event)

    def said(self, event: events.ConversationBegun | events.TurnSaid) -> None:
        conversations = self._open.setdefault((event.question, event.unit), {})
        requests = event.requests if isinstance(event, events.TurnSaid) else 0
        conversations[event.conversation] = conversations.get(event.conversation, 0) + requests
        self._now["sent"] += requests

    def beside(
        self, event: events.ServiceAsked | events.DocumentAdded | events.DocumentRemoved | events.MemoryProbed
    ) -> None:
        self._now["sent"] += event.requests
        if isinstance(event, events.ServiceAsked):
            self._now["services"] += event.requests

    def asked(self, event: events.Asked) -> None:
        # The attempts count their own; conversations of a process that was killed are nobody else's.
        conversations = self._open.pop((event.question, event.unit), {})
        counted = sum(attempt.requests > 0 for attempt in event.attempts)
        self._now["sent"] -= sum([*conversations.values()][max(0, len(conversations) - counted) :])
        for number, attempt in enumerate(event.attempts):
            limited = attempt.failure is not None and attempt.failure.kind == "rate limited"
            self._now["sent"] += attempt.requests
            self._now["retried"] += number > 0 and attempt.requests > 0
            self._now["rate_limited"] += limited

    def ended(self, event: events.RunEnded) -> None:
        self._now |= Counter(sent=event.requests, retried=event.retried, rate_limited=event.rate_limited)
        self._done += self._now
        self._now.clear()
        self.seconds += event.seconds

    def value(self) -> RequestFigures:
        return RequestFigures(cut_off=len(self._open), learned_rate=self.learned, **(self._done + self._now))

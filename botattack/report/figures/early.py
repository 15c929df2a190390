"""Where a run that stops when it is sure has seen enough: a fold over its questions in the order of opening.

The run, its replay and its resumption all decide by this fold, on the same first questions: the decision depends
neither on the concurrency nor on which answer came first. Questions that were under way beyond it are in no figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from botattack.cases import QuestionCase
from botattack.events import RunStarted, StopRule
from botattack.model import CONTROL
from botattack.report.figures.figure_values import EarlyStop
from botattack.report.figures.gates import AnyGate, bounds_of, limit_of
from botattack.report.statistics.betting import Bets

ALPHA = 0.05
"""Each gate is decided wrongly in at most this share of runs."""
_STANDING = frozenset({"kept", "wrong", "refused"})


class Early:
    """Decides by the rule of the start of a run."""

    def __init__(self, started: RunStarted, rule: StopRule) -> None:
        self._rule, self._expect, self._total = rule, started.attacks, started.total
        self._gates = [
            (gate, Bets(min(1.0, max(0.0, limit_of(gate, bound))), self._most(gate), self._total, ALPHA))
            # An older botattack went on until rates were known, too: nothing of such a run was decided by gates alone.
            for gate in (rule.gates if rule.half_width is None else ())
            for bound in bounds_of(gate)
            if bound != "drop_at_most" or gate.before is not None
        ]
        self._waiting: dict[int, QuestionCase] = {}
        self._questions = self._requests = 0
        self.decided = False

    def _most(self, gate: AnyGate) -> int:
        """How many outcomes of one question a gate looks at, at most."""
        if gate.metric == "accuracy_under_attack" or (gate.metric == "standard_accuracy" and not gate.attack):
            return 1
        return self._rule.most[gate.attack] if gate.attack else sum(self._rule.most[one] for one in self._same)

    @property
    def _same(self) -> list[str]:
        return [name for name, expect in self._expect.items() if expect == "same" and name != CONTROL]

    def started_again(self, started: RunStarted) -> None:
        """Another number of questions, after the file was changed: then nothing is decided early."""
        if started.total != self._total or started.gone:
            self._gates = []

    def in_turn(self, case: QuestionCase) -> Iterator[QuestionCase]:
        """The questions that count now that this one has closed."""
        self._waiting[case.number] = case
        while not self.decided and (following := self._waiting.pop(self._questions, None)) is not None:
            self._add(following)
            yield following

    @property
    def waiting(self) -> Iterator[QuestionCase]:
        """Those that closed before one that was opened earlier."""
        return iter(() if self.decided else self._waiting.values())

    def _add(self, case: QuestionCase) -> None:
        self._questions += 1
        self._requests += sum(asked.requests for asked in case.asked.values())
        for gate, bets in self._gates:
            bets.add(*outcomes(case, gate.metric, gate.attack))
        shown = [bets.above or bets.below for _, bets in self._gates]
        self.decided = self._questions < self._total and bool(shown) and all(shown)

    def value(self, sent: int) -> EarlyStop | None:
        """What was decided, in a run that has `sent` so many requests; None if it was not."""
        if not self.decided:
            return None
        planned = self._requests * self._total // self._questions
        return EarlyStop(self._questions, self._total, planned, max(0, planned - sent))


def outcomes(case: QuestionCase, metric: str, attack: str | None) -> tuple[int, int]:
    """What a question adds to the figure of a gate: x of n. Judged against gold alone."""
    original = case.original
    if original is None or original.reference != "gold" or original.standing not in _STANDING:
        return 0, 0
    if metric == "standard_accuracy" and not attack:
        return int(case.right), 1
    answers = [
        event
        for event in case.counted
        if event.result in ("success", "robust")
        and (event.attack == attack if attack else event.attack != CONTROL and event.expect == "same")
    ]
    broken, n = sum(event.result == "success" for event in answers), len(answers)
    if metric == "accuracy_under_attack":
        return int(case.right and not broken), 1
    of_all: Mapping[str, tuple[int, int]] = {
        "standard_accuracy": (n if case.right else 0, n),
        "perturbation_accuracy": (n - broken, n),
    }
    if metric in of_all:
        return of_all[metric]
    return (broken if metric == "success_rate" else n - broken, n) if case.right else (0, 0)

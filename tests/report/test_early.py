"""Where a run that stops when it is sure has seen enough, and what it saved; what each question tells its gates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from botattack.cases import cases
from botattack.events import Event, HeldGate, StopRule
from botattack.model import VerdictKind
from botattack.report.figures.early import outcomes
from botattack.report.figures.figure_values import EarlyStop
from botattack.report.figures.metrics import figures_of
from botattack.report.statistics.betting import Bets
from tests.report.streams import Asking, Try, edit, started, stream

TEXT = "what is the capital of france"
TYPO = (edit(TEXT, "capital", "captial"),)
TOTAL = 60
MOST = {"dpaeg": 3, "case": 2, "negate": 7, "unchanged": 9}
ATTACKS: dict[str, Any] = {"dpaeg": "same", "case": "same", "negate": "different", "unchanged": "same"}


def tries(attack: str, *verdicts: VerdictKind) -> tuple[Try, ...]:
    return tuple(Try(each, TYPO, attack, distance=place + 1) for place, each in enumerate(verdicts))


CHANGED = Try("wrong", TYPO, "negate", expect="different", meaning="changed")
BESIDE = (*tries("unchanged", "wrong", "correct", "correct"), CHANGED)
"""Neither the control nor what is meant to change the answer counts."""
MIXED = (*tries("dpaeg", "wrong", "correct", "correct"), *tries("case", "correct", "wrong"), *BESIDE)
FEW = (*tries("dpaeg", "correct", "correct"), *tries("case", "correct", "error", "unsure"), *BESIDE)


@pytest.mark.parametrize(
    ("asking", "of_all", "of_dpaeg"),
    [
        # accuracy, accuracy under attack, robust and perturbation accuracy; of one attack: accuracy, share broken, …
        (Asking(tries=MIXED), [(1, 1), (0, 1), (3, 5), (3, 5)], [(3, 3), (1, 3), (2, 3), (2, 3)]),
        (Asking(tries=FEW), [(1, 1), (1, 1), (3, 3), (3, 3)], [(2, 2), (0, 2), (2, 2), (2, 2)]),
        (Asking(tries=MIXED, standing="wrong"), [(0, 1), (0, 1), (0, 0), (3, 5)], [(0, 3), (0, 0), (0, 0), (2, 3)]),
        (Asking(tries=FEW, standing="refused"), [(0, 1), (0, 1), (0, 0), (3, 3)], [(0, 2), (0, 0), (0, 0), (2, 2)]),
        (Asking(), [(1, 1), (1, 1), (0, 0), (0, 0)], [(0, 0)] * 4),
        (Asking(tries=MIXED, standing="unsure"), [(0, 0)] * 4, [(0, 0)] * 4),
        (Asking(tries=MIXED, standing="error"), [(0, 0)] * 4, [(0, 0)] * 4),
        (Asking(tries=MIXED, standing="unstable"), [(0, 0)] * 4, [(0, 0)] * 4),
        (Asking(tries=MIXED, reference="own"), [(0, 0)] * 4, [(0, 0)] * 4),
    ],
)
def test_what_a_question_tells_each_gate(
    asking: Asking, of_all: list[tuple[int, int]], of_dpaeg: list[tuple[int, int]]
) -> None:
    (case,) = cases(stream([replace(asking, attacked=True)], ATTACKS))
    shares = "robust_accuracy", "perturbation_accuracy"
    assert [outcomes(case, one, None) for one in ("standard_accuracy", "accuracy_under_attack", *shares)] == of_all
    assert [outcomes(case, one, "dpaeg") for one in ("standard_accuracy", "success_rate", *shares)] == of_dpaeg


def test_a_question_that_is_not_judged_yet_tells_nothing() -> None:
    (case,) = cases(stream([Asking()], ATTACKS)[:3])
    assert [outcomes(case, one, None) for one in ("standard_accuracy", "accuracy_under_attack")] == [(0, 0)] * 2


def run(*gates: HeldGate, half_width: float | None = None) -> list[Event]:
    """One attack breaks every question; the bot is asked three times for each, and once more every fifth time."""
    askings = [
        Asking(
            f"{TEXT} {n}",
            tries=(
                Try("wrong", TYPO, requests=1 if n % 5 else 2),
                Try("correct", TYPO, "case"),
            ),
        )
        for n in range(TOTAL)
    ]
    rule = StopRule(gates=gates, half_width=half_width, most=MOST)
    return stream(askings, ATTACKS, stops=rule)


def decided_after(limit: float, most: int, told: Sequence[tuple[int, int]]) -> int | None:
    """After how many questions a gate is decided, being wrong once in twenty runs; None where it takes the plan."""
    bets = Bets(limit, most, TOTAL, 0.05)
    for number, one in enumerate(told, 1):
        bets.add(*one)
        if (bets.above or bets.below) and number < TOTAL:
            return number
    return None


BROKEN = [(1, 1)] * TOTAL
BOTH = [(1, 2)] * TOTAL
NONE = [(0, 1)] * TOTAL


@pytest.mark.parametrize(
    ("gate", "limit", "most", "told"),
    [
        (HeldGate("success_rate", "dpaeg", at_most=0.7), 0.7, 3, BROKEN),
        (HeldGate("success_rate", "dpaeg", at_least=0.8), 0.8, 3, BROKEN),
        (HeldGate("success_rate", "dpaeg", drop_at_most=0.1, before=0.7), 0.8, 3, BROKEN),
        (HeldGate("robust_accuracy", "dpaeg", drop_at_most=0.1, before=0.3), 0.2, 3, NONE),
        (HeldGate("robust_accuracy", "dpaeg", at_least=0.3), 0.3, 3, NONE),
        (HeldGate("robust_accuracy", at_least=0.6), 0.6, 5, BOTH),
        (HeldGate("perturbation_accuracy", at_least=0.4), 0.4, 5, BOTH),
        (HeldGate("accuracy_under_attack", at_least=0.1), 0.1, 1, NONE),
        (HeldGate("standard_accuracy", at_least=0.9), 0.9, 1, BROKEN),
        (HeldGate("standard_accuracy", "dpaeg", at_least=0.8), 0.8, 3, BROKEN),
        # What only the last question decides is not early.
        (HeldGate("standard_accuracy", at_least=0.99), 0.99, 1, BROKEN),
        # A rate cannot be above 1 or below 0, so that these wait for the end, or for what is certain.
        (HeldGate("success_rate", "dpaeg", drop_at_most=0.4, before=0.9), 1.0, 3, BROKEN),
        (HeldGate("robust_accuracy", "dpaeg", drop_at_most=0.4, before=0.2), 0.0, 3, NONE),
    ],
)
def test_a_gate_is_decided_by_its_own_bets(gate: HeldGate, limit: float, most: int, told: Any) -> None:
    found, after = figures_of(run(gate)), decided_after(limit, most, told)
    assert (found.early.after if found.early else None) == after
    assert found.questions.asked == (after or TOTAL)


def test_a_run_that_is_sure_tells_what_it_saved() -> None:
    gate = HeldGate("success_rate", "dpaeg", at_most=0.7)
    events = run(gate)
    whole = figures_of(events)
    assert whole.early
    after = whole.early.after
    sent = 3 * TOTAL + TOTAL // 5
    planned = (3 * after + -(-after // 5)) * TOTAL // after
    assert whole.requests.sent == sent
    assert whole.early == EarlyStop(after, TOTAL, planned, max(0, planned - sent))
    stopped = events[: 1 + after * len(list(Asking(tries=tries("dpaeg", "wrong") + tries("case", "wrong")).events()))]
    few = figures_of(stopped)
    assert few.early == EarlyStop(after, TOTAL, planned, planned - few.requests.sent)
    assert few.requests.sent == 3 * after + -(-after // 5)


def test_every_gate_is_decided_and_none_by_what_cannot_be() -> None:
    near, far = HeldGate("success_rate", "dpaeg", at_most=0.8), HeldGate("success_rate", "dpaeg", at_most=0.2)
    alone = [figures_of(run(*gates)).early for gates in ((near,), (far,), (far, near))]
    assert [one and one.after for one in alone] == [
        decided_after(0.8, 3, BROKEN),
        decided_after(0.2, 3, BROKEN),
        decided_after(0.8, 3, BROKEN),
    ]
    assert figures_of(run()).early is None
    assert figures_of(run(far, half_width=0.1)).early is None
    without_baseline = HeldGate("success_rate", "dpaeg", drop_at_most=0.1)
    assert figures_of(run(without_baseline)).early is None


@pytest.mark.parametrize(("again", "decides"), [({}, True), ({"gone": ("q",)}, False), ({"total": TOTAL + 1}, False)])
def test_nothing_is_decided_early_once_the_questions_are_others(again: dict[str, Any], decides: bool) -> None:
    first, *others = run(HeldGate("success_rate", "dpaeg", at_most=0.2))
    resumed = started(**{"total": TOTAL, "attacks": ATTACKS, **again})
    assert (figures_of([first, resumed, *others]).early is not None) == decides

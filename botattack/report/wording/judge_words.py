"""Which judge decided, and how often it errs, in words."""

from __future__ import annotations

from botattack.events import JudgedBy
from botattack.report.escape import visible


def judging(by: JudgedBy) -> str:
    """How often the judge erred elsewhere, for a reader who does not ask which judge it is."""
    return f"A program judges the replies; {_errs(by)}."


def judge(by: JudgedBy) -> str:
    """Which judge decided, and how often it erred elsewhere, in a sentence."""
    return f"Judged by {judge_named(by)}; {_errs(by)}"


def _errs(by: JudgedBy) -> str:
    """The range of the judge's errors over systems left out: the average of other bots is not true of this one."""
    if by.wrong_as_correct is None or by.correct_as_wrong is None:
        return "how often it errs is not known here"
    wrong, right = _range(by.wrong_as_correct), _range(by.correct_as_wrong)
    return (
        f"on {by.left_out} sets of replies that it was not trained on, it called {wrong} of the wrong "
        f"replies correct, and {right} of the correct ones wrong"
    )


def _range(shares: tuple[float, float]) -> str:
    """`1 to 7 %`"""
    low, high = (f"{100 * share:.0f}" for share in shares)
    return f"{high} %" if low == high else f"{low} to {high} %"


def judge_named(by: JudgedBy) -> str:
    """`learned weights 1 (5c1b3e0f9a2d), correct from 0.683, wrong below 0.308, unsure between (0.495 if it must
    decide)`"""
    if not by.digest or by.correct is None:
        return f"the matcher {visible(by.matcher)} of botattack {visible(by.botattack)}"
    within = "" if by.matcher == "learned" else f" within the matcher {visible(by.matcher)}"
    return f"learned weights {visible(by.weights)} ({visible(by.digest)}){within}, {thresholds(by.correct, by.unsure)}"


def thresholds(correct: float, unsure: tuple[float, float] | None) -> str:
    """From which probability on the judge calls a reply correct, and what else it calls it."""
    if unsure is None:
        return f"correct from {correct:.3g}, wrong below"
    low, high = unsure
    return f"correct from {high:.3g}, wrong below {low:.3g}, unsure between ({correct:.3g} if it must decide)"

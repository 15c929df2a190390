"""Which judge decided, and how often it errs, in words."""

from __future__ import annotations

from botattack.events import JudgedBy
from botattack.report.escape import visible
from botattack.report.numbers import rounded


def judging(by: JudgedBy | None) -> str:
    """How often the judge is expected to err, for a reader who does not ask which judge it is."""
    if by is None or by.wrong_called_correct is None or by.correct_called_wrong is None:
        return "A program judges the replies; how often it errs is not known here."
    return (
        f"A program judges the replies: it is expected to take {rounded(by.wrong_called_correct)} of wrong replies for "
        f"correct, and {rounded(by.correct_called_wrong)} of correct ones for wrong."
    )


def judge(by: JudgedBy | None) -> str:
    """Which judge decided, and how often it is expected to err, in a sentence."""
    if by is None:
        return "Judged by an earlier botattack, which did not record its rates of error"
    if by.wrong_called_correct is None or by.correct_called_wrong is None:
        return f"Judged by {judge_named(by)}; how often it errs has not been measured"
    return (
        f"Judged by {judge_named(by)}: expected to call {100 * by.wrong_called_correct:.0f} % of wrong replies correct "
        f"and {100 * by.correct_called_wrong:.0f} % of correct ones wrong, as on {by.rows:,} {visible(by.source)}"
    )


def judge_named(by: JudgedBy | None) -> str:
    """`learned weights 1 (5c1b3e0f9a2d), correct from 0.683, wrong below 0.308, unsure between (0.495 if it must
    decide)`"""
    if by is None:
        return "an earlier botattack, which did not record its judge"
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

"""What the judge's own errors do to a rate."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from botattack.events import JudgedBy
from botattack.report.figures.figure_values import AttackFigures, Corrected
from botattack.report.statistics.intervals import z_quantile


class _Errs(NamedTuple):
    """How a judge errs on replies of one kind: the share `wrongly` that it takes for the other kind, the share that it
    is `unsure` of, and the number of replies that both were counted on; 0 if they are taken to be exact."""

    wrongly: float
    unsure: float
    rows: int

    @property
    def sure(self) -> float:
        return 1 - self.unsure

    def variance(self, of_wrongly: float, of_unsure: float) -> float:
        """The variance of a sum with these factors. A reply of each kind is added, for a count of none proves little
        (Lang and Reiczigel 2014)."""
        if not self.rows:
            return 0.0
        a, b = ((share * self.rows + 1) / (self.rows + 2) for share in (self.wrongly, self.unsure))
        squares = of_wrongly**2 * a * (1 - a) + of_unsure**2 * b * (1 - b) - 2 * of_wrongly * of_unsure * a * b
        return max(0.0, squares) / (self.rows + 2)


def corrected(attack: AttackFigures, judge: JudgedBy | None) -> Corrected | None:
    """The share t of answers that are broken, by the judge's rates of error (Rogan and Gladen 1978):

        t = (x (1 - v) - r) / (1 - w - u - r + x (u - v))

    x is the share that it called broken, of the replies that it is sure of. Of broken answers, w is the share that it
    calls correct, and u the share that it is unsure of; of right ones, r is the share that it calls broken, and v the
    share that it is unsure of. The interval takes in that all of these were counted on some replies (Lang and Reiczigel
    2014): each end is as far from t as the same end of the interval of x, and the error of the rates (delta method),
    both squared, added, and their root taken. All are cut at 0 and 1. If no answer were broken, n answers would still
    show a rate of about r: `by_errors_alone` is its range in 95 of 100 such runs. That is an upper bound: a reply with
    the same body as the bot's own right one is judged the same.

    None where the rates are unknown, or higher than all that was called broken, the rate of the attack is unknown or
    says little, or the right answer changes.
    """
    row = attack.gold
    if judge is None or judge.wrong_called_correct is None or judge.correct_called_wrong is None:
        return None
    if attack.expect != "same" or row.success_rate is None or row.interval is None or attack.by_question:
        return None
    u, v = (judge.share_unsure if share is None else share for share in (judge.unsure_of_wrong, judge.unsure_of_right))
    wrong = _Errs(judge.wrong_called_correct, u, judge.wrong_rows)
    right = _Errs(judge.correct_called_wrong, v, judge.rows - judge.wrong_rows if judge.wrong_rows else 0)
    low, high = row.interval
    if wrong.wrongly + u + right.wrongly >= 1 or wrong.wrongly + right.wrongly >= min(wrong.sure, right.sure):
        return None
    alone, z = right.wrongly / right.sure, z_quantile(0.95)
    if high <= alone:
        return None  # the judge's errors alone would show more: its rates are not those of this bot
    t = _broken(row.success_rate, wrong, right)
    ends = [(_broken(x, wrong, right), x) for x in (low, high)]
    gaps = [sqrt((end - t) ** 2 + z**2 * _variance(x, end, wrong, right)) for end, x in ends]
    spread = alone * (1 - alone) / row.rated + right.variance(1 / right.sure, alone / right.sure)
    return Corrected(
        _cut(t),
        (_cut(t - gaps[0]), _cut(t + gaps[1])),
        (_cut(alone - z * sqrt(spread)), _cut(alone + z * sqrt(spread))),
    )


def _broken(x: float, wrong: _Errs, right: _Errs) -> float:
    return (x * right.sure - right.wrongly) / _scale(x, wrong, right)


def _scale(x: float, wrong: _Errs, right: _Errs) -> float:
    return wrong.sure - wrong.wrongly - right.wrongly + x * (wrong.unsure - right.unsure)


def _variance(x: float, t: float, wrong: _Errs, right: _Errs) -> float:
    """That of t, as far as it comes from the judge's rates: its derivatives, by their variance."""
    t = _cut(t)
    of_wrong, of_right = wrong.variance(t, t * (1 - x)), right.variance(1 - t, x * (1 - t))
    return (of_wrong + of_right) / _scale(x, wrong, right) ** 2


def _cut(share: float) -> float:
    return min(1.0, max(0.0, share))

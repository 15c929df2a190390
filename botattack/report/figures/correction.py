"""What the judge's own errors do to a rate."""

from __future__ import annotations

from math import sqrt

from botattack.events import JudgedBy
from botattack.report.figures.figure_values import AttackFigures, Corrected
from botattack.report.figures.statistics import z_quantile


def corrected(attack: AttackFigures, judge: JudgedBy | None) -> Corrected | None:
    """The share t of answers that are broken, by the judge's rates of error (Rogan and Gladen 1978):

        t = (x - r) / (1 - r - w)

    x is the share that it called broken, w of broken answers the share that it calls correct, and r of right ones the
    share that it calls broken. Both are divided by the share of replies that the judge is sure of, because unsure ones
    are not in x. The interval of t is that of x, put through the same formula; all are cut at 0 and 1. If no answer
    were broken, n answers would still show a rate of about r: `by_errors_alone` is its range in 95 of 100 such runs.
    That is an upper bound: a reply with the same body as the bot's own right one is judged the same.

    None where the rates are unknown, or higher than all that was called broken, the rate of the attack is unknown or
    says little, or the right answer changes.
    """
    row = attack.gold
    if judge is None or judge.wrong_called_correct is None or judge.correct_called_wrong is None:
        return None
    if attack.expect != "same" or row.success_rate is None or row.interval is None or row.first_success is not None:
        return None
    sure = 1 - judge.share_unsure
    w, r = judge.wrong_called_correct, judge.correct_called_wrong
    if w + r >= sure:
        return None
    w, r = w / sure, r / sure
    width = z_quantile(0.95) * sqrt(r * (1 - r) / row.rated)
    low, high = row.interval
    if high <= r:
        return None  # the judge's errors alone would show more: its rates are not those of this bot
    return Corrected(
        _cut((row.success_rate - r) / (1 - r - w)),
        (_cut((low - r) / (1 - r - w)), _cut((high - r) / (1 - r - w))),
        (_cut(r - width), _cut(r + width)),
    )


def _cut(share: float) -> float:
    return min(1.0, max(0.0, share))

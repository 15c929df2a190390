"""Whether a rate is above or below a limit, decided at any time: a bet against the opposite.

Testing by betting, without replacement (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
betting", JRSS B 86, 2024, section 5). The questions of a plan come in random order, each with x of its n outcomes.
If the rate Σx/Σn of the whole plan were at most g, whoever bets on z = x - g·n being more than what is left of the
plan allows would win nothing in the long run: wealth of 1/α or more is reached in at most the share α of all runs,
however often one looks (Ville). Questions are what is drawn, so that variants of one question may resemble each other.
"""

from __future__ import annotations

from math import exp, log1p

from botattack.report.statistics.intervals import MIN_QUESTIONS

FRACTIONS = (0.01, 0.03, 0.06, 0.1, 0.17, 0.27, 0.4, 0.6, 0.9)
"""Bet sizes, as shares of the largest bet that cannot lose more than everything. The wealth is the mean over bets of
all sizes, as the best size is not known beforehand."""
ROUNDING = 1e-9
"""What sums of binary fractions may be off by."""


class Bets:
    """Bets on both sides of a limit, for a plan of `total` questions with at most `most` outcomes each. Either side is
    wrong in at most the share `alpha` of runs."""

    def __init__(self, limit: float, most: int, total: int, alpha: float) -> None:
        self._limit, self._most, self._total, self._alpha = limit, most, total, alpha
        self._sum = 0.0
        self._log = [[0.0] * len(FRACTIONS), [0.0] * len(FRACTIONS)]
        self._shown = [False, False]
        self._questions = self._carriers = 0
        self._void = False

    def add(self, x: int, n: int) -> None:
        """The next question in order; one without outcomes (`n` 0) counts, too."""
        self._void |= n > self._most or self._questions >= self._total
        if self._void:
            return
        z = x - self._limit * n
        mean = -self._sum / (self._total - self._questions)
        for side, sign, least in ((0, 1.0, self._limit), (1, -1.0, 1 - self._limit)):
            # What a question can be below the mean, at most: the largest bet would lose all on it.
            room = sign * mean + least * self._most
            won = max(-1.0, sign * (z - mean) / room) if room > 0 else 0.0
            self._log[side] = [
                log + log1p(won * fraction) for log, fraction in zip(self._log[side], FRACTIONS, strict=True)
            ]
            # `exp` overflows above 709; so much wealth decides any limit.
            wealth = sum(exp(min(log, 700.0)) for log in self._log[side]) / len(FRACTIONS)
            self._shown[side] |= wealth >= 1 / self._alpha
        self._sum += z
        self._questions += 1
        # What was seen may be more, or less, than the limit allows, whatever is left of the plan.
        left = (self._total - self._questions) * self._most
        self._shown[0] |= self._sum - left * self._limit > ROUNDING
        self._shown[1] |= self._sum + left * (1 - self._limit) < -ROUNDING
        self._carriers += n > 0

    @property
    def above(self) -> bool:
        """Whether the rate is shown to be above the limit. The figure that is printed must be on the same side."""
        return self._shown[0] and self._sum > 0 and self._enough

    @property
    def below(self) -> bool:
        return self._shown[1] and self._sum < 0 and self._enough

    @property
    def _enough(self) -> bool:
        return not self._void and self._carriers >= MIN_QUESTIONS

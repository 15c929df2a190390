"""Whether a rate is above or below a limit, decided at any time: a bet against the opposite.

Testing by betting, without replacement (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
betting", JRSS B 86, 2024, section 5). The questions of a plan come in random order, each with x of its n outcomes.
If the rate Σx/Σn of the whole plan were at most g, whoever bets on z = x - g·n being more than what is left of the
plan allows would win nothing in the long run: wealth of 1/α or more is reached in at most the share α of all runs,
however often one looks (Ville). Questions are what is drawn, so that variants of one question may resemble each other.
"""

from __future__ import annotations

from collections.abc import Sequence

from botattack.report.statistics.intervals import MIN_QUESTIONS, Interval

FRACTIONS = (0.01, 0.03, 0.06, 0.1, 0.17, 0.27, 0.4, 0.6, 0.9)
"""Of the largest bet that cannot lose more than all: the wealth is the mean over bets of all sizes, for the best size
is not known beforehand."""
ROUNDING = 1e-9
"""What sums of binary fractions may be off by."""


class Bets:
    """Bets on both sides of each of `limits`, in ascending order, for a plan of `total` questions with at most `most`
    outcomes each. Either side is wrong in at most the share `alpha` of runs."""

    def __init__(self, limits: Sequence[float], most: int, total: int, alpha: float) -> None:
        import numpy as np

        self._limits = np.array(limits, dtype=float)
        self._most, self._total, self._alpha = most, total, alpha
        self._sum = np.zeros(len(limits))
        self._log = np.zeros((2, len(FRACTIONS), len(limits)))
        self._shown = np.zeros((2, len(limits)), dtype=bool)
        self._questions = self._carriers = 0
        self._void = False

    def add(self, x: int, n: int) -> None:
        """The next question in order; one without outcomes (`n` 0) counts, too."""
        import numpy as np

        self._void |= n > self._most or self._questions >= self._total
        if self._void:
            return
        z = x - self._limits * n
        mean = -self._sum / (self._total - self._questions)
        for side, sign, least in ((0, 1.0, self._limits), (1, -1.0, 1 - self._limits)):
            # What a question can be below the mean, at most: the largest bet would lose all on it.
            room = sign * mean + least * self._most
            with np.errstate(divide="ignore", invalid="ignore"):
                won = np.where(room > 0, sign * (z - mean) / room, 0.0)
            self._log[side] += np.log1p(np.maximum(-1.0, won) * np.array(FRACTIONS)[:, None])
            wealth = np.exp(np.minimum(self._log[side], 700.0)).mean(axis=0)
            self._shown[side] |= wealth >= 1 / self._alpha
        self._sum += z
        self._questions += 1
        # What was seen may be more, or less, than the limit allows, whatever is left of the plan.
        left = (self._total - self._questions) * self._most
        self._shown[0] |= self._sum - left * self._limits > ROUNDING
        self._shown[1] |= self._sum + left * (1 - self._limits) < -ROUNDING
        self._carriers += n > 0

    @property
    def above(self) -> Sequence[bool]:
        """For each limit whether the rate is shown to be above it."""
        return self._side(0)

    @property
    def below(self) -> Sequence[bool]:
        return self._side(1)

    def _side(self, side: int) -> Sequence[bool]:
        if self._void or self._carriers < MIN_QUESTIONS:
            return [False] * len(self._limits)
        # What was shown stays shown, but the figure that is printed must be on the same side.
        beyond = self._sum < 0 if side else self._sum > 0
        shown: Sequence[bool] = (self._shown[side] & beyond).tolist()
        return shown

    @property
    def interval(self) -> Interval:
        """From the highest limit that the rate is shown to be above to the lowest that it is shown to be below."""
        limits = self._limits.tolist()
        low = max((one for one, shown in zip(limits, self.above, strict=True) if shown), default=0.0)
        return low, min((one for one, shown in zip(limits, self.below, strict=True) if shown), default=1.0)

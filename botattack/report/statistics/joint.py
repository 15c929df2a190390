"""Sums over questions of several rates at once, so that rates of the same questions can be averaged and compared.

Only integers are kept, a few counts for each rate and four products for each pair of rates: the order of the questions
changes no digit, and their number no memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

from botattack.model import CONTROL
from botattack.report.statistics.intervals import MIN_QUESTIONS, Interval, sequence_level, t_quantile, wilson
from botattack.report.statistics.significance import mantel_haenszel, student_p

Counts = Mapping[str, tuple[int, int]]
"""Of one question: for each rate its successes and outcomes."""
_Products = tuple[int, int, int, int]


@dataclass
class Joint:
    """`totals` holds for each rate Σx, Σn and how many questions have outcomes; `products` for each pair a ≤ b
    Σ(x_a·x_b), Σ(x_a·n_b), Σ(n_a·x_b), Σ(n_a·n_b); `tables` for each rate how many questions have which counts of
    the control and of it."""

    questions: int = 0
    totals: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    products: dict[tuple[str, str], _Products] = field(default_factory=dict)
    tables: dict[str, Counter[_Products]] = field(default_factory=dict)

    def add(self, counts: Counts) -> None:
        """One more question."""
        if not counts:
            return
        present = sorted((name, x, n) for name, (x, n) in counts.items() if n)
        self.questions += bool(present)
        for number, (a, x, n) in enumerate(present):
            total_x, total_n, questions = self.totals.get(a, (0, 0, 0))
            self.totals[a] = total_x + x, total_n + n, questions + 1
            if CONTROL in counts:
                self.tables.setdefault(a, Counter())[*counts[CONTROL], x, n] += 1
            for b, other_x, other_n in present[number:]:
                xx, xn, nx, nn = self.products.get((a, b), (0, 0, 0, 0))
                self.products[a, b] = (xx + x * other_x, xn + x * other_n, nx + n * other_x, nn + n * other_n)

    def rate(self, name: str) -> float:
        """ZeroDivisionError if it has no outcome."""
        x, n, _ = self.totals.get(name, (0, 0, 0))
        return x / n

    def macro(self, names: Sequence[str], *, any_time: bool = False) -> tuple[float, Interval] | None:
        """The mean of the rates, each counting alike, with its 95 % interval; None if one of them has too few
        questions. Linearised, questions as clusters; at 0 % and 100 % each question counts as one outcome. With
        `any_time`, the interval is one of a confidence sequence."""
        if not names or any(self.totals.get(name, (0, 0, 0))[2] < MIN_QUESTIONS for name in names):
            return None
        rates = {name: self.rate(name) for name in names}
        mean = sum(rates.values()) / len(rates)
        share = 1 / len(names)
        spread = self._spread({name: (share, rate) for name, rate in rates.items()})
        level = sequence_level(self.questions) if any_time else 0.95
        if spread <= 0.0:
            return mean, wilson(round(mean * self.questions), self.questions, level)
        half = t_quantile(level, self.questions - 1) * sqrt(spread)
        return mean, (max(0.0, mean - half), min(1.0, mean + half))

    def p_of_less(self, name: str) -> float | None:
        """One-sided p of a rate being no lower than that of the control; None with too few questions. The larger p of
        two tests: a score test with questions as clusters, and one within questions (Mantel and Haenszel). Each alone
        raises false alarms: the first if the control was asked more seldom than the attack, in up to 30 % of runs of a
        bot that errs now and then, the second if all failures of an attack on a question come together."""
        (x, n, questions), (other_x, other_n, others) = (self.totals.get(each, (0, 0, 0)) for each in (name, CONTROL))
        if min(questions, others) < MIN_QUESTIONS:
            return None
        pooled = (x + other_x) / (n + other_n)
        spread = self._spread({name: (1.0, pooled), CONTROL: (-1.0, pooled)})
        less = other_x / other_n - x / n
        if spread <= 0.0 or less <= 0.0:
            return 1.0
        score = student_p(less / sqrt(spread), min(questions, others) - 1) / 2
        return max(score, mantel_haenszel(self.tables.get(name, Counter()).elements()))

    def _spread(self, weighted: Mapping[str, tuple[float, float]]) -> float:
        """Variance of Σ weight · (Σx - rate · Σn) / Σn over the rates, questions as clusters."""
        total = 0.0
        for a, (weight, rate) in weighted.items():
            for b, (other_weight, other_rate) in weighted.items():
                xx, xn, nx, nn = self._product(a, b)
                scale = weight * other_weight / (self.totals[a][1] * self.totals[b][1])
                total += scale * (xx - other_rate * xn - rate * nx + rate * other_rate * nn)
        return total * self.questions / (self.questions - 1)

    def _product(self, a: str, b: str) -> _Products:
        if a <= b:
            return self.products.get((a, b), (0, 0, 0, 0))
        xx, xn, nx, nn = self.products.get((b, a), (0, 0, 0, 0))
        return xx, nx, xn, nn

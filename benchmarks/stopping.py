"""What stopping early saves, and how often it decides wrongly: simulated plans, each decided by a gate.

From the project's root:

    python -m benchmarks.stopping                   1,000 plans of each kind, some minutes; prints a table
    python -m benchmarks.stopping --draws 10000

A plan has so many questions with so many variants each. Each question breaks with a chance of its own (beta-binomial,
correlation 0.3 between the variants of one question). The decision is compared with that of the whole plan.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from botattack.report.figures.early import ALPHA
from botattack.report.statistics.betting import Bets

LIMIT = 0.2
RATES = (0.02, 0.05, 0.1, 0.15, 0.19, 0.2, 0.21, 0.25, 0.3, 0.4, 0.6)
SIZES = ((100, 3), (300, 1))
"""Questions of a plan, and variants of each."""
ALIKE = 0.3
"""The correlation of two variants of one question."""


class Saved(NamedTuple):
    """Of plans with one `rate`: the mean share of questions that was `asked`, and the share that was decided `wrong`ly
    and in time."""

    questions: int
    variants: int
    rate: float
    asked: float
    wrong: float
    early: float


def simulated(questions: int, variants: int, rate: float, draws: int, seed: int) -> Saved:
    """Plans of one kind."""
    random = np.random.default_rng([seed, questions, variants, round(1e6 * rate)])
    each = (1 - ALIKE) / ALIKE
    found = []
    for _ in range(draws):
        broken = random.binomial(variants, random.beta(rate * each, (1 - rate) * each, questions))
        found.append(decided(broken.tolist(), variants))
    asked, wrong, early = np.array(found, dtype=float).mean(axis=0)
    return Saved(questions, variants, rate, asked, wrong, early)


def decided(broken: Sequence[int], variants: int) -> tuple[float, bool, bool]:
    """The share of questions that was asked, whether the decision is wrong, and whether it came before the end."""
    bets, questions = Bets(LIMIT, variants, len(broken), ALPHA), len(broken)
    holds = sum(broken) <= LIMIT * questions * variants
    for number, x in enumerate(broken[:-1], 1):
        bets.add(x, variants)
        if bets.above or bets.below:
            return number / questions, bets.above == holds, True
    return 1.0, False, False


def table(draws: int, seed: int) -> Iterator[str]:
    yield f"| questions × variants | rate (gate: at most {100 * LIMIT:g} %) | questions asked | decided early | wrong |"
    yield "|---|---|---|---|---|"
    for questions, variants in SIZES:
        for rate in RATES:
            one = simulated(questions, variants, rate, draws, seed)
            shares = (f"{100 * share:.1f} %" for share in (one.asked, one.early, one.wrong))
            yield f"| {questions} × {variants} | {100 * rate:g} % | {' | '.join(shares)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="What stopping early saves.")
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    for line in table(given.draws, given.seed):
        print(line, flush=True)


if __name__ == "__main__":
    main()

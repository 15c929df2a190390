"""What is read next: a draw of units of which every chance is known, so that what readers say of it is unbiased."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor, sqrt
from random import Random
from typing import Protocol

from botattack.events import AskedOf
from botattack.model import content_id

AT_RANDOM = 0.5
"""The share of items that are drawn whatever the judge says: where it is sure and wrong, only these show it."""


class Drawable(Protocol):
    """A unit that may be drawn, with the judge's probability that a reader calls the reply correct."""

    @property
    def unit(self) -> str: ...

    @property
    def probability(self) -> float | None: ...


def drawn(candidates: Sequence[Drawable], ask: AskedOf, items: int, seed: int) -> list[tuple[str, float]]:
    """So many units, each with the chance with which it is drawn: its inverse is the weight of what is said of it.

    For verdicts, half of the items are drawn in proportion to the judge's uncertainty √(p (1 − p)), which makes the
    corrected rate most exact for the number of labels, and half with equal chances (Zrnic and Candès, Active
    Statistical Inference, 2024). For everything else all chances are equal. The order of candidates changes nothing.
    """
    order = sorted(candidates, key=lambda one: content_id("drawn", seed, ask, one.unit))
    chances = _chances([_uncertainty(one) if ask == "verdict" else 1.0 for one in order], min(items, len(order)))
    start = Random(f"drawn {seed} {ask}").random()
    picked = _systematic(chances, start)
    return [(order[at].unit, chances[at]) for at in picked]


def _uncertainty(one: Drawable) -> float:
    p = 0.5 if one.probability is None else one.probability
    return sqrt(max(0.0, p * (1 - p)))


def _chances(sizes: Sequence[float], items: int) -> list[float]:
    """Chances that sum to `items`, none over 1: what would have more is drawn for certain, and the others share."""
    certain: set[int] = set()
    while True:
        free = [at for at in range(len(sizes)) if at not in certain]
        left, whole = items - len(certain), sum(sizes[at] for at in free)
        chances = [1.0] * len(sizes)
        for at in free:
            of_size = sizes[at] / whole if whole else 1 / len(free)
            chances[at] = left * (AT_RANDOM / len(free) + (1 - AT_RANDOM) * of_size)
        over = {at for at in free if chances[at] >= 1}
        if not over:
            return chances
        certain |= over


def _systematic(chances: Sequence[float], start: float) -> Iterator[int]:
    """Places in a random order, each with exactly its chance (Madow 1949): those where the running sum passes a whole
    number."""
    passed = start
    for at, chance in enumerate(chances):
        before, passed = passed, passed + chance
        # A certain one is drawn whatever rounding makes of the sum.
        if chance >= 1 or floor(passed) > floor(before):
            yield at

"""Boosted trees that ask one question a level, evaluated all at once; integers, so that every machine agrees."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from math import exp
from operator import getitem, or_
from typing import Self

import msgspec

SCALE = 10_000
"""A leaf of 10,000 is a log-odds of 1."""
DEEPEST = 8
"""Levels of a tree."""


class Stored(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Trees as the file of weights keeps them: of each level the feature and its border, of each tree its leaves."""

    features: tuple[tuple[int, ...], ...]
    borders: tuple[tuple[float, ...], ...]
    leaves: tuple[tuple[int, ...], ...]
    bias: int
    slope: float = 1.0
    """Log-odds are multiplied by it, and `offset` is added: Platt's scaling."""
    offset: float = 0.0


@dataclass(frozen=True, eq=False)
class Trees:
    """Log-odds from a line of evidence. A feature above a border takes the upper half of the leaves of its level.

    One integer holds a byte for each tree: the number of the leaf that is reached. `borders` are those of each feature
    in order, and `passed` the bits that are set above the first of them, above the second, and so on."""

    # numpy was 8 µs faster on a line, but took 12 MB and 60 ms to load, for which a run has no other use.
    borders: Sequence[Sequence[float]]
    passed: Sequence[Sequence[int]]
    leaves: Sequence[Sequence[int]]
    bias: int
    slope: float
    offset: float

    @classmethod
    def of(cls, stored: Stored, features: int) -> Self:
        """The trees on a line of so many features."""
        bits = [defaultdict[float, int](int) for _ in range(features)]
        for tree, levels in enumerate(zip(stored.features, stored.borders, strict=True)):
            for level, (place, border) in enumerate(zip(*levels, strict=True)):
                bits[place][border] |= 1 << DEEPEST * tree + level
        ordered = [sorted(each.items()) for each in bits]
        return cls(
            [[border for border, _ in each] for each in ordered],
            [[*accumulate((bit for _, bit in each), or_, initial=0)] for each in ordered],
            stored.leaves,
            stored.bias,
            stored.slope,
            stored.offset,
        )

    def log_odds(self, line: Iterable[float]) -> float:
        """The log-odds of a line of evidence."""
        return self._log_odds(self._reached(line))

    def pulls(self, line: Sequence[float], usual: Sequence[float], places: Iterable[int]) -> list[float]:
        """For each of these features, the log-odds of a line less those with the usual value of the feature."""
        reached = self._reached(line)
        odds = self._log_odds(reached)
        changed = [self._bits(place, line[place]) ^ self._bits(place, usual[place]) for place in places]
        return [odds - self._log_odds(reached ^ bits) if bits else 0.0 for bits in changed]

    def _bits(self, place: int, value: float) -> int:
        return self.passed[place][bisect_left(self.borders[place], value)]

    def _reached(self, line: Iterable[float]) -> int:
        """The number of the leaf in each tree."""
        return reduce(or_, map(getitem, self.passed, map(bisect_left, self.borders, line)))

    def _log_odds(self, reached: int) -> float:
        found = reached.to_bytes(len(self.leaves), "little")
        return self.slope * (sum(map(getitem, self.leaves, found)) + self.bias) / SCALE + self.offset


def probability(log_odds: float) -> float:
    """Between 0 and 1, rounded to four digits: what is recorded is what was decided on."""
    return round(1 / (1 + exp(-min(max(log_odds, -30), 30))), 4)

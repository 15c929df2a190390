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
    in order, and `passed` the bits that are set above the first of them, above the second, and so on; `asking` are the
    trees that look at each feature."""

    # numpy was 8 µs faster on a line, but took 12 MB and 60 ms to load, for which a run has no other use.
    borders: Sequence[Sequence[float]]
    passed: Sequence[Sequence[int]]
    asking: Sequence[Sequence[int]]
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
            [[tree for tree, places in enumerate(stored.features) if place in places] for place in range(features)],
            stored.leaves,
            stored.bias,
            stored.slope,
            stored.offset,
        )

    def log_odds(self, line: Iterable[float]) -> float:
        """The log-odds of a line of evidence."""
        return self._log_odds(self._sum(self._reached(line)))

    def pulls(self, line: Sequence[float], usual: Sequence[float], places: Iterable[int]) -> list[float]:
        """For each of these features, the log-odds of a line less those with the usual value of the feature."""
        reached = self._reached(line)
        total, leaves = self._sum(reached), self.leaves
        odds, found = self._log_odds(total), list[float]()
        for place in places:
            passed, borders = self.passed[place], self.borders[place]
            bits = passed[bisect_left(borders, line[place])] ^ passed[bisect_left(borders, usual[place])]
            other = bits.to_bytes(len(leaves), "little")
            changed = [at for at in self.asking[place] if other[at]]
            more = sum([leaves[at][reached[at] ^ other[at]] - leaves[at][reached[at]] for at in changed])
            found.append(odds - self._log_odds(total + more))
        return found

    def _reached(self, line: Iterable[float]) -> bytes:
        """The number of the leaf in each tree."""
        passed = map(getitem, self.passed, map(bisect_left, self.borders, line))
        return reduce(or_, filter(None, passed), 0).to_bytes(len(self.leaves), "little")  # most features pass no border

    def _sum(self, reached: bytes) -> int:
        return sum(map(getitem, self.leaves, reached))

    def _log_odds(self, leaves: int) -> float:
        return self.slope * (leaves + self.bias) / SCALE + self.offset


def probability(log_odds: float) -> float:
    """Between 0 and 1, rounded to four digits: what is recorded is what was decided on."""
    return round(1 / (1 + exp(-min(max(log_odds, -30), 30))), 4)

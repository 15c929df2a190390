"""Boosted trees that ask one question a level, evaluated all at once; integers, so that every machine agrees."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import msgspec

if TYPE_CHECKING:  # it takes a tenth of a second, and many commands judge nothing
    import numpy as np

SCALE = 10_000
"""A leaf of 10,000 is a log-odds of 1."""
DEEPEST = 8
"""Levels of a tree."""
_Array: TypeAlias = "np.ndarray[Any, Any]"


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

    `features` and `borders` have eight levels a tree, of which those beyond its own are never passed: eight bits number
    a leaf. `leaves` are in the order of trees, and `first` is where those of each begin."""

    features: _Array
    borders: _Array
    leaves: _Array
    first: _Array
    bias: int
    slope: float
    offset: float

    @classmethod
    def of(cls, stored: Stored) -> Self:
        """Raises ValueError for trees that are not whole: as many borders as features, and 2 leaves for each level."""
        import numpy as np

        leaves, places = np.array(stored.leaves, dtype=np.int32), np.array(stored.features, dtype=np.intp)
        if leaves.shape != (len(places), 1 << places.shape[1]) or places.min() < 0 or places.shape[1] > DEEPEST:
            raise ValueError("these trees are not whole")
        beyond = ((0, 0), (0, DEEPEST - places.shape[1]))
        return cls(
            np.pad(places, beyond).ravel(),
            np.pad(np.array(stored.borders, dtype=np.float64), beyond, constant_values=np.inf).ravel(),
            leaves.ravel(),
            np.arange(len(leaves)) * leaves.shape[1],
            stored.bias,
            stored.slope,
            stored.offset,
        )

    def log_odds(self, lines: Any) -> _Array:
        """One number for each line of evidence; of a single line, one."""
        return self._log_odds(self._reached(lines))

    def pulls(self, line: Any, usual: Any, places: list[int]) -> _Array:
        """For each of these features, the log-odds of a line less those with the usual value of the feature."""
        import numpy as np

        reached, commonly = self._reached(line), self._reached(usual)
        theirs = np.packbits(self.features == np.array(places)[:, None], axis=-1, bitorder="little")
        return self._log_odds(reached) - self._log_odds(reached ^ (reached ^ commonly) & theirs)

    def _reached(self, lines: Any) -> _Array:
        """The number of the leaf in each tree."""
        import numpy as np

        return np.packbits(
            np.asarray(lines, dtype=np.float64).take(self.features, axis=-1) > self.borders, axis=-1, bitorder="little"
        )

    def _log_odds(self, reached: _Array) -> _Array:
        total: _Array = self.leaves.take(reached + self.first).sum(axis=-1, dtype="int64") + self.bias
        return self.slope * total / SCALE + self.offset


def probability(log_odds: float) -> float:
    """Between 0 and 1, rounded to four digits: what is recorded is what was decided on."""
    return round(1 / (1 + exp(-min(max(log_odds, -30), 30))), 4)

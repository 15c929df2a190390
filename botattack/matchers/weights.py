"""What the learned judge has learned: boosted trees, their file, and where its operating point lies."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from hashlib import sha256
from importlib.resources import files
from itertools import accumulate, chain
from math import exp, isfinite
from operator import getitem, or_
from pathlib import Path
from typing import Annotated, Self

import msgspec

from botattack.errors import BotattackError, reason
from botattack.matchers.evidence.all import NAMES

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


LARGEST = 5_000_000
"""Bytes of a file of weights; those of the package take a fiftieth of it."""
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class BadWeights(BotattackError):
    """A file of weights that cannot be used."""


class LeftOut(msgspec.Struct, frozen=True):
    """How often the judge errs on the replies of one system, or one collection, that it was not trained on: of wrong
    replies the share it calls correct, and of correct ones the share it calls wrong, with the band of the weights."""

    system: str
    wrong_called_correct: Share
    correct_called_wrong: Share
    rows: int


class Weights(msgspec.Struct, frozen=True, eq=False, dict=True):
    """`correct` gives the log-odds that a reader calls a reply correct, `refused` those that a reply which is not
    correct declines to answer. `usual` is the median line of evidence: what a feature is set to when it is left out.
    `left_out` says how it errs on each system left out: of none if the weights were fitted to other labels, which was
    not measured."""

    version: Annotated[str, msgspec.Meta(max_length=300)]
    features: tuple[str, ...]
    correct: Stored
    refused: Stored
    usual: tuple[float, ...]
    point: float
    band: tuple[float, float]
    left_out: tuple[LeftOut, ...] = ()

    @cached_property
    def says_correct(self) -> Trees:
        return Trees.of(self.correct, len(self.features))

    @cached_property
    def says_refused(self) -> Trees:
        return Trees.of(self.refused, len(self.features))

    @cached_property
    def digest(self) -> str:
        return sha256(msgspec.json.encode(self)).hexdigest()[:12]


@lru_cache(maxsize=1)
def weights() -> Weights:
    """The weights of this package."""
    return read_weights(Path(str(files("botattack.matchers") / "weights.json")))


def read_weights(path: Path) -> Weights:
    """The weights of a file; raises BadWeights."""
    again = f"write them again with `botattack judge fit LABELS -o {path}`"
    try:
        if path.exists() and not path.is_file():
            raise BadWeights(f"{path}: this is not a file: {again}")
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise BadWeights(f"{path}: weights have at most {LARGEST:,} bytes: {again}")
        found = msgspec.json.decode(data, type=Weights)
    except OSError as error:
        raise BadWeights(
            f"{path}: {reason(error)}: write weights with `botattack judge fit LABELS -o {path}`"
        ) from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadWeights(f"{path}: these are not the weights of a judge ({error}): {again}") from None
    if found.features != NAMES:
        raise BadWeights(
            f"{path}: another version of botattack, which looked at other evidence, fitted these weights: {again}"
        )
    if wrong := next(_damage(found), ""):
        raise BadWeights(f"{path}: these weights are damaged: {wrong}: {again}")
    return found


def _damage(found: Weights) -> Iterator[str]:
    """What no fitting writes, a clause each."""
    low, high = found.band
    if len(found.usual) != len(NAMES) or not all(abs(number) < LARGEST for number in found.usual):
        yield f"usual must contain {len(NAMES)} numbers"
    if not 0 <= low <= found.point <= high <= 1:
        yield "band and point must be probabilities, the point within the band"
    for name, trees in (("correct", found.correct), ("refused", found.refused)):
        if not _whole(trees):
            yield f"the trees of {name} are not whole"
        elif not 0 < trees.slope < LARGEST or not abs(trees.offset) < LARGEST:
            yield f"{name}: slope must be above 0, and offset a number"


def _whole(trees: Stored) -> bool:
    """Whether every tree looks at features that exist, and has a border for each and a leaf for each answer."""
    depth, count = len(trees.features[0]) if trees.features else 0, len(trees.features)
    sizes = [(len(each), *map(len, each)) for each in (trees.features, trees.borders, trees.leaves)]
    return (
        sizes == [(count, *[size] * count) for size in (depth, depth, 1 << depth)]
        and 0 < depth <= DEEPEST
        and all(0 <= place < len(NAMES) for places in trees.features for place in places)
        and all(abs(number) < LARGEST for number in (trees.bias, *chain(*trees.leaves)))
        and all(map(isfinite, chain(*trees.borders)))
    )

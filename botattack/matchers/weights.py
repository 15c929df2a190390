"""What the learned judge has learned: boosted trees, their file, and where its operating point lies."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, reduce
from hashlib import sha256
from importlib.resources import files
from itertools import accumulate, chain
from math import exp
from operator import getitem, or_
from pathlib import Path
from typing import Annotated

import msgspec

from botattack.errors import BotattackError, reason
from botattack.files import content
from botattack.matchers.evidence.all import NAMES

SCALE = 10_000
"""A leaf of 10,000 is a log-odds of 1."""
DEEPEST = 8
"""Levels of a tree."""
LARGEST = 5_000_000
"""Bytes of a file of weights; those of the package take a fiftieth of it. No number in it is larger, either."""
Finite = Annotated[float, msgspec.Meta(gt=-LARGEST, lt=LARGEST)]
Leaf = Annotated[int, msgspec.Meta(gt=-LARGEST, lt=LARGEST)]
Probability = Annotated[float, msgspec.Meta(ge=0, le=1)]


class Trees(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """Log-odds from a line of evidence, as the file of weights keeps them: of each level of a tree the feature and its
    border, of each tree its leaves. A feature above a border sets the bit of its level in the number of the leaf."""

    features: tuple[tuple[int, ...], ...]
    borders: tuple[tuple[float, ...], ...]
    leaves: tuple[tuple[Leaf, ...], ...]
    bias: Leaf
    slope: Annotated[float, msgspec.Meta(gt=0, lt=LARGEST)] = 1.0
    """Log-odds are multiplied by it, and `offset` is added: Platt's scaling."""
    offset: Finite = 0.0

    # numpy was 8 µs faster on a line, but took 12 MB and 60 ms to load, for which a run has no other use.
    @cached_property
    def by_feature(self) -> tuple[Sequence[Sequence[float]], Sequence[Sequence[int]], Sequence[Sequence[int]]]:
        """For each feature: its borders in order; the bits that are set above none of them, above the first, above the
        second, and so on; and the trees that look at it. One integer holds a byte for each tree: the number of the leaf
        that is reached."""
        bits = [defaultdict[float, int](int) for _ in NAMES]
        for tree, levels in enumerate(zip(self.features, self.borders, strict=True)):
            for level, (place, border) in enumerate(zip(*levels, strict=True)):
                bits[place][border] |= 1 << DEEPEST * tree + level
        ordered = [sorted(each.items()) for each in bits]
        return (
            [[border for border, _ in each] for each in ordered],
            [[*accumulate((bit for _, bit in each), or_, initial=0)] for each in ordered],
            [[tree for tree, places in enumerate(self.features) if place in places] for place in range(len(NAMES))],
        )

    def log_odds(self, line: Iterable[float]) -> float:
        """The log-odds of a line of evidence."""
        return self._log_odds(self._sum(self._reached(line)))

    def pulls(self, line: Sequence[float], usual: Sequence[float], places: Iterable[int]) -> list[float]:
        """For each of these features, the log-odds of a line less those with the usual value of the feature."""
        reached, leaves, (borders, passed, asking) = self._reached(line), self.leaves, self.by_feature
        total, found = self._sum(reached), list[float]()
        for place in places:
            ours, others = (bisect_left(borders[place], value[place]) for value in (line, usual))
            other = (passed[place][ours] ^ passed[place][others]).to_bytes(len(leaves), "little")
            changed = [at for at in asking[place] if other[at]]
            more = sum([leaves[at][reached[at] ^ other[at]] - leaves[at][reached[at]] for at in changed])
            found.append(self._log_odds(total) - self._log_odds(total + more))
        return found

    def _reached(self, line: Iterable[float]) -> bytes:
        """The number of the leaf in each tree."""
        borders, passed, _ = self.by_feature
        above = map(getitem, passed, map(bisect_left, borders, line))
        return reduce(or_, filter(None, above), 0).to_bytes(len(self.leaves), "little")  # most features pass no border

    def _sum(self, reached: bytes) -> int:
        return sum(map(getitem, self.leaves, reached))

    def _log_odds(self, leaves: int) -> float:
        return self.slope * (leaves + self.bias) / SCALE + self.offset


def probability(log_odds: float) -> float:
    """Between 0 and 1, rounded to four digits: what is recorded is what was decided on."""
    return round(1 / (1 + exp(-min(max(log_odds, -30), 30))), 4)


class BadWeights(BotattackError):
    """A file of weights that cannot be used."""


class LeftOut(msgspec.Struct, frozen=True):
    """How often the judge errs on the replies of one system, or one collection, that it was not trained on: of wrong
    replies the share it calls correct, and of correct ones the share it calls wrong, with the band of the weights."""

    system: str
    wrong_called_correct: Probability
    correct_called_wrong: Probability
    rows: int


class Weights(msgspec.Struct, frozen=True, eq=False, dict=True):
    """`correct` gives the log-odds that a reader calls a reply correct, `refused` those that a reply which is not
    correct declines to answer. `usual` is the median line of evidence: what a feature is set to when it is left out.
    `left_out` says how it errs on each system left out: of none if the weights were fitted to other labels, which was
    not measured."""

    version: Annotated[str, msgspec.Meta(max_length=300)]
    features: tuple[str, ...]
    correct: Trees
    refused: Trees
    usual: tuple[Finite, ...]
    point: Probability
    band: tuple[Probability, Probability]
    left_out: tuple[LeftOut, ...] = ()

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
        found = msgspec.json.decode(content(path, LARGEST), type=Weights)
    except OSError as error:
        raise BadWeights(f"{path}: {reason(error)}: {again}") from None
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
    if len(found.usual) != len(NAMES):
        yield f"usual must contain {len(NAMES)} numbers"
    if not found.band[0] <= found.point <= found.band[1]:
        yield "the point must be within the band"
    yield from (
        f"the trees of {name} are not whole" for name in ("correct", "refused") if not _whole(getattr(found, name))
    )


def _whole(trees: Trees) -> bool:
    """Whether every tree looks at features that exist, and has a border for each and a leaf for each answer."""
    depth, count = len(trees.features[0]) if trees.features else 0, len(trees.features)
    sizes = [(len(each), *map(len, each)) for each in (trees.features, trees.borders, trees.leaves)]
    whole = 0 < depth <= DEEPEST and sizes == [(count, *[size] * count) for size in (depth, depth, 1 << depth)]
    return whole and all(0 <= place < len(NAMES) for place in chain(*trees.features))

"""What the learned judge has learned: a file of weights, and where its operating point lies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.resources import files
from itertools import chain, pairwise
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec
import numpy as np

from botattack.errors import BotattackError
from botattack.matchers.evidence.all import NAMES
from botattack.matchers.trees import DEEPEST, Stored, Trees

LARGEST = 5_000_000
"""Bytes of a file of weights; those of the package take a fiftieth of it."""

_LONGEST = 300
"""Characters of what reports print of weights."""


class BadWeights(BotattackError):
    """A file of weights that cannot be used."""


class Rates(msgspec.Struct, frozen=True):
    """How often the judge errs, on replies it was not trained on: of wrong replies the share called correct, of correct
    ones the share called wrong, and of all the share it is unsure of. `rows` were counted, of `source`."""

    wrong_called_correct: float
    correct_called_wrong: float
    unsure: float
    rows: int
    source: str

    @classmethod
    def of(cls, wrong: float, right: float, unsure: float, rows: int, source: str) -> Self:
        """Rounded as files keep them."""
        return cls(round(wrong, 4), round(right, 4), round(unsure, 4), rows, source)


class Counted(NamedTuple):
    """Of the replies that rates were counted on, how many were wrong, and of wrong and of correct ones the shares that
    the judge was unsure of."""

    wrong_rows: int
    unsure_of_wrong: float
    unsure_of_right: float


class Weights(msgspec.Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """`correct` gives the log-odds that a reader calls a reply correct, `refused` those that a reply which is not
    correct declines to answer. `usual` is the median line of evidence: what a feature is set to when it is left out.
    `rates` are those with the band. Each line of `curve` is a probability, the share of wrong replies from it on, and
    the shares of correct replies and of all below it."""

    version: str
    features: tuple[str, ...]
    correct: Stored
    refused: Stored
    usual: tuple[float, ...]
    point: float
    band: tuple[float, float]
    rates: Rates
    curve: tuple[tuple[float, float, float, float], ...] = ()

    @cached_property
    def says_correct(self) -> Trees:
        return Trees.of(self.correct)

    @cached_property
    def says_refused(self) -> Trees:
        return Trees.of(self.refused)

    @cached_property
    def digest(self) -> str:
        return sha256(msgspec.json.encode(self)).hexdigest()[:12]

    def rates_at(self, low: float, high: float) -> Rates | None:
        """How often it errs if a reply is correct from `high` on and not correct up to `low`; None if that was not
        measured."""
        if (low, high) == self.band:
            return self.rates
        if not self.curve:
            return None
        at, wrong, right, every = self._columns
        return Rates.of(
            float(np.interp(high, at, wrong)),
            float(np.interp(low, at, right)),
            float(np.interp(high, at, every) - np.interp(low, at, every)),
            self.rates.rows,
            self.rates.source,
        )

    def counted(self, low: float, high: float) -> Counted | None:
        """What is unsure between two probabilities; None if that was not measured."""
        if not self.curve:
            return None
        at, wrong, right, every = self._columns
        # All below a probability are wrong ones below it and correct ones below it: that gives the share of each.
        apart = 1 - wrong - right
        place = int(apart.argmax())
        share = float(np.clip((every[place] - right[place]) / apart[place], 0, 1)) if apart[place] > 0 else 0.0
        unsure = (abs(float(np.interp(low, at, each) - np.interp(high, at, each))) for each in (wrong, right))
        return Counted(round(share * self.rates.rows), *(round(each, 4) for each in unsure))

    @cached_property
    def _columns(self) -> tuple[Any, ...]:
        return tuple(np.array(column) for column in zip(*self.curve, strict=True))


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
            f"{path}: {error.strerror}: write weights with `botattack judge fit LABELS -o {path}`"
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
    rates, (low, high) = found.rates, found.band
    if len(found.usual) != len(NAMES) or not all(abs(number) < LARGEST for number in found.usual):
        yield f"usual must contain {len(NAMES)} numbers"
    if not 0 <= low <= found.point <= high <= 1:
        yield "band and point must be probabilities, the point within the band"
    if not all(0 <= share <= 1 for share in (rates.wrong_called_correct, rates.correct_called_wrong, rates.unsure)):
        yield "rates must be shares between 0 and 1"
    if rates.rows < 0:
        yield "rates.rows must not be negative"
    if max(len(found.version), len(rates.source)) > _LONGEST:
        yield f"version and rates.source must have at most {_LONGEST} characters"
    if found.curve and not _is_curve(found.curve):
        yield "curve must run from 0 to 1, and its shares must fall (of wrong replies) or rise (of the others)"
    for name, trees in (("correct", found.correct), ("refused", found.refused)):
        if not _whole(trees):
            yield f"the trees of {name} are not whole"
        elif not 0 < trees.slope < LARGEST or not abs(trees.offset) < LARGEST:
            yield f"{name}: slope must be above 0, and offset a number"


def _is_curve(lines: tuple[tuple[float, ...], ...]) -> bool:
    at, wrong, right, every = zip(*lines, strict=True)
    rising = (at, [-share for share in wrong], right, every)
    return (
        at[0] == 0
        and at[-1] == 1
        and all(0 <= number <= 1 for line in lines for number in line)
        and all(one <= two for column in rising for one, two in pairwise(column))
    )


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

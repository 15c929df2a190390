"""What the learned judge has learned: a file of weights, and where its operating point lies."""

from __future__ import annotations

from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Self

import msgspec
import numpy as np

from botattack.errors import BotattackError
from botattack.matchers.evidence.all import NAMES
from botattack.matchers.trees import DEEPEST, Stored, Trees

LARGEST = 5_000_000
"""Bytes of a file of weights; those of the package take a fiftieth of it."""


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
        at, wrong, right, every = (np.array(column) for column in zip(*self.curve, strict=True))
        return Rates.of(
            float(np.interp(high, at, wrong)),
            float(np.interp(low, at, right)),
            float(np.interp(high, at, every) - np.interp(low, at, every)),
            self.rates.rows,
            self.rates.source,
        )


@lru_cache(maxsize=1)
def weights() -> Weights:
    """The weights of this package."""
    return read_weights(Path(str(files("botattack.matchers") / "weights.json")))


def read_weights(path: Path) -> Weights:
    """The weights of a file; raises BadWeights."""
    again = f"write them again with `botattack judge fit LABELS -o {path}`"
    try:
        if path.exists() and not path.is_file():
            raise BadWeights(f"{path}: this is no file: {again}")
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
    if not _usable(found):
        raise BadWeights(f"{path}: these weights are damaged: {again}")
    return found


def _usable(found: Weights) -> bool:
    """Whether every tree looks at features that exist, and the probabilities are some."""
    shares = (found.rates.wrong_called_correct, found.rates.correct_called_wrong, found.rates.unsure)
    return (
        len(found.usual) == len(NAMES)
        and 0 <= found.band[0] <= found.point <= found.band[1] <= 1
        and all(0 <= share <= 1 for share in shares)
        and _sound(found.correct)
        and _sound(found.refused)
    )


def _sound(trees: Stored) -> bool:
    depth = len(trees.features[0]) if trees.features else 0
    sizes = [(len(each), *map(len, each)) for each in (trees.features, trees.borders, trees.leaves)]
    count = len(trees.features)
    return (
        sizes == [(count, *[size] * count) for size in (depth, depth, 1 << depth)]
        and 0 < depth <= DEEPEST
        and all(0 <= place < len(NAMES) for places in trees.features for place in places)
        and all(abs(number) < LARGEST for number in (trees.bias, trees.slope, trees.offset, *chain(*trees.leaves)))
    )

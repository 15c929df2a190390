"""What the learned judge has learned: a file of weights, and where its operating point lies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.resources import files
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Annotated

import msgspec

from botattack.errors import BotattackError, reason
from botattack.matchers.evidence.all import NAMES
from botattack.matchers.trees import DEEPEST, Stored, Trees

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

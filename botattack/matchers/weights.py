"""What the learned judge has learned: a file of weights, and where its operating point lies."""

from __future__ import annotations

from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import msgspec

from botattack.errors import BotattackError
from botattack.matchers.evidence.all import NAMES
from botattack.matchers.trees import Stored, Trees

SHIPPED = ""
"""In place of a path: the weights of this package."""


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


class Weights(msgspec.Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """`correct` gives the log-odds that a reader calls a reply correct, `refused` those that a reply which is not
    correct declines to answer. `usual` is the median line of evidence: what a feature is set to when it is left out."""

    version: str
    features: tuple[str, ...]
    correct: Stored
    refused: Stored
    usual: tuple[float, ...]
    point: float
    band: tuple[float, float]
    rates: Rates

    @cached_property
    def says_correct(self) -> Trees:
        return Trees.of(self.correct)

    @cached_property
    def says_refused(self) -> Trees:
        return Trees.of(self.refused)

    @cached_property
    def digest(self) -> str:
        return sha256(msgspec.json.encode(self)).hexdigest()[:12]


@lru_cache(maxsize=8)
def weights(path: str = SHIPPED) -> Weights:
    """The weights of a file; raises BadWeights."""
    source = Path(path) if path else files("botattack.matchers") / "weights.json"
    try:
        found = msgspec.json.decode(source.read_bytes(), type=Weights)
    except OSError as error:
        raise BadWeights(
            f"{path}: {error.strerror}. Write weights with `botattack judge fit LABELS -o {path}`"
        ) from error
    except msgspec.DecodeError as error:
        raise BadWeights(f"{path}: these are no weights of a judge ({error})") from error
    if found.features != NAMES:
        raise BadWeights(
            f"{path or 'the weights of the package'} were learned by another version of botattack, which looked at "
            "other evidence: write them again with `botattack judge fit`"
        )
    return found

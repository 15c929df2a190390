"""What people who read a run said of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from botattack.events.base import Event

AskedOf = Literal["meaning", "comprehension", "verdict", "preference", "scale"]
"""What readers are asked of an item."""
Label = Literal[
    "same",
    "different",
    "unclear",
    "right",
    "wrong",
    "correct",
    "refused",
    "original",
    "altered",
    "equal",
    "1",
    "2",
    "3",
    "4",
    "5",
]
LABELS: dict[AskedOf, tuple[Label, ...]] = {
    "meaning": ("same", "different", "unclear"),
    "comprehension": ("right", "wrong", "unclear"),
    "verdict": ("correct", "wrong", "refused", "unclear"),
    "preference": ("original", "altered", "equal"),
    "scale": ("1", "2", "3", "4", "5"),
}
"""What a reader may say when asked each of these; of a scale, 5 is a perfect paraphrase."""

TRAITS = ("gender", "age", "mother_tongue")
"""What a reader may say of herself, as in the human study of DPAEG."""


class Reading(Event, frozen=True, tag="reading"):
    """What one reader said of one unit.

    `meaning` compares the variant with its original, `verdict` grades the reply, `preference` says which of the two
    replies is better, `scale` how close the variant is to its original. Of `comprehension`, a reader answered the
    variant with the words `said`, and `label` grades them. `repeat` is the second showing of an item to the same
    reader. `chance` is the probability with which the unit was drawn: its inverse is the weight of the reading.
    `traits` are what the reader said of herself, by TRAITS.
    """

    unit: str
    ask: AskedOf
    reader: str
    label: Label
    group: str = ""
    said: str = ""
    repeat: bool = False
    chance: Annotated[float, msgspec.Meta(gt=0, le=1)] = 1.0
    traits: Mapping[str, str] = {}

    @property
    def key(self) -> str:
        return f"reading {self.ask} {self.unit} {self.reader}" + " again" * self.repeat


class KnownRead(Event, frozen=True, tag="known read"):
    """Whether one reader gave the one right answer to an item that every attentive reader answers so."""

    KEY = "known {0.ask} {0.item} {0.reader}"
    item: str
    ask: AskedOf
    reader: str
    right: bool

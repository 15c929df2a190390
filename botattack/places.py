"""Where in a conversation a text stands. `model.places` and `model.edited` are the two functions over it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

PlaceKind = Literal["question", "passage", "added passage", "history", "turn", "added turn"]
EVERYWHERE: frozenset[PlaceKind] = frozenset(get_args(PlaceKind))
"""All kinds of place."""
_ORDER = {kind: rank for rank, kind in enumerate(get_args(PlaceKind))}


class Place:
    """Where in a list of turns a text stands. Indices count from 0.

    - `question`: the last user turn, whose reply is judged;
    - `passage i`, `history j`: a passage or an earlier message that is sent with the question;
    - `turn j`: an earlier user turn, which is sent and answered before the question;
    - `added passage i`, `added turn j`: a new text, in front of what was number i or j of the original. The number of
      all of them means "behind the last passage" and "right before the question".

    In files a place is written as text: `passage 2`.
    """

    __slots__ = ("index", "kind")

    kind: PlaceKind
    index: int

    def __init__(self, kind: PlaceKind, index: int = 0) -> None:
        self.kind = kind
        self.index = index

    @classmethod
    def parse(cls, text: str) -> Place:
        """The place that a file writes as this text; raises ValueError if there is none of this name."""
        kind, _, number = text.rpartition(" ")
        if text == "question":
            return QUESTION
        if kind not in EVERYWHERE or kind == "question" or not (number.isascii() and number.isdecimal()):
            raise ValueError(f"{text!r} is not a place in a conversation")
        return cls(kind, int(number))

    @property
    def is_added(self) -> bool:
        """Whether the original has no text there."""
        return self.kind.startswith("added ")

    def __str__(self) -> str:
        return self.kind if self.kind == "question" else f"{self.kind} {self.index}"

    def __repr__(self) -> str:
        return f"Place({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Place) and (self.kind, self.index) == (other.kind, other.index))

    def __hash__(self) -> int:
        return hash((self.kind, self.index))

    def __lt__(self, other: Place) -> bool:
        """The question first, then passages, history and turns."""
        return (_ORDER[self.kind], self.index) < (_ORDER[other.kind], other.index)


QUESTION = Place("question")


def write_place(value: object) -> str:
    """A place as msgspec writes it (`enc_hook`)."""
    if isinstance(value, Place):
        return str(value)
    raise TypeError(f"{type(value).__name__} is never written")


def read_place(wanted: type, value: object) -> Place:
    """A place as msgspec reads it (`dec_hook`)."""
    if wanted is Place and isinstance(value, str):
        return Place.parse(value)
    raise TypeError(f"{wanted.__name__} is never read")


def carried_by(names: Iterable[str], *, history: bool = False) -> frozenset[PlaceKind]:
    """The places that reach a bot whose templates have these placeholders; `history` is whether earlier messages are
    asked turn by turn."""
    named = set(names)
    found: set[PlaceKind] = {"question", "turn", "added turn"}
    if "passages" in named:
        found |= {"passage", "added passage"}
    if history or "history" in named:
        found.add("history")
    return frozenset(found)

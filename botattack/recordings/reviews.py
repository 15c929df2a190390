"""Reviews: what readers of a run are shown, and what their answers mean.

A review lies in the recording it was drawn from and never leaves it: its pages name items by ids that say nothing.
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from botattack.errors import RecordingError
from botattack.events import AskedOf, Label
from botattack.files import content
from botattack.model import content_id
from botattack.model.values import Value
from botattack.recordings import manifest, stored

LARGEST = 100_000_000
"""Bytes of the file of a review."""
ReaderName = Annotated[str, msgspec.Meta(pattern=r"\A\w[\w.@+-]{0,63}\Z")]
"""Names a reader or a group of readers, and so becomes part of file names."""


Role = Literal["item", "repeat", "known"]


class Text(Value, frozen=True):
    """What somebody said, or a passage."""

    role: Literal["user", "bot", "passage"]
    text: str


class Block(Value, frozen=True):
    """Texts under one heading."""

    head: str
    texts: tuple[Text, ...]


class Item(Value, frozen=True):
    """One screen. `means` says which label an answer is; `options` are the words of the answers, if this item has its
    own. A `repeat` shows the unit of another item again. A `known` item is about no unit: every attentive reader gives
    the `expected` label."""

    id: str
    role: Role
    blocks: tuple[Block, ...]
    means: dict[str, Label]
    unit: str = ""
    chance: float = 1.0
    expected: str = ""
    options: tuple[str, ...] = ()
    lang: str = ""


class Review(Value, frozen=True):
    """What the readers of one group are asked of one run. Every reader is shown the same items in another
    order."""

    run: str
    ask: AskedOf
    seed: int
    readers: tuple[ReaderName, ...]
    items: tuple[Item, ...]
    group: str = ""

    @property
    def id(self) -> str:
        """The hash of all of it."""
        return content_id("review", msgspec.to_builtins(self))

    def order(self, reader: str) -> tuple[Item, ...]:
        """The items in the order of one reader. Repeats come in the second half, about half the review after the first
        showing, which is in the first half."""
        repeats = {item.unit: item for item in self.items if item.role == "repeat"}
        shuffled = sorted(
            (item for item in self.items if item.role != "repeat"), key=lambda one: self._rank(reader, one.id)
        )
        once = [item for item in shuffled if item.unit not in repeats]
        half = max(0, len(self.items) // 2 - len(repeats))
        rest = once[half:]
        late = {item.id for item in rest}
        first = [item for item in shuffled if item.id not in late]
        again = [repeats.get(item.unit) or (rest.pop() if rest else None) for item in first]
        return (*first, *(item for item in again if item is not None), *rest)

    def _rank(self, reader: str, item: str) -> bytes:
        return blake2b(f"{self.seed} {reader} {item}".encode(), digest_size=8).digest()


def secret_of(folder: Path) -> bytes:
    """A key that nobody can make without the recording: readers must not be able to find the unit of an item."""
    return blake2b(content(folder / manifest.NAME, manifest.LARGEST)).digest()


def opaque(secret: bytes, *named: object) -> str:
    """An id from which nothing can be read without the secret."""
    return blake2b(msgspec.json.encode(named), key=secret, digest_size=8).hexdigest()


def path_of(folder: Path, review: str) -> Path:
    return folder / f"review-{review}.json"


def read(folder: Path, review: str) -> Review | None:
    """A review of a recording; None if it has no review of this id. Raises RecordingError if it is damaged."""
    path, fix = path_of(folder, review), "write the review again with the same options"
    found = stored.read(path, Review, LARGEST, fix)
    if found and found.id != review:
        raise RecordingError(f"{path} was changed since it was written; {fix}")
    return found


def write(folder: Path, review: Review) -> Path:
    """Written whole or not at all."""
    return stored.write(path_of(folder, review.id), review)

"""Doors: the ways in which the passages of a question get into a bot that is only reachable from outside.

A door turns the turns of a variant into what is sent, and nothing else knows how. What an attack edits, what is judged
and what reports show are always the variant's own turns.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from botattack.model import Carrier, Prompt, Question, Turns, Unit, Variant, content_id
from botattack.places import PlaceKind
from botattack.protocols import Pace

_PASSAGES: frozenset[PlaceKind] = frozenset({"passage", "added passage"})
BETWEEN = "\n\n"
"""What is between passages, and between them and the question, where they are one text."""
MOST_DOCUMENTS = 50
"""Documents that are in a knowledge base for one asking: each is a request, and another to remove it."""


class Door(ABC):
    """A way for passages to reach the bot. Pure."""

    shown: ClassVar[str]
    """How reports call it: "in the message"."""

    @abstractmethod
    def sent(self, turns: Turns) -> tuple[Turns, tuple[str, ...]]:
        """What is sent for the turns of a variant, and the documents that the bot must find while it is asked."""

    def carries(self, reached: frozenset[PlaceKind]) -> frozenset[PlaceKind]:
        """The places that reach a bot through it, given those that its target file sends."""
        return reached | _PASSAGES

    def unit(self, variant: Variant, repeat: int, run_seed: int) -> Unit:
        """The asking of a variant through this door; its id is the hash of what is sent."""
        return Unit.of(variant, repeat, run_seed, *self.sent(variant.turns))


class InRequest(Door):
    """The field of the bot's own request that the target file places passages in."""

    shown = "in the request"

    def sent(self, turns: Turns) -> tuple[Turns, tuple[str, ...]]:
        return turns, ()

    def carries(self, reached: frozenset[PlaceKind]) -> frozenset[PlaceKind]:
        return reached


class InMessage(Door):
    """The user's own message: the passages, then the question, as somebody would paste them."""

    shown = "in the message"

    def sent(self, turns: Turns) -> tuple[Turns, tuple[str, ...]]:
        return tuple([Prompt(BETWEEN.join((*one.passages, one.text)), (), one.history) for one in turns]), ()


class InTurn(Door):
    """A message of its own before the conversation: the user sends the passages, and asks once the bot has replied."""

    shown = "in an earlier turn"

    def sent(self, turns: Turns) -> tuple[Turns, tuple[str, ...]]:
        last = turns[-1]
        before = (Prompt(BETWEEN.join(last.passages), (), turns[0].history),) if last.passages else ()
        return (*before, *_bare(turns)), ()


@dataclass(frozen=True)
class AsDocument(Door):
    """Documents of the bot's knowledge base, one for each passage. `held` are passages that it contains anyway: what an
    attack adds goes beside them, and they cannot be edited."""

    held: tuple[str, ...] | None = None

    shown = "as a document"

    def sent(self, turns: Turns) -> tuple[Turns, tuple[str, ...]]:
        return _bare(turns), tuple([text for text in turns[-1].passages if text not in (self.held or ())])

    def carries(self, reached: frozenset[PlaceKind]) -> frozenset[PlaceKind]:
        return (reached - _PASSAGES) | (_PASSAGES if self.held is None else {"added passage"})


def _bare(turns: Turns) -> Turns:
    return tuple([Prompt(one.text, (), one.history) for one in turns])


DOORS: Mapping[Carrier, Door] = {
    "request": InRequest(),
    "message": InMessage(),
    "turn": InTurn(),
    "document": AsDocument(),
}


def carriers_of(question: Question, carriers: tuple[Carrier, ...]) -> tuple[Carrier, ...]:
    """Those of the carriers that a question is asked through: without passages it would be the same through each of
    them, so that only the first is used."""
    return carriers if question.passages else carriers[:1]


def door_of(question: Question, *, holds_passages: bool = False) -> Door:
    """The door of a question; `holds_passages` is whether the bot's knowledge base contains its passages anyway."""
    if question.carrier == "document" and holds_passages:
        return AsDocument(question.passages)
    return DOORS[question.carrier]


@dataclass(frozen=True)
class Document:
    """A text to be found by a bot, under a name that no other document of its set has."""

    name: str
    text: str


def documents(texts: Sequence[str]) -> list[Document]:
    """Texts with their names, which depend on nothing but the texts: the same in every run. None is a part of another,
    as a bot may find all names that contain one."""
    whole = content_id("documents", texts)
    return [Document(f"botattack-{whole}-{number:02}", text) for number, text in enumerate(texts, 1)]


class Library(Protocol):
    """The knowledge base of a bot, as its target file says how to change it. `fields` are what `add` gave for a
    document; None if nobody knows, as the process ended before the bot's reply was there. All raise TargetError."""

    async def add(self, document: Document, pace: Pace) -> dict[str, object]:
        """Adds it, once; gives the values of the reply that are needed later."""
        ...

    async def ready(self, document: Document, fields: Mapping[str, object], pace: Pace) -> None:
        """Returns once the bot can find it."""
        ...

    async def remove(
        self, name: str, fields: Mapping[str, object] | None, pace: Pace, *, certain: bool = False
    ) -> None:
        """Removes it, and looks whether it is gone, if it can. That it is not there is no error, unless it is `certain`
        that it was added and that no earlier call removed it."""
        ...

"""The knowledge base of a bot behind HTTP: the calls that add a document to it, wait for it and remove it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from botattack.errors import ExtractionFailed, RequestRefused
from botattack.model import Unit
from botattack.options import BadValue
from botattack.protocols import Pace
from botattack.targets.messages.calls import Poll, Request
from botattack.targets.messages.selectors import find

if TYPE_CHECKING:
    from botattack.doors import Document
    from botattack.targets.http.http_conversation import HttpConversation, Shared

_GONE = frozenset({404, 410})
"""What a bot says of a document that is not there."""
LOOKS = 20
"""How often a removed document is looked for until it is gone: an index may lag behind its store."""


@dataclass(frozen=True)
class Documents:
    """How documents are added to what a bot reads, and removed. Their calls may use {{ document.name }} and {{
    document.text }}; the others may use what `add` takes from its reply, as {{ add.NAME }}."""

    add: Request
    """Adds one document."""
    remove: Request
    """Removes one, by {{ document.name }} or by what `add` took."""
    ready: Poll | None = None
    """Repeated for each document after all are added, until the bot can find it: any reply is enough, unless there is
    `until`. It may take limits.question_timeout."""
    find: Request | None = None
    """Finds a document by {{ document.name }} and takes what `add` takes; one that is not there is a 404, or nothing to
    take. It confirms that each document is there once it is added, and gone once it is removed: without it, the status
    of a reply is believed. Needed if `remove` uses what it takes: a run may have been killed before the bot had
    answered."""
    holds_passages: bool = False
    """Whether the knowledge base already contains the questions' passages; then only what attacks add is added."""

    def __post_init__(self) -> None:
        if "document" not in self.add.names:
            raise BadValue("no template here uses {{ document.text }}", ("add",), "put it where the text goes")
        if not self.remove.names & {"document", "add"}:
            raise BadValue("this would remove the same each time", ("remove",), "place {{ document.name }}")
        adds = {"add": self.add} if self.add.take or self.find is None else {}
        _check_taken("ready", self.ready, {"add": self.add})
        _check_taken("remove", self.remove, adds | ({"find": self.find} if self.find is not None else {}))

    @property
    def _by_reply(self) -> bool:
        return "add" in self.remove.names

    def steps(self) -> dict[str, Request]:
        """The calls, by their place below `connect`."""
        named = {"add": self.add, "remove": self.remove, "ready": self.ready, "find": self.find}
        return {f"documents.{name}": request for name, request in named.items() if request is not None}

    @property
    def may_lose(self) -> bool:
        """Whether a crash can leave a document that nothing here finds again."""
        return self._by_reply and self.find is None

    def needs_reply(self, fields: Mapping[str, object] | None) -> bool:
        """Whether a document cannot be removed with what is known of it."""
        return self._by_reply and not fields


def _check_taken(place: str, request: Request | None, givers: Mapping[str, Request]) -> None:
    """Refuses {{ add.NAME }} that no reply gives: that it is missing would be found once a document is there."""
    if request is None or "add" not in request.names:
        return
    wanted = {part for template in request.templates for name, part in template.parts if name == "add"}
    for giver, gives in givers.items():
        lacking = sorted(wanted - gives.take.keys())
        if lacking or not gives.take:
            shown = f"add.{lacking[0]}" if lacking else "add"
            fix = f"add {lacking[0] if lacking else 'it'} to take: of documents.{giver}"
            raise BadValue(f"{giver} takes nothing that {{{{ {shown} }}}} could be", (place,), fix)


@dataclass(frozen=True)
class HttpLibrary:
    """A `doors.Library`: each call is a conversation of its own with the bot's cookies, login and headers."""

    options: Documents
    shared: Shared = field(repr=False)
    unit: Unit
    """Whose sessions these are: those of no question."""

    def _conversation(self, pace: Pace) -> HttpConversation:
        from botattack.targets.http.http_conversation import HttpConversation

        return HttpConversation(self.shared, self.unit, pace, ask_history=False)

    async def add(self, document: Document, pace: Pace) -> dict[str, object]:
        values = {"document": {"name": document.name, "text": document.text}}
        _, taken = await self._conversation(pace).once("documents.add", values)
        if self.options.needs_reply(taken):
            missing = ", ".join(self.options.add.take)
            place = "connect.documents.add.take"
            raise ExtractionFailed(f"the reply to add has no {missing}", delivered=True, place=place)
        return dict(taken)

    async def ready(self, document: Document, fields: Mapping[str, object], pace: Pace) -> None:
        values = {"document": {"name": document.name, "text": document.text}, "add": fields}
        if self.options.ready is not None:
            await self._answers(self.options.ready, values, pace)
        if self.options.find is not None:
            await self._shows(values, pace, there=True, looks=count())

    async def _answers(self, wanted: Poll, values: dict[str, Mapping[str, object]], pace: Pace) -> None:
        while True:
            with _not_there():
                body, _ = await self._conversation(pace).once("documents.ready", values)
                if wanted.until is None or any(find(wanted.until, "connect.documents.ready.until", body)):
                    return
            await asyncio.sleep(wanted.every)

    async def _shows(
        self, values: dict[str, Mapping[str, object]], pace: Pace, *, there: bool, looks: Iterable[int]
    ) -> bool:
        """Whether `find` comes to show within so many looks that a document is there, or that it is gone."""
        for _ in looks:
            if (await self._found(values, pace) is not None) is there:
                return True
            await asyncio.sleep((self.options.ready or Poll).every)
        return False

    async def _found(self, values: dict[str, Mapping[str, object]], pace: Pace) -> Mapping[str, object] | None:
        """What `find` takes of a document; None if it is not there."""
        with _not_there():
            _, fields = await self._conversation(pace).once("documents.find", values)
            return fields if fields or not (self.options.find and self.options.find.take) else None
        return None

    async def remove(
        self, name: str, fields: Mapping[str, object] | None, pace: Pace, *, certain: bool = False
    ) -> None:
        values: dict[str, Mapping[str, object]] = {"document": {"name": name}}
        place, confirms = "connect.documents.remove", self.options.find is not None
        if self.options.needs_reply(fields):
            if not confirms:
                raise RequestRefused("its id is unknown, and there is no find:", delivered=False, place=place)
            if not (fields := await self._found(values, pace)):
                return
        # A 404 says that it is gone, or that this call is wrong.
        with nullcontext() if certain and not confirms else _not_there():
            await self._conversation(pace).once("documents.remove", {**values, "add": fields or {}})
        if confirms and not await self._shows(values, pace, there=False, looks=range(LOOKS)):
            raise RequestRefused("this was answered, but find still finds the document", delivered=True, place=place)


@contextmanager
def _not_there() -> Iterator[None]:
    """That a document is not there is no error: not yet, or no more."""
    try:
        yield
    except RequestRefused as error:
        if error.status not in _GONE:
            raise

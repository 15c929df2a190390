"""The bot's knowledge base during a run: what we add to it, for whom, and that all of it is removed again.

What one asking adds, every other would find as well. So the knowledge base is lent to one set of documents at a time:
askings that need exactly these may overlap, all others wait, in the order in which they came. An asking that needs no
document waits until none is there. A set is removed before the next is added, so that what the bot finds never depends
on what was asked before. That a document is about to be added is recorded before the request leaves, and from then on
it counts as there until the bot has removed it, or the request is known not to have arrived.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple, TypeVar

from botattack.closing import in_time
from botattack.doors import MOST_DOCUMENTS, Document, Library, documents
from botattack.engine.ask import Asker
from botattack.engine.library_calls import LibraryCalls
from botattack.errors import BotattackError, RequestRefused, TargetError
from botattack.events import AnyEvent, DocumentAdded, DocumentAdding, DocumentRemoved
from botattack.limits import Limits
from botattack.options import JsonObject

END_SECONDS = 60.0
"""How long removing everything at the end of a run may take."""
FIRST = 3
"""If none of so many first sets can be added, the knowledge base counts as unusable."""
SHOWN = 3
"""Names of documents that are shown."""
LONGEST = 60
"""Characters of a name that are shown."""
_T = TypeVar("_T")


class Littered(BotattackError):
    """A document of ours cannot be removed: whatever the bot is asked now, it may find it."""

    exit_status = 1


class Leftover(NamedTuple):
    """What another run left there, each document with what the bot replied, if that is known, and its recorder."""

    run: str
    documents: Mapping[str, Mapping[str, object] | None]
    record: Callable[[AnyEvent], None]


class Shelf:
    """What of ours is in a knowledge base. `emit` records an event and raises what the recorder raises."""

    def __init__(
        self,
        library: Library | None,
        asker: Asker,
        limits: Limits,
        emit: Callable[..., None],
        *,
        whose: str = "this run",
    ) -> None:
        self._calls = LibraryCalls(library, asker) if library is not None else None
        self._asker = asker
        self._limits = limits
        self._emit = emit
        self._whose = whose
        self._there: dict[str, Mapping[str, object] | None] = {}
        """Each document that may be there, with what the bot replied, if that is known."""
        self._named = frozenset[str]()
        """What the last Littered named."""
        self._lent: tuple[str, ...] | None = ()
        """The set that is there whole; None while nobody knows."""
        self._failed = 0
        """Sets in a row that could not be added."""
        self._took = False
        """Whether any set was ever added."""
        self._users = 0
        self._unused = asyncio.Event()
        self._unused.set()
        self._turn = asyncio.Lock()
        self._changing: asyncio.Future[Any] | None = None
        self._told = 0
        """Requests that are already reported in events."""

    @property
    def is_down(self) -> bool:
        """Whether so many sets in a row could not be added that there is no use in trying others."""
        return self._failed >= (self._limits.breaker if self._took else min(FIRST, self._limits.breaker))

    @asynccontextmanager
    async def lent_to(self, texts: tuple[str, ...]) -> AsyncIterator[None]:
        """Inside, the knowledge base contains these texts and none of our others. Raises TargetError if they cannot be
        added, Littered if others cannot be removed."""
        async with self._turn:
            if texts != self._lent:
                await self._unused.wait()
                await self._filled(texts)
            self._users += 1
            self._unused.clear()
        try:
            yield
        finally:
            self._users -= 1
            if not self._users:
                self._unused.set()

    async def _filled(self, texts: tuple[str, ...]) -> None:
        """Exchanges what is there for these texts and waits until the bot can find them. Whoever stops waiting stops
        that at once, but no request halfway that adds or removes: nobody would know whether it arrived."""
        if len(texts) > MOST_DOCUMENTS:
            raise RequestRefused(f"this needs {len(texts)} documents, more than {MOST_DOCUMENTS}", delivered=False)
        try:
            for document, fields in await self._uncancelled(lambda: self._exchanged(texts)):
                if self._calls:
                    await self._calls.ready(document, fields)
        except TargetError:
            self._failed += 1
            await self._uncancelled(self._clear)
            raise
        self._lent = texts
        if texts:
            self._failed, self._took = 0, True

    async def _uncancelled(self, change: Callable[[], Coroutine[object, object, _T]]) -> _T:
        await self._change_ended()
        self._changing = asked = asyncio.ensure_future(change())
        return await asyncio.shield(asked)

    async def _change_ended(self) -> None:
        """Waits for a change whose waiter was cancelled."""
        if self._changing is not None:
            await asyncio.wait([self._changing])
            self._changing.exception()  # it was raised where the change was waited for, or nobody asks any more

    async def _exchanged(self, texts: tuple[str, ...]) -> list[tuple[Document, JsonObject]]:
        self._lent = None
        await self._clear()
        return [(document, await self._add(document)) for document in documents(texts)]

    async def _add(self, document: Document) -> JsonObject:
        calls = self._calls
        if calls is None:
            raise RequestRefused("the target file does not say how documents are added", delivered=False)
        self._emit(DocumentAdding, name=document.name)
        self._there[document.name] = None
        before = calls.requests
        try:
            found = await calls.add(document)
        except BotattackError as error:
            if calls.requests == before or (isinstance(error, TargetError) and error.delivered is False):
                # Takes back what DocumentAdding recorded: else --resume would look for a document that never arrived.
                self._forget(document.name)
            raise
        self._there[document.name] = found
        self._emit(DocumentAdded, name=document.name, fields=found, requests=self._untold())
        return found

    async def _clear(self) -> None:
        """Removes all that may be there; raises Littered if something cannot be. Asking again does no harm here."""
        failed: BotattackError | None = None
        for name, fields in [*self._there.items()]:
            try:
                await self._remove(name, fields)
            except BotattackError as error:
                failed = failed or error
        if self._there:
            told = self._asker.failure(failed).message if isinstance(failed, TargetError) else str(failed)
            self._named = frozenset(self._there)
            raise Littered(
                f"{self._shown()} cannot be removed from the bot's knowledge base: {told}; "
                "fix documents in the target file, or remove it there by hand and delete the recording of that run"
            )
        self._lent = ()
        if failed is not None:
            raise failed

    async def _remove(self, name: str, fields: Mapping[str, object] | None) -> None:
        if self._calls is None:
            raise RequestRefused("the target file does not say how, or has no consent to it", delivered=False)
        await self._calls.remove(name, fields)
        self._forget(name)

    def _forget(self, name: str) -> None:
        del self._there[name]
        self._emit(DocumentRemoved, name=name, requests=self._untold())

    def _untold(self) -> int:
        told, self._told = self._told, self._calls.requests if self._calls else 0
        return self._told - told

    async def begin(self, there: Mapping[str, Mapping[str, object] | None]) -> None:
        """Removes what an earlier process may have left there; raises Littered."""
        self._there.update(there)
        await self._clear()

    async def end(self) -> str:
        """Removes everything, in bounded time; gives a sentence about what could not be removed, if anything."""

        async def clear() -> None:
            await self._change_ended()
            with suppress(BotattackError):
                await self._clear()

        await in_time(clear(), END_SECONDS)
        if not self._there:
            return ""
        left = "this" if self._there.keys() <= self._named else self._shown()
        return f"{left} may still be in the bot's knowledge base; --resume removes that before it asks anything"

    def _shown(self) -> str:
        # A recording that was resumed may say anything.
        names = [
            ", ".join([name[:LONGEST], *(f"{key}: {value}"[:LONGEST] for key, value in (fields or {}).items())])
            for name, fields in self._there.items()
        ]
        more = f" and {len(names) - SHOWN} more" if names[SHOWN:] else ""
        return f"what {self._whose} added ({'; '.join(names[:SHOWN])}{more})"

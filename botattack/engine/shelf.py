"""The bot's knowledge base during a run: what we add to it, for whom, and that all of it is removed again.

What one asking adds, every other would find as well. So the knowledge base is lent to one set of documents at a time:
askings that need exactly these may overlap, all others wait, in the order in which they came. An asking that needs no
document waits until none is there. A set is removed before the next is added, so that what the bot finds never depends
on what was asked before. That a document is about to be added is recorded before the request leaves, and from then on
it counts as there until the bot has removed it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple, TypeVar

from botattack.closing import in_time
from botattack.doors import MOST_DOCUMENTS, Document, Library, documents
from botattack.engine.ask import Asker
from botattack.engine.clock import Clock
from botattack.errors import BotattackError, RateLimited, RequestRefused, TargetError, TimedOut
from botattack.events import AnyEvent, DocumentAdded, DocumentAdding, DocumentRemoved
from botattack.limits import Limits
from botattack.options import JsonObject
from botattack.protocols import Pace

END_SECONDS = 60.0
"""How long removing everything at the end of a run may take."""
FIRST = 3
"""A knowledge base in which the bot finds none of the first sets takes none."""
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
        clock: Clock,
        emit: Callable[..., None],
        *,
        whose: str = "this run",
    ) -> None:
        self._library = library
        self._asker = asker
        self._limits = limits
        self._clock = clock
        self._emit = emit
        self._whose = whose
        self._there: dict[str, Mapping[str, object] | None] = {}
        """Each document that may be there, with what the bot replied, if that is known."""
        self._certain: set[str] = set()
        """Those that are: the bot said so, and nothing that may have removed them was sent since."""
        self._named = frozenset[str]()
        """What the last Littered named."""
        self._lent: tuple[str, ...] | None = ()
        """The set that is there whole; None while nobody knows."""
        self._failed = 0
        """Sets in a row that could not be added."""
        self._took = False
        """Whether one ever could."""
        self._users = 0
        self._unused = asyncio.Event()
        self._unused.set()
        self._turn = asyncio.Lock()
        self._changing: asyncio.Future[Any] | None = None
        self._requests = self._told = 0
        """All of this process, and how many of them events have told."""

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
            for document, fields in await self._whole(lambda: self._exchanged(texts)):
                await self._ready(document, fields)
        except TargetError:
            self._failed += 1
            await self._whole(self._clear)
            raise
        self._lent = texts
        if texts:
            self._failed, self._took = 0, True

    async def _whole(self, change: Callable[[], Coroutine[object, object, _T]]) -> _T:
        await self._changed()
        self._changing = asked = asyncio.ensure_future(change())
        return await asyncio.shield(asked)

    async def _changed(self) -> None:
        """Waits for a change whose waiter was cancelled."""
        if self._changing is not None:
            await asyncio.wait([self._changing])
            self._changing.exception()  # it was raised where the change was waited for, or nobody asks any more

    async def _exchanged(self, texts: tuple[str, ...]) -> list[tuple[Document, JsonObject]]:
        self._lent = None
        await self._clear()
        return [(document, await self._add(document)) for document in documents(texts)]

    async def _add(self, document: Document) -> JsonObject:
        library = self._library
        if library is None:
            raise RequestRefused("the target file does not say how documents are added", delivered=False)
        self._emit(DocumentAdding, name=document.name)
        self._there[document.name] = None
        before = self._requests
        try:
            found = await self._tried(lambda pace: library.add(document, pace), _never_arrived)
        except BotattackError as error:
            if self._requests == before or (isinstance(error, TargetError) and error.delivered is False):
                self._gone(document.name)
            raise
        self._there[document.name] = found
        self._certain.add(document.name)
        self._emit(DocumentAdded, name=document.name, fields=found, requests=self._untold())
        return found

    async def _ready(self, document: Document, fields: Mapping[str, object]) -> None:
        library = self._library
        if library is None:
            return
        seconds = self._limits.question_timeout
        try:
            await self._tried(lambda pace: library.ready(document, fields, pace), _too_early, seconds)
        except TimedOut:
            told = f"the bot could not find a document within {seconds:g} s of its being added"
            raise TimedOut(told, delivered=True, place="connect.documents.ready") from None

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
        library = self._library
        if library is None:
            raise RequestRefused("the target file does not say how, or has no consent to it", delivered=False)

        async def removed(pace: Pace) -> None:
            try:
                await library.remove(name, fields, pace, certain=name in self._certain)
            except RequestRefused:
                raise  # so it did nothing
            except BaseException:
                self._certain.discard(name)
                raise

        await self._tried(removed, lambda error: error.retryable, owed=True)
        self._gone(name)

    def _gone(self, name: str) -> None:
        del self._there[name]
        self._certain.discard(name)
        self._emit(DocumentRemoved, name=name, requests=self._untold())

    def _untold(self) -> int:
        told, self._told = self._told, self._requests
        return self._requests - told

    async def begin(self, there: Mapping[str, Mapping[str, object] | None]) -> None:
        """Removes what an earlier process may have left there; raises Littered."""
        self._there.update(there)
        await self._clear()

    async def end(self) -> str:
        """Removes everything, in bounded time; gives a sentence about what could not be removed, if anything."""

        async def clear() -> None:
            await self._changed()
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

    async def _tried(
        self,
        call: Callable[[Pace], Awaitable[_T]],
        again: Callable[[TargetError], bool],
        seconds: float | None = None,
        *,
        owed: bool = False,
    ) -> _T:
        """What a call gives. It is tried again after an error of which `again` says so."""
        seconds = seconds or self._limits.timeout
        for number in range(self._limits.retries + 1):
            deadline = asyncio.timeout(seconds)
            pace = Leave(self._asker, deadline, owed=owed)
            try:
                async with deadline:
                    return await call(pace)
            except TimeoutError:
                failed: TargetError = TimedOut(f"no complete reply within {seconds:g} s")
            except TargetError as error:
                failed = error
            finally:
                self._requests += pace.requests
            if number == self._limits.retries or not again(failed):
                raise failed
            await self._clock.sleep(min(0.5 * 2**number, 8.0))
        raise AssertionError  # the loop has returned or raised


def _never_arrived(error: TargetError) -> bool:
    """Whether a document may be added again: twice there, it would be removed once."""
    return error.retryable and (error.delivered is False or isinstance(error, RateLimited))


def _too_early(error: TargetError) -> bool:
    """Whether to ask again if a document is there: not once all the time for that is used up."""
    return error.retryable and not isinstance(error, TimedOut)


class Leave:
    """The pace of a call that changes a knowledge base. Waiting for its turn does not use up the time of the call."""

    def __init__(self, asker: Asker, deadline: asyncio.Timeout, *, owed: bool) -> None:
        self._asker = asker
        self._deadline = deadline
        self._owed = owed
        self.requests = 0

    async def leave(self) -> None:
        when, now = self._deadline.when(), asyncio.get_running_loop().time
        began = now()
        self._deadline.reschedule(None)
        await self._asker.leave(owed=self._owed)
        self._deadline.reschedule(None if when is None else when + now() - began)
        self.requests += 1

    def shut(self, seconds: float | None) -> None:
        self._asker.shut(seconds)

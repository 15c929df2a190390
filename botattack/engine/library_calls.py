"""The calls that change a bot's knowledge base, for a run and for `check`: paced and repeated as askings are."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from botattack.doors import Document, Library
from botattack.engine.ask import MOST_UNASKED, PUSH_BACKS, Asker
from botattack.errors import RateLimited, RequestRefused, TargetError, TimedOut
from botattack.options import JsonObject
from botattack.protocols import Pace

_T = TypeVar("_T")


class LibraryCalls:
    """Each raises the TargetError of its last attempt. A call that was pushed back waits as the bot asks and is made
    again; one that failed is, as often as `limits.retries` says, if that does no harm."""

    def __init__(self, library: Library, asker: Asker) -> None:
        self._library = library
        self._asker = asker
        self._certain: set[str] = set()
        """Documents that are there: the bot said so, and nothing that may have removed them was sent since."""
        self.requests = 0
        """All that left."""

    async def add(self, document: Document) -> JsonObject:
        """What the bot replied."""
        found = await self._made(lambda pace: self._library.add(document, pace), _never_arrived)
        self._certain.add(document.name)
        return found

    async def ready(self, document: Document, fields: Mapping[str, object]) -> None:
        """Waits until the bot can find it."""
        seconds = self._asker.limits.question_timeout
        try:
            await self._made(lambda pace: self._library.ready(document, fields, pace), _too_early, seconds)
        except TimedOut:
            told = f"the bot could not find a document within {seconds:g} s of its being added"
            raise TimedOut(told, delivered=True, place="connect.documents.ready") from None

    async def remove(self, name: str, fields: Mapping[str, object] | None) -> None:
        async def removed(pace: Pace) -> None:
            try:
                await self._library.remove(name, fields, pace, certain=name in self._certain)
            except RequestRefused:
                raise  # so it did nothing
            except BaseException:
                self._certain.discard(name)
                raise

        await self._made(removed, lambda error: error.retryable, owed=True)
        self._certain.discard(name)

    async def _made(
        self,
        call: Callable[[Pace], Awaitable[_T]],
        again: Callable[[TargetError], bool],
        seconds: float | None = None,
        *,
        owed: bool = False,
    ) -> _T:
        """What a call gives. It is made again after an error of which `again` says so."""
        seconds, before = seconds or self._asker.limits.timeout, self._asker.pacer.unasked
        failures = push_backs = 0
        while True:
            deadline = asyncio.timeout(seconds)
            pace = _Leave(self._asker, deadline, owed=owed)
            try:
                async with deadline:
                    return await call(pace)
            except TimeoutError:
                failed: TargetError = TimedOut(f"no complete reply within {seconds:g} s")
            except TargetError as error:
                failed = error
            finally:
                self.requests += pace.requests
            if isinstance(failed, RateLimited):  # the gate is shut for as long as the bot asks
                push_backs += 1
                if push_backs > PUSH_BACKS or self._asker.pacer.unasked - before > MOST_UNASKED:
                    raise failed
                continue
            if failures == self._asker.limits.retries or not again(failed):
                raise failed
            await self._asker.clock.sleep(min(0.5 * 2**failures, 8.0))
            failures += 1


def _never_arrived(error: TargetError) -> bool:
    """Whether a document may be added again: twice there, it would be removed once."""
    return error.retryable and error.delivered is False


def _too_early(error: TargetError) -> bool:
    """Whether to ask again if a document is there: not once all the time for that is used up."""
    return error.retryable and not isinstance(error, TimedOut)


class _Leave:
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

"""Every closing ends in a bounded time, whatever the other side does.

A bot can hold up the closing of its connection, program or page: it never answers, or it never stops talking. So
nothing in botattack awaits a closing that depends on others, except through `in_time` and `Bounded`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Generic, TypeVar

SECONDS = 10.0
"""How long one closing may take."""
IN_ALL = 40.0
"""How long a target may take to close. It may have several closings of its own, one after the other."""

Opened_co = TypeVar("Opened_co", covariant=True)


async def in_time(
    closing: Awaitable[object], seconds: float = SECONDS, abort: Callable[[], object] | None = None
) -> None:
    """Await a closing for at most `seconds` of the event loop's clock; cancel it after that, without an error. What the
    closing raises itself passes through.

    `abort` is called if the closing is not over in time, fails or is cancelled. It must not wait for anybody.
    """
    try:
        async with asyncio.timeout(seconds):
            await closing
    except BaseException as error:
        if abort is not None:
            abort()
        if not isinstance(error, TimeoutError):
            raise


class Bounded(Generic[Opened_co]):
    """`async with` that is left within SECONDS, whatever is inside does. An error inside passes through.

    A class, because an asynchronous generator would cost each question a tenth more time.
    """

    def __init__(self, inner: AbstractAsyncContextManager[Opened_co]) -> None:
        self._inner = inner

    async def __aenter__(self) -> Opened_co:
        return await self._inner.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await in_time(self._inner.__aexit__(kind, error, trace))

"""Hears a WebSocket all the time, also while nothing is awaited of it, and answers pings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from botattack.errors import TargetError
from botattack.targets.http.streams import Mark, StreamPiece
from botattack.targets.messages.calls import Message
from botattack.targets.messages.filling import as_text
from botattack.targets.messages.selectors import Body

if TYPE_CHECKING:
    from botattack.net.socket import Socket

MOST = 64
"""Messages that wait to be read; more are left to the connection."""


@dataclass(frozen=True)
class Ping:
    """A message that only checks whether the connection is alive, and the answer to it."""

    when: Mark
    """The bot's message."""
    send: Message
    """The answer: a text as it is, anything else as JSON."""


class Listener:
    """What a bot says over a socket, without its pings."""

    def __init__(self, socket: Socket, pings: Sequence[tuple[Mark, str]]) -> None:
        self._socket = socket
        self._pings = pings
        self._came: asyncio.Queue[str | TargetError | None] = asyncio.Queue(MOST)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self._listen())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def receive(self) -> str | None:
        """The next message; None once the bot has hung up. Raises what the socket raised."""
        came = await self._came.get()
        if isinstance(came, str):
            return came
        self._came.put_nowait(came)  # nothing comes after it
        if came is None:
            return None
        raise came

    def unasked(self) -> list[str]:
        """The messages that wait already; that the bot has hung up, or how it failed, is kept for `receive`."""
        waiting = [self._came.get_nowait() for _ in range(self._came.qsize())]
        for end in waiting:
            if not isinstance(end, str):
                self._came.put_nowait(end)
        return [text for text in waiting if isinstance(text, str)]

    async def _listen(self) -> None:
        try:
            while (text := await self._socket.receive()) is not None:
                for record in _records(text):
                    if (pong := self._pong(record)) is None:
                        await self._came.put(record)
                    else:
                        await self._socket.answer(pong)
            await self._came.put(None)
        except TargetError as error:
            await self._came.put(error)

    def _pong(self, text: str) -> str | None:
        piece, body = StreamPiece(text), Body(text)
        return next((answer for mark, answer in self._pings if mark.on(piece, body)), None)


def _records(text: str) -> list[str]:
    """What a message says: SignalR and Engine.IO put several into one, with the record separator between or behind."""
    return [record for record in text.split("\x1e") if record] or [text]


def pongs(pings: Sequence[Ping], url: str) -> list[tuple[Mark, str]]:
    """Each ping with its answer; those of Engine.IO, over which Socket.IO talks, are known by the URL."""
    own = [(ping.when, as_text(ping.send.fill({}))) for ping in pings]
    return [*own, (Mark(data="2"), "3")] if "EIO=" in url else own

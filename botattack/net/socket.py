"""WebSockets: the same hosts, pace, caps and failures as for requests."""

from __future__ import annotations

import aiohttp

from botattack.errors import BrokenReply, TargetError
from botattack.net.faults import ERRORS, classified, told_apart
from botattack.protocols import Pace, Tell


def _nobody(what: str, text: str) -> None:
    """Hears nothing."""


class Socket:
    """An open connection. Every message that asks anything asks for leave."""

    def __init__(
        self, socket: aiohttp.ClientWebSocketResponse, where: str, pace: Pace, tell: Tell | None = None
    ) -> None:
        self._socket = socket
        self._tell = tell or _nobody
        self._where = where
        self._pace = pace

    async def send(self, text: str) -> None:
        """Raises BrokenReply if the bot has hung up."""
        await self._pace.leave()
        await self.answer(text)

    async def answer(self, text: str) -> None:
        """Sends what asks nothing of the bot, and needs no leave; raises BrokenReply if the bot has hung up."""
        self._tell("sent", text)
        with told_apart(self._where):
            await self._socket.send_str(text)

    async def receive(self) -> str | None:
        """The next message as text; None once the bot has hung up. Raises BrokenReply."""
        message = await self._socket.receive()
        if message.type in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY):
            data = message.data
            text = str(data) if message.type is aiohttp.WSMsgType.TEXT else bytes(data).decode(errors="replace")
            self._tell("came", text)
            return text
        if message.type is aiohttp.WSMsgType.ERROR:
            raise self._broken(message.data)
        return None

    def _broken(self, error: object) -> TargetError:
        if isinstance(error, ERRORS):
            return classified(error, self._where)
        return BrokenReply(f"{self._where} broke the WebSocket", said=str(error), delivered=True)

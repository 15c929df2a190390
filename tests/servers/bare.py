"""A bot that costs next to nothing: enough HTTP/1.1 for one client, on one protocol, without tasks or streams."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any, cast

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)

Asked = Callable[["Line", bytes], None]
"""Is called with the connection and the body of each request that has come in whole."""


class Line(asyncio.Protocol):
    """One connection; `number` counts the requests that came over it."""

    def __init__(self, asked: Asked, lines: set[Line] | None = None) -> None:
        self._asked = asked
        self._lines = lines if lines is not None else set()
        self._waiting = b""
        self.number = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self._lines.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._lines.discard(self)

    def data_received(self, data: bytes) -> None:
        self._waiting += data
        while (end := self._waiting.find(b"\r\n\r\n")) >= 0:
            length = _LENGTH.search(self._waiting, 0, end + 2)
            stop = end + 4 + (int(length[1]) if length else 0)
            if len(self._waiting) < stop:
                return
            body, self._waiting = self._waiting[end + 4 : stop], self._waiting[stop:]
            self.number += 1
            self._asked(self, body)

    def write(self, data: bytes) -> bool:
        """Whether the client is still there to be told."""
        if self.transport.is_closing():
            return False
        self.transport.write(data)
        return True

    def reset(self) -> None:
        """Hangs up without a word."""
        self.transport.abort()


def ok(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)


def said(status: int, body: Any = "", **headers: object) -> bytes:
    """A whole response of any status."""
    data = json.dumps(body).encode()
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    head = f"HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\ncontent-length: {len(data)}\r\n{lines}\r\n"
    return head.encode() + data


class BareServer:
    """`async with BareServer(asked) as server` listens on loopback; `restart()` drops everybody and listens again."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.lines: set[Line] = set()
        self.port = 0

    async def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: Line(self.asked, self.lines), "127.0.0.1", self.port, backlog=1024, reuse_address=True
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def __aenter__(self) -> BareServer:
        await self._listen()
        self.url = f"http://127.0.0.1:{self.port}/chat"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._hang_up()

    def _hang_up(self) -> None:
        self._server.close()
        for line in list(self.lines):
            line.reset()

    async def restart(self, down: float) -> None:
        """Is not there for `down` seconds."""
        self._hang_up()
        await asyncio.sleep(down)
        await self._listen()

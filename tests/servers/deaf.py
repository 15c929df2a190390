"""Servers that talk without end and never read what they are told."""

from __future__ import annotations

import asyncio
import re
import socket
from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha1

PING = bytes([0x89, 125]) + b"x" * 125
TEXT = bytes([0x81, 4]) + b"word"
EVENT = b'data: {"text": "word"}\n\n'
_KEY = re.compile(rb"sec-websocket-key: *(\S+)", re.IGNORECASE)
_SMALL = 4096
"""Bytes that the system keeps of what is not read, so that the other side soon cannot send any more."""


@dataclass
class Deaf:
    """`async with Deaf(frame) as server` listens; to each request it writes `frame` for ever, after a WebSocket's
    handshake if that is what was asked for. `lost` counts the connections that the other side has ended, `reached` is
    set once there is one."""

    frame: bytes
    lost: int = 0

    async def __aenter__(self) -> Deaf:
        listening = socket.socket()
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _SMALL)
        listening.bind(("127.0.0.1", 0))
        self._tasks: set[asyncio.Task[None]] = set()
        self.reached = asyncio.Event()
        self._server = await asyncio.start_server(self._serve, sock=listening)
        self.host = f"127.0.0.1:{listening.getsockname()[1]}"
        self.url = f"ws://{self.host}/chat"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def all_lost(self) -> None:
        """Returns once nobody is connected."""
        await asyncio.gather(*self._tasks)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            writer.write(_head(await reader.readuntil(b"\r\n\r\n")))
            self.reached.set()
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            while True:
                writer.write(self.frame * 100)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            self.lost += 1
        finally:
            self._tasks.discard(task)
            writer.close()


def _head(request: bytes) -> bytes:
    key = _KEY.search(request)
    if key is None:
        return b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
    accept = b64encode(sha1(key[1] + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
    return (
        b"HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: "
        + accept
        + b"\r\n\r\n"
    )

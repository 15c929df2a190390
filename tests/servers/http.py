"""A server that answers each request as a function says, and counts what it has seen."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TLS = Path(__file__).parent / "tls"


@dataclass(frozen=True)
class Received:
    """One request as it came."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Behave = Callable[[Received, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Server:
    """`async with Server(behave) as server` listens; `received` holds every request that came in whole."""

    behave: Behave
    tls: ssl.SSLContext | None = None
    received: list[Received] = field(default_factory=list)
    connections: int = 0

    async def __aenter__(self) -> Server:
        self._tasks: set[asyncio.Task[None]] = set()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self.tls, limit=2**20)
        self.port = self._server.sockets[0].getsockname()[1]
        self.url = f"http{'s' if self.tls else ''}://127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self.connections += 1
        try:
            while not writer.is_closing():
                request = await _receive(reader)
                self.received.append(request)
                await self.behave(request, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()


async def _receive(reader: asyncio.StreamReader) -> Received:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Received(method, target, headers, body)


def response(body: bytes | str | Any, status: int = 200, kind: str = "application/json", **headers: str) -> bytes:
    """A whole response; what is neither bytes nor text becomes JSON."""
    if not isinstance(body, bytes):
        body = (body if isinstance(body, str) else json.dumps(body)).encode()
    lines = {"content-type": kind, "content-length": str(len(body))} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status:03} Said\r\n{head}\r\n".encode() + body


def always(*pieces: bytes, close: bool = False) -> Behave:
    """Writes the same bytes each time; `close` hangs up afterwards."""

    async def behave(_: Received, writer: asyncio.StreamWriter) -> None:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        if close:
            writer.close()

    return behave


def in_turn(*behaviours: Behave) -> Behave:
    """Behaves in each way once, and in the last one from then on."""
    left = list(behaviours)

    async def behave(request: Received, writer: asyncio.StreamWriter) -> None:
        await (left.pop(0) if len(left) > 1 else left[0])(request, writer)

    return behave


def replying(make: Callable[[Received], bytes]) -> Behave:
    """Writes what a function makes of the request."""

    async def behave(request: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(make(request))

    return behave


async def silent(_: Received, __: asyncio.StreamWriter) -> None:
    await asyncio.sleep(3600)


def server_tls(clients: bool = False) -> ssl.SSLContext:
    """A self-signed server; with `clients` it wants to see the tests' client certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "server.pem")
    if clients:
        context.load_verify_locations(TLS / "client-cert.pem")
        context.verify_mode = ssl.CERT_REQUIRED
    return context

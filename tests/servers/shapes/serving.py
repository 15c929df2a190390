"""What one shape is, and the server on loopback that speaks all of them."""

from __future__ import annotations

import itertools
import json
import re
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from botattack.audit.starting.shapes import file_for, to_fill_in


class Refused(Exception):
    """A reply that the real protocol would send instead of an answer."""

    def __init__(self, status: int, body: Any) -> None:
        super().__init__(status, body)
        self.status, self.body = status, body


@dataclass
class Memory:
    """What a bot remembers from one request to the next."""

    made: dict[str, Any] = field(default_factory=dict)
    """Sessions, threads, runs and stored replies, by their ids."""
    count: Iterable[int] = field(default_factory=lambda: itertools.count(1))


@dataclass
class Call:
    """One request to one shape."""

    request: web.Request
    path: str
    """The part of the path after the shape's name."""
    memory: Memory
    body: bytes = b""
    any_type: bool = False
    """Whether JSON is taken by whatever name."""

    @property
    def json(self) -> Any:
        """Its body; what is no JSON, or is not called so, is refused."""
        if self.request.content_type != "application/json" and not self.any_type:
            raise Refused(415, {"error": {"message": f"unsupported content type {self.request.content_type}"}})
        try:
            return json.loads(self.body)
        except ValueError as error:
            raise Refused(400, {"error": {"message": f"the body is not JSON: {error}"}}) from None

    def at(self, *keys: str | int, within: Any = None) -> str:
        """A text of the body; a body without it is refused."""
        value = self.json if within is None else within
        try:
            for key in keys:
                value = value[key]
        except (KeyError, IndexError, TypeError):
            value = None
        if not isinstance(value, str):
            place = ".".join(map(str, keys))
            raise Refused(400, {"error": {"type": "invalid_request_error", "message": f"{place}: expected a string"}})
        return value

    def need(self, header: str, value: str, status: int = 401) -> None:
        """Refuses a request without this header."""
        if self.request.headers.get(header) != value:
            raise Refused(status, {"error": {"code": status, "message": f"missing or wrong {header}"}})

    def posts(self, path: str) -> re.Match[str]:
        """Refuses what is no POST to a path of this pattern."""
        return self.asks("POST", path)

    def asks(self, method: str, path: str) -> re.Match[str]:
        found = re.fullmatch(path, self.path)
        if not found or self.request.method != method:
            raise Refused(404 if not found else 405, {"error": {"message": f"unknown: {method} {self.path}"}})
        return found

    def number(self) -> int:
        """Another one for each request."""
        return next(iter(self.memory.count))

    def chunks(self, text: str) -> list[str]:
        """Words with the space before them."""
        return re.findall(r"\s*\S+", text)

    async def stream(
        self, pieces: Iterable[str], kind: str = "text/event-stream; charset=utf-8", **headers: str
    ) -> web.StreamResponse:
        """Sends what is to come, a piece at a time."""
        response = web.StreamResponse(headers={"content-type": kind, **headers})
        await response.prepare(self.request)
        for piece in pieces:
            await response.write(piece.encode())
        await response.write_eof()
        return response


Talk = Callable[[Call], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class Product:
    """The target file that comes with botattack for a product, and what its user puts in place of what."""

    name: str
    fills: Mapping[str, str]

    def text(self) -> str:
        text = file_for(self.name, "bot")
        for old, new in self.fills.items():
            assert old in text, f"{self.name}: no {old}"
            text = text.replace(old, new)
        assert not to_fill_in(text), f"{self.name}: {to_fill_in(text)}"
        return text


@dataclass(frozen=True)
class Shape:
    """A protocol of deployed assistants. In `curl` and `file`, BASE stands for where it is served, and SOCKET for the
    same with ws:// before it."""

    name: str
    curl: str
    """As documentation shows it, with its own message."""
    file: str | Product
    """A target file written by hand."""
    talk: Talk
    environ: Mapping[str, str] = field(default_factory=dict)
    """The environment names that `curl` or `file` use."""

    def curl_at(self, base_url: str) -> str:
        return self._placed(self.curl, base_url)

    def file_at(self, base_url: str) -> str:
        return self._placed(self.file if isinstance(self.file, str) else self.file.text(), base_url)

    def _placed(self, text: str, base_url: str) -> str:
        base = f"{base_url}/{self.name}"
        return text.replace("SOCKET", base.replace("http", "ws", 1)).replace("BASE", base)


def sse(data: Any, event: str = "", **lines: Any) -> str:
    """One server-sent event; what is not text becomes JSON."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    head = "".join(f"{name}: {value}\n" for name, value in (lines | ({"event": event} if event else {})).items())
    return head + "".join(f"data: {line}\n" for line in text.split("\n")) + "\n"


def line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def reply(value: Any, status: int = 200, **headers: str) -> web.Response:
    return web.json_response(value, status=status, headers=headers)


def fresh(prefix: str = "") -> str:
    return f"{prefix}{uuid.uuid4().hex}"


def now() -> int:
    return int(time.time())


@asynccontextmanager
async def served(shapes: Iterable[Shape]) -> AsyncIterator[str]:
    """The URL below which each of them listens at its name."""
    by_name = {shape.name: (shape, Memory()) for shape in shapes}

    async def handle(request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        if name not in by_name:
            return web.Response(status=404)
        shape, memory = by_name[name]
        try:
            path = "/" + request.rel_url.raw_path.split("/", 2)[2]
            return await shape.talk(Call(request, path, memory, await request.read()))
        except Refused as error:
            return reply(error.body, error.status)

    app = web.Application()
    app.router.add_route("*", "/{name}/{rest:.*}", handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()

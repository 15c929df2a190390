"""A WebSocket server that talks as a coroutine says."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import web

Talk = Callable[[web.WebSocketResponse, web.Request], Awaitable[None]]


class WebSocketServer:
    """`url` is where it listens; `handshakes` and `messages` count what came in."""

    url = ""
    handshakes = 0
    messages = 0


@asynccontextmanager
async def talking(talk: Talk, status: int = 101, **headers: str) -> AsyncIterator[WebSocketServer]:
    """With another `status` than 101 no connection is made."""
    server = WebSocketServer()

    async def handle(request: web.Request) -> web.StreamResponse:
        server.handshakes += 1
        if status != 101:
            return web.Response(status=status, headers={k.replace("_", "-"): v for k, v in headers.items()})
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        await talk(socket, request)
        return socket

    app = web.Application()
    app.router.add_get("/chat", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    server.url = f"ws://127.0.0.1:{port}/chat"
    try:
        yield server
    finally:
        await runner.cleanup()

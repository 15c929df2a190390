"""A WebSocket of this machine that leads to another one, for programs that open their connections themselves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from secrets import token_urlsafe

from aiohttp import WSMsgType, web

from botattack.errors import TargetError
from botattack.net.socket import Socket

GOODBYE_SECONDS = 1.0


@asynccontextmanager
async def relayed(there: Socket, largest: int) -> AsyncIterator[str]:
    """The URL of a WebSocket on loopback whose messages, of at most `largest` bytes, go to and come from `there`.

    It can be opened once, by whoever knows its path. When either side hangs up, so does the other.
    """
    path = f"/{token_urlsafe(24)}"
    taken = False

    async def handle(request: web.Request) -> web.WebSocketResponse:
        nonlocal taken
        if taken:
            raise web.HTTPNotFound
        taken = True
        here = web.WebSocketResponse(max_msg_size=largest, compress=False, timeout=GOODBYE_SECONDS)
        await here.prepare(request)
        coming = asyncio.create_task(_bring(there, here))
        with suppress(TargetError):
            async for message in here:
                if message.type is WSMsgType.TEXT:
                    await there.answer(message.data)
        coming.cancel()
        await asyncio.gather(coming, return_exceptions=True)
        return here

    app = web.Application()
    app.router.add_get(path, handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=GOODBYE_SECONDS)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"ws://127.0.0.1:{runner.addresses[0][1]}{path}"
    finally:
        await runner.cleanup()


async def _bring(there: Socket, here: web.WebSocketResponse) -> None:
    with suppress(TargetError, ConnectionError):
        while (text := await there.receive()) is not None:
            await here.send_str(text)
    await here.close()

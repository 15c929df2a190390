"""Browsers that run elsewhere: Playwright's own server, and a Chromium with remote debugging."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from aiohttp import ClientSession, ClientWebSocketResponse, web


@asynccontextmanager
async def playwright_server(chromium: str, port: int = 0, env: Mapping[str, str] | None = None) -> AsyncIterator[str]:
    """`playwright run-server` with the machine's own Chromium; gives its address. `--unsafe` lets that name the
    program, which is not where Playwright would put it."""
    command = [sys.executable, "-m", "playwright", "run-server", "--host", "127.0.0.1", "--unsafe", "--port", str(port)]
    async with _started(command, b"Listening on ", env) as found:
        launch = json.dumps({"executablePath": chromium})
        yield f"{found.rstrip('/')}/?launch-options={quote(launch)}"


@asynccontextmanager
async def debugged(chromium: str, profile: Path, port: int = 0) -> AsyncIterator[str]:
    """A Chromium that is already running; gives the address of its debugging port."""
    command = [
        chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--remote-debugging-port={port}",
        f"--user-data-dir={profile}", "about:blank",
    ]  # fmt: skip
    async with _started(command, b"DevTools listening on ", None) as found:
        yield "http://" + found.split("/")[2]


@asynccontextmanager
async def careless(address: str) -> AsyncIterator[str]:
    """A debugging port that leads to another one, and loses which proxy a context shall use."""

    async def lead(request: web.Request) -> web.WebSocketResponse:
        here = web.WebSocketResponse(max_msg_size=0)
        await here.prepare(request)
        async with ClientSession() as session, session.get(f"{address}/json/version") as reply:
            url = (await reply.json(content_type=None))["webSocketDebuggerUrl"]
            async with session.ws_connect(url, max_msg_size=0) as there:
                back = asyncio.create_task(_pass(there, here))
                async for message in here:
                    asked = json.loads(message.data)
                    asked.get("params", {}).pop("proxyServer", None)
                    await there.send_json(asked)
                back.cancel()
        return here

    app = web.Application()
    app.router.add_get("/devtools/browser/x", lead)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"ws://127.0.0.1:{runner.addresses[0][1]}/devtools/browser/x"
    await runner.cleanup()


async def _pass(there: ClientWebSocketResponse, here: web.WebSocketResponse) -> None:
    async for message in there:
        await here.send_str(message.data)


@asynccontextmanager
async def _started(command: list[str], ready: bytes, env: Mapping[str, str] | None) -> AsyncIterator[str]:
    """What a program says of its address. At the end it is killed with all that it started."""
    program = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, start_new_session=True,
        env={**os.environ, **(env or {})},
    )  # fmt: skip
    try:
        assert program.stdout is not None
        while ready not in (line := await program.stdout.readline()):
            assert line, "the program ended"
        reading = asyncio.create_task(program.stdout.read())
        yield line.split()[-1].decode()
        reading.cancel()
    finally:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
        await program.wait()

"""Chat pages whose answers come from a server that keeps a log of what it was asked and what it said.

Each page shows one trait that makes answers easy to mix up or to cut: the message is shown late, the answer pauses, or
the busy sign goes before the answer is whole. Every asking gets an answer of its own, so a log tells whose it is.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from aiohttp import WSMsgType, web

_PAGE = """<!doctype html><meta charset=utf-8><style>.me{text-align:right}</style>
<div id=log></div><input id=box placeholder="Ask me">
<script>
const clears = CLEARS, log = document.querySelector('#log'), box = document.querySelector('#box');
let bot = null, busy = null;
const add = (who, text) => {
  const p = document.createElement('p'); p.className = who; p.textContent = text; log.append(p); return p;
};
const show = (event) => {
  if (event.me) { add('me', event.me); if (box.value === event.me) box.value = ''; }
  if (event.busy) busy = add('typing', 'is typing');
  if (event.idle && busy) { busy.remove(); busy = null; }
  if (event.begin) bot = add('bot', '');
  if (event.piece) bot.textContent += event.piece;
};
</script>"""
_HTTP = """<script>
box.addEventListener('keydown', async (event) => {
  if (event.key !== 'Enter' || !box.value) return;
  const text = box.value; if (clears) box.value = '';
  const answer = await fetch(location.pathname, {method: 'POST', body: text});
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const {done, value} = await reader.read(); if (done) break;
    const lines = (rest + value).split('\\n'); rest = lines.pop();
    lines.map(JSON.parse).forEach(show);
  }
});
</script>"""
_SOCKET = """<script>
let socket;
setTimeout(() => {
  socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket');
  socket.onmessage = (event) => show(JSON.parse(event.data));
}, CONNECTS);
box.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !box.value) return;
  socket.send(box.value); if (clears) box.value = '';
});
</script>"""


@dataclass(frozen=True)
class Traits:
    """How a page behaves. Times are ranges of seconds, drawn for each asking from its number."""

    socket: bool = True
    """Whether all goes over one WebSocket; otherwise each answer is one streamed HTTP response."""
    connects: float = 0.0
    """Until the page opens its WebSocket; what is to be sent before stays in the box."""
    echo: tuple[float, float] = (0.0, 0.0)
    """Until the message that was sent is shown."""
    thinks: tuple[float, float] = (0.1, 0.4)
    """From then until the answer's first word."""
    gap: tuple[float, float] = (0.05, 0.3)
    """Between the pieces of an answer."""
    pause: tuple[float, float] = (0.0, 0.0)
    """The same, where the answer pauses."""
    pausing: float = 0.0
    """The share of gaps at which it does."""
    typing: bool = False
    """Whether a busy sign is shown, which goes with the first word."""
    clears: bool = True
    """Whether the box is emptied at once; otherwise once the message is shown."""
    open_for: float = 0.0
    """How long the response stays open after the answer."""


LATE = Traits(echo=(2.0, 3.0), thinks=(0.3, 0.6))
"""Shows a message later than tests let it take (`confirm`)."""
PAUSING = Traits(pause=(1.7, 2.3), pausing=0.3)
SPINNER = Traits(socket=False, typing=True, pause=(1.7, 2.3), pausing=0.3)


@dataclass
class Chats:
    """`async with Chats(traits) as chats` serves one page at `chats.url`; `said` is the log: each asking and its whole
    answer, in the order of arrival."""

    traits: Traits
    seed: int = 0
    said: list[tuple[str, str]] = field(default_factory=list)

    async def __aenter__(self) -> Chats:
        app = web.Application()
        app.add_routes([web.get("/", self._home), web.get("/socket", self._socket)])
        app.add_routes([web.post("/", self._post)])
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    @property
    def twice(self) -> list[str]:
        """What was received more than once."""
        return [text for text, times in Counter(text for text, _ in self.said).items() if times > 1]

    async def _home(self, _: web.Request) -> web.Response:
        page = _PAGE + (_SOCKET if self.traits.socket else _HTTP)
        page = page.replace("CLEARS", json.dumps(self.traits.clears))
        page = page.replace("CONNECTS", json.dumps(1000 * self.traits.connects))
        return web.Response(text=page, content_type="text/html")

    async def _post(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        events = self._events(await request.text())
        await response.prepare(request)
        with suppress(ConnectionError):  # a page may be closed before its answer ends
            async for event in events:
                await response.write(json.dumps(event).encode() + b"\n")
        return response

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        answering: set[asyncio.Task[None]] = set()

        async def answer(text: str) -> None:
            with suppress(ConnectionError):
                async for event in self._events(text):
                    await socket.send_json(event)

        async for message in socket:
            if message.type is WSMsgType.TEXT:
                answering.add(task := asyncio.create_task(answer(message.data)))
                task.add_done_callback(answering.discard)
        for task in answering:
            task.cancel()
        await asyncio.gather(*answering, return_exceptions=True)
        return socket

    async def _events(self, text: str) -> AsyncIterator[dict[str, Any]]:
        number, traits = len(self.said), self.traits
        rng = Random(f"{self.seed}/{number}")
        pieces = ["Well,", f" asking {number}", f" was {text!r}", f" and this is reply {rng.randrange(10**6)}."]
        self.said.append((text, "".join(pieces)))
        await asyncio.sleep(rng.uniform(*traits.echo))
        yield {"me": text, "busy": traits.typing}
        await asyncio.sleep(rng.uniform(*traits.thinks))
        yield {"begin": True, "piece": pieces[0], "idle": True}
        for piece in pieces[1:]:
            await asyncio.sleep(rng.uniform(*(traits.pause if rng.random() < traits.pausing else traits.gap)))
            yield {"piece": piece}
        await asyncio.sleep(traits.open_for)

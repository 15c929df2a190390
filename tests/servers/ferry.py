"""The ferry line's bot behind JSON, server-sent events, chat completions, a WebSocket and a web page.

python -m tests.servers.ferry        prints its port, and serves until its standard input closes
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from aiohttp import WSMsgType, web

from tests.recordings.campaigns import bot
from tests.servers.pages import chat

Handle = Callable[[web.Request], Awaitable[web.StreamResponse]]

PAGE = chat(
    "const said = await fetch('/chat', {method: 'POST', body: JSON.stringify({text})});"
    " say('bot', (await said.json()).reply.text);"
)


async def replies(request: web.Request) -> web.Response:
    """Answer with candidates and a confidence."""
    asked = await request.json()
    found = bot.ranked(asked["text"])
    said = [reply for _, reply in found] or [bot.answer(asked["text"], asked.get("history", ()))]
    reply = {"text": said[0], "candidates": [{"text": text} for text in said[:3]]}
    sure = {"confidence": round(found[0][0], 2) if found else 0.1, "tokens": len(bot.words(said[0]))}
    return web.json_response({"reply": {**reply, **sure}})


def streamed() -> Handle:
    """Answer word by word. The answer about the market changes each time."""
    days = itertools.cycle(("Monday", "Thursday", "Sunday"))

    async def pieces(request: web.Request) -> web.StreamResponse:
        text = (await request.json())["text"]
        said = f"The market is on {next(days)}." if "market" in text.casefold() else bot.answer(text)
        stream = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await stream.prepare(request)
        for piece in re.findall(r"\S+\s*", said):
            await stream.write(f"data: {json.dumps({'delta': piece})}\n\n".encode())
        await stream.write(b"data: [DONE]\n\n")
        return stream

    return pieces


class Ailing:
    """Answers, unless `ill`: then some questions get HTTP 500, an unknown JSON, no reply at all, or a 429 first."""

    def __init__(self) -> None:
        self.ill = True
        self._paused: set[str] = set()

    async def replies(self, request: web.Request) -> web.StreamResponse:
        text: str = (await request.json())["text"]
        if self.ill and ("winter" in text or ("Heron" in text and not text.isascii())):
            return web.Response(status=500, text="out of order")
        if self.ill and "captain" in text:
            return web.json_response({"answer": "Jonas Wray"})
        if self.ill and "dogs" in text:
            assert request.transport
            request.transport.abort()
        if self.ill and "market" in text and text not in self._paused:
            self._paused.add(text)
            return web.Response(status=429, headers={"retry-after": "0"})
        return web.json_response({"reply": {"text": bot.answer(text)}})


async def completions(request: web.Request) -> web.Response:
    """Answer as the OpenAI API does. The last message holds the passages, an empty line, and the question."""
    *before, last = (await request.json())["messages"]
    *passages, question = last["content"].split("\n\n")
    history = [{"text": message["content"]} for message in before if message["role"] == "user"]
    message = {"role": "assistant", "content": bot.answer(question, history, passages)}
    return web.json_response({"choices": [{"message": message}], "usage": {"total_tokens": 20}})


async def talk(request: web.Request) -> web.WebSocketResponse:
    """Send `ready` after a join, then answer each message in two pieces."""
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    async for message in socket:
        if message.type != WSMsgType.TEXT:
            break
        asked = message.json()
        if asked["type"] == "join":
            await socket.send_json({"ready": True})
            continue
        said = bot.answer(asked["text"], asked["history"], asked["passages"])
        half = len(said) // 2
        await socket.send_json({"text": said[:half]})
        await socket.send_json({"text": said[half:], "final": True})
    return socket


async def judges(request: web.Request) -> web.Response:
    """Label a reply by the words it shares with the answers; unsure about dogs, so that judge and matcher disagree."""
    data = dict(re.findall(r"^(\w+): (.*)$", (await request.json())["prompt"], re.MULTILINE))
    reply, gold = json.loads(data["reply"]), json.loads(data["right_answers"])
    shared = any(set(bot.words(answer)) <= set(bot.words(reply)) for answer in gold)
    label = "unsure" if "dogs" in reply else "correct" if shared else "wrong"
    return web.json_response({"label": json.dumps({"label": label})})


class Ferry:
    """`port` is where it listens; `ill` says whether `/errors` fails."""

    def __init__(self) -> None:
        self.port = 0
        self._ailing = Ailing()

    def heal(self) -> None:
        self._ailing.ill = False

    def app(self) -> web.Application:
        app = web.Application()
        app.add_routes(
            [
                web.post("/chat", replies),
                web.post("/stream", streamed()),
                web.post("/errors", self._ailing.replies),
                web.post("/v1/chat/completions", completions),
                web.post("/judge", judges),
                web.get("/talk", talk),
                web.get("/page", _page),
            ]
        )
        return app


async def _page(_: web.Request) -> web.Response:
    return web.Response(text=PAGE, content_type="text/html")


@contextmanager
def ferry() -> Iterator[Ferry]:
    """Serve on loopback, in a thread of its own."""
    served = Ferry()
    ready: Future[int] = Future()
    loop = asyncio.new_event_loop()
    done = asyncio.Event()

    async def serve() -> None:
        runner = web.AppRunner(served.app(), shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        ready.set_result(runner.addresses[0][1])
        await done.wait()
        await runner.cleanup()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        served.port = ready.result(timeout=60)
        yield served
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join()
        loop.close()


def main() -> None:
    with ferry() as served:
        sys.stdout.write(f"{served.port}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()

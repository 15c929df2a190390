"""Sessions know nothing of each other: on each kind of target, a bot counts its conversations and their turns, while
two conversations are open at once and a third comes after them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from botattack import registry
from botattack.model import Prompt
from botattack.protocols import Target
from botattack.targets.browser.browser_kind import Browser
from botattack.targets.http.openai import OpenAI
from botattack.targets.http.websocket import WebSocket
from botattack.targets.local.local_kind import Local
from botattack.targets.process.process_kind import Process
from tests.servers import pages
from tests.servers.http import Received, Server, replying, response
from tests.servers.websocket import talking
from tests.targets.asking import Tally, http, options, unit_of
from tests.targets.browser.conftest import described

pytestmark = pytest.mark.anyio
Opened = Callable[[Path], AbstractAsyncContextManager[Target]]


class Counting:
    """Numbers conversations by the name they have, and the turns of each."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._turns: dict[str, int] = {}

    def heard(self, name: str) -> str:
        number = self._numbers.setdefault(name, len(self._numbers))
        self._turns[name] = self._turns.get(name, 0) + 1
        return f"conversation {number} turn {self._turns[name]}"


@asynccontextmanager
async def by_session(folder: Path) -> AsyncIterator[Target]:
    bot = Counting()
    async with Server(replying(lambda asked: response({"text": bot.heard(asked.json["session"])}))) as server:
        yield http(server.url, folder, request={"json": {"text": "{{ question }}", "session": "{{ session }}"}})


@asynccontextmanager
async def by_cookie(folder: Path) -> AsyncIterator[Target]:
    bot, names = Counting(), count()

    def reply(asked: Received) -> bytes:
        cookie = asked.headers.get("cookie") or f"sid={next(names)}"
        return response({"text": bot.heard(cookie)}, set_cookie=f"{cookie}; Path=/")

    async with Server(replying(reply)) as server:
        yield http(server.url, folder)


@asynccontextmanager
async def by_opening(folder: Path) -> AsyncIterator[Target]:
    """The bot names the conversation when it is opened, as Bot Framework does."""
    bot, names = Counting(), count()

    def reply(asked: Received) -> bytes:
        if asked.target == "/open":
            return response({"id": next(names)})
        return response({"text": bot.heard(asked.target)})

    async with Server(replying(reply)) as server:
        opening = {"url": f"{server.url}/open", "method": "POST", "take": {"id": "$.id"}}
        request = {"url": f"{server.url}/talk/{{{{ open.id }}}}"}
        yield http(server.url, folder, open=opening, request=request)


@asynccontextmanager
async def by_connection(folder: Path) -> AsyncIterator[Target]:
    bot, names = Counting(), count()

    async def talk(socket: web.WebSocketResponse, _: web.Request) -> None:
        name = str(next(names))
        async for _message in socket:
            await socket.send_json({"say": bot.heard(name)})

    async with talking(talk) as server:
        connect = {"url": server.url, "send": {"text": "{{ question }}"}, "extract": {"answer": "$.say"}}
        yield options(WebSocket, connect | {"quiet": "50ms"}).target("bot", {}, folder)


@asynccontextmanager
async def by_history(folder: Path) -> AsyncIterator[Target]:
    names = count()

    def reply(asked: Received) -> bytes:
        said = [one["content"] for one in asked.json["messages"] if one["role"] == "user"]
        answers = [one["content"] for one in asked.json["messages"] if one["role"] == "assistant"]
        # What the bot said in the first turn names the conversation.
        text = answers[0].partition(" turn")[0] if answers else f"conversation {next(names)}"
        choice = {"message": {"role": "assistant", "content": f"{text} turn {len(said)}"}, "finish_reason": "stop"}
        return response({"choices": [choice]})

    async with Server(replying(reply)) as server:
        yield options(OpenAI, {"url": server.url, "model": "m"}).target("bot", {}, folder)


class Room:
    """A callable that is made once a conversation."""

    numbers = count()

    def __init__(self) -> None:
        self.number, self.turns = next(self.numbers), 0

    def __call__(self, text: str) -> str:
        self.turns += 1
        return f"conversation {self.number} of {os.getpid()} turn {self.turns}"


KNOWN = Counting()


def by_name(text: str, session: str) -> str:
    return KNOWN.heard(session)


def local(call: str, **tree: Any) -> Opened:
    @asynccontextmanager
    async def opened(folder: Path) -> AsyncIterator[Target]:
        yield options(Local, {"call": f"{__name__}:{call}", **tree}).target("bot", {}, folder)

    return opened


PROGRAM = """
import json, sys, os
turns = 0
for line in sys.stdin:
    got = json.loads(line)
    turns = turns + 1 if PER_PROGRAM else got["turn"] + 1
    name = os.getpid() if PER_PROGRAM else got["session"]
    print(json.dumps({"text": f"conversation {name} turn {turns}"}), flush=True)
"""


def program(per: str) -> Opened:
    @asynccontextmanager
    async def opened(folder: Path) -> AsyncIterator[Target]:
        (folder / "bot.py").write_text(PROGRAM.replace("PER_PROGRAM", str(per == "conversation")))
        tree = {"command": [sys.executable, "bot.py"], "per": per, "workers": 2}
        yield options(Process, tree).target("bot", {}, folder)

    return opened


REMEMBERS = pages.chat(
    "const name = localStorage.name || (localStorage.name = Math.random());"
    " const n = 1 + Number((document.cookie.match(/n=(\\d+)/) || [0, 0])[1]); document.cookie = 'n=' + n;"
    " await sleep(10); say('bot', `conversation ${name} turn ${n}`);"
)


@asynccontextmanager
async def by_context(folder: Path) -> AsyncIterator[Target]:
    async with pages.serving(home=REMEMBERS) as server:
        yield options(Browser, described(server.url)).target("page", {}, folder)


KINDS: dict[str, list[Any]] = {
    "http": [by_session, by_cookie, by_opening],
    "openai": [by_history],
    "websocket": [by_connection],
    "local": [local("Room"), local("by_name")],
    "process": [program("run"), program("conversation")],
    "browser": [by_context],
}
CASES = [
    pytest.param(opened, id=f"{kind} {number}", marks=[pytest.mark.live] * (kind == "browser"))
    for kind, ways in KINDS.items()
    for number, opened in enumerate(ways)
]


def test_no_kind_of_target_is_left_out() -> None:
    assert KINDS.keys() == registry.BUILT_IN["targets"].keys()


@pytest.mark.slow
@pytest.mark.parametrize("opened", CASES)
async def test_what_is_said_in_one_conversation_is_known_in_no_other(opened: Opened, tmp_path: Path) -> None:
    said: dict[str, list[str]] = {"a": [], "b": [], "c": []}
    async with opened(tmp_path) as target:
        one, two, three = (target.session(unit_of(name, seed=seed), Tally()) for seed, name in enumerate(said))
        async with one as first, two as second:
            for turn in ("hello", "and then?", "go on"):
                for name, session in (("a", first), ("b", second)):
                    said[name].append((await session.ask(Prompt(f"{turn} {name}"))).text)
        async with three as last:
            said["c"].append((await last.ask(Prompt("hello c"))).text)
        await target.close()
    turns = {name: [text.partition(" turn ")[2] for text in texts] for name, texts in said.items()}
    assert turns == {"a": ["1", "2", "3"], "b": ["1", "2", "3"], "c": ["1"]}
    names = [{text.partition(" turn ")[0] for text in texts} for texts in said.values()]
    assert [len(each) for each in names] == [1, 1, 1]
    assert len(set.union(*names)) == 3, json.dumps(said)

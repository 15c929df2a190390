"""Every way a conversation can go wrong at the bot's side has an end that is told, on real servers."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

import botattack
from botattack.events import AnyEvent, Asked, OriginalJudged
from botattack.recordings.reader import events
from tests.cli.conftest import Botattack
from tests.servers.websocket import talking

DIALOGUES = """
dialogues:
  - turns: [Hello, {user: How are you?, contains: fine}, {user: And now?, answers: [now]}]
  - turns: [Good day, {user: Well?, contains: fine}]
"""
TARGET = """
connect:
  kind: websocket
  url: "%s"
  send: {text: "{{ question }}"}
  quiet: 100ms
  extract: {answer: "$.say"}
limits: {rate: unlimited, timeout: 3s, retries: 1, concurrency: 1}
"""
Behave = Callable[[web.WebSocketResponse, str, int], Awaitable[bool]]
"""What a bot does with a text, given the number of its turn; False ends the session."""


@contextmanager
def serving(behave: Behave) -> Iterator[str]:
    """A bot behind a WebSocket, in a thread of its own."""
    ready, done = threading.Event(), asyncio.Event()
    where: dict[str, Any] = {}

    async def talk(socket: web.WebSocketResponse, _: web.Request) -> None:
        turn = 0
        async for message in socket:
            if not await behave(socket, json.loads(message.data)["text"], turn):
                return
            turn += 1

    async def main() -> None:
        where["loop"] = asyncio.get_running_loop()
        async with talking(talk) as server:
            where["url"] = server.url
            ready.set()
            await done.wait()

    thread = threading.Thread(target=asyncio.run, args=(main(),), daemon=True)
    thread.start()
    assert ready.wait(60)
    try:
        yield where["url"]
    finally:
        where["loop"].call_soon_threadsafe(done.set)
        thread.join(20)


async def well(socket: web.WebSocketResponse, text: str, turn: int) -> bool:
    await socket.send_json({"say": f"{text} now, fine, at turn {turn}"})
    return True


def at_and_now(trouble: Behave) -> Behave:
    """Trouble in the last turn of the first dialogue."""

    async def behave(socket: web.WebSocketResponse, text: str, turn: int) -> bool:
        return await (trouble if "now" in text else well)(socket, text, turn)

    return behave


async def silent(socket: web.WebSocketResponse, text: str, turn: int) -> bool:
    return True


async def hangs_up(socket: web.WebSocketResponse, text: str, turn: int) -> bool:
    return False


async def slow(socket: web.WebSocketResponse, text: str, turn: int) -> bool:
    await asyncio.sleep(1.1)  # three of them take longer than the timeout of one answer
    return await well(socket, text, turn)


@dataclass
class Ends:
    standing: Counter[str]
    failures: list[Any]
    exit: int
    told: list[AnyEvent] = field(default_factory=list)


@pytest.fixture
def ends(botattack: Botattack, folder: Path) -> Callable[[Behave], Ends]:
    def run(behave: Behave) -> Ends:
        (folder / "dialogues.yaml").write_text(DIALOGUES)
        (folder / "night.yaml").write_text(
            "target: bot.yaml\nquestions: {file: dialogues.yaml}\nmatch: contains\nattacks: [unchanged]\nseed: 2\n"
        )
        with serving(behave) as url:
            (folder / "bot.yaml").write_text(TARGET % url)
            ended = botattack("run", "night.yaml", "--recordings", "recordings")
        (recording,) = (folder / "recordings").glob("*/")
        told = list(events(recording))
        standing = Counter(event.standing for event in told if isinstance(event, OriginalJudged))
        failures = [event.failure for event in told if isinstance(event, Asked) and event.failure]
        return Ends(standing, failures, ended.status, told)

    return run


@pytest.mark.slow
def test_a_slow_bot_has_the_whole_timeout_for_each_turn(ends: Callable[[Behave], Ends]) -> None:
    found = ends(slow)
    assert (found.standing, found.failures) == ({"kept": 2}, [])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("trouble", "kind", "word"),
    [(silent, "timeout", "turn 2"), (hangs_up, "broken reply", "hung up")],
)
def test_a_conversation_that_breaks_off_costs_that_one_alone(
    ends: Callable[[Behave], Ends], trouble: Behave, kind: str, word: str
) -> None:
    found = ends(at_and_now(trouble))
    assert found.standing == {"error": 1, "kept": 1}
    (failure,) = found.failures
    assert failure.kind == kind
    assert word in failure.message


def test_the_library_offers_the_same(folder: Path) -> None:
    class Chat:
        def __init__(self) -> None:
            self.turns = 0

        def __call__(self, text: str) -> str:
            self.turns += 1
            return f"fine now, {self.turns}"

    dialogues = [{"turns": ["Hello", {"user": "How are you?", "contains": "fine now, 2"}]}]
    campaign = botattack.campaign(Chat, dialogues, attacks=["are-you-sure"], match="contains", seed=1)
    result = botattack.run(campaign, recordings=folder / "recordings")
    assert result.figures.questions.kept == 1
    assert result.figures.attacks["are-you-sure"].gold.asked == 1

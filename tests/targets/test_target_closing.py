"""Bots that hold up the closing of what they are asked over: it ends all the same, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import fcntl
import sys
from pathlib import Path
from typing import IO

import pytest

from botattack.net.client import Client
from botattack.net.hosts import Hosts
from botattack.net.messages import Call
from botattack.targets.http.websocket import WebSocket
from botattack.targets.process.process_kind import Process
from tests.servers.deaf import EVENT, PING, TEXT, Deaf
from tests.targets.asking import Tally, ask, options

pytestmark = pytest.mark.anyio

IN_ANY_CASE = 240.0
"""Seconds after which something is held up for ever."""
LOOK = 0.05
PROGRAM = """
import fcntl, json, os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
lock = os.open("alive", os.O_RDWR)
fcntl.flock(lock, fcntl.LOCK_SH)
child = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)"
subprocess.Popen([sys.executable, "-c", child], pass_fds=[lock])
for line in sys.stdin:
    print(json.dumps({"text": "here"}), flush=True)
"""
"""Ends with its input, and leaves a child. Neither heeds SIGTERM; both hold a lock as long as they live."""


@pytest.mark.slow
@pytest.mark.parametrize("frame", [PING, TEXT], ids=["pings", "talks"])
async def test_a_socket_of_a_bot_that_never_reads_is_cut(frame: bytes) -> None:
    async with asyncio.timeout(IN_ANY_CASE), Deaf(frame) as server:
        bot = options(WebSocket, {"url": server.url, "send": "{{ question }}"}).target("bot", {}, Path())
        asking = asyncio.create_task(ask(bot, seconds=IN_ANY_CASE))
        await server.reached.wait()
        await asyncio.sleep(1.0)  # until nothing more can be sent either way
        asking.cancel()
        await asyncio.wait([asking])
        assert asking.cancelled()
        await server.all_lost()
        await bot.close()
    assert server.lost == 1


async def test_a_stream_that_never_ends_is_cut_though_the_bot_has_not_read_the_question() -> None:
    async with asyncio.timeout(IN_ANY_CASE), Deaf(EVENT) as server:
        client = Client(Hosts.of([f"http://{server.host}/"]))
        call = Call("POST", f"http://{server.host}/", (), b"x" * 32_000_000)
        async with client.open(call, Tally()) as response:
            assert await anext(response.pieces())
        await server.all_lost()
        await client.close()
    assert server.lost == 1


@pytest.fixture
def alive(tmp_path: Path) -> IO[bytes]:
    (tmp_path / "bot.py").write_text(PROGRAM)
    return (tmp_path / "alive").open("wb+")


async def test_a_program_ends_with_all_that_it_has_started(tmp_path: Path, alive: IO[bytes]) -> None:
    bot = options(Process, {"command": [sys.executable, "bot.py"]}).target("bot", {}, tmp_path)
    await ask(bot)
    assert not _free(alive)
    await bot.close()
    looks = 0
    while not _free(alive) and looks < IN_ANY_CASE / LOOK:
        looks += 1
        await asyncio.sleep(LOOK)
    assert _free(alive)


def _free(file: IO[bytes]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

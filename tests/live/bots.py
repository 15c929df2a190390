"""Starts a bot on a free port of this machine, waits until it is itself that answers, and stops it by its id."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

TARGETS = Path(__file__).parents[2] / "targets" / "bots"
KNOWN, ANSWER = "How old is the cathedral on the hill?", "Its first stone was laid in 1287."
"""What proves that a bot is the one that was started: the port alone does not."""
START_SECONDS = 400
ANSWER_SECONDS = 120
"""A language model on a busy machine thinks for long; whoever gives it up early makes it think twice."""
END_SECONDS = 60
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


@dataclass(frozen=True)
class LiveBot:
    """A running bot. `log` holds what it printed."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path

    def target_file(self, name: str, folder: Path, **lines: str) -> Path:
        """A copy of `targets/NAME.yaml` that asks this bot: its address and the options in `lines`, commented out or
        not, are replaced, and nothing else."""
        text = (TARGETS / f"{name}.yaml").read_text("utf-8")
        assert len(set(_ADDRESS.findall(text))) == 1, f"{name}.yaml names one address of a bot on this machine"
        text = _ADDRESS.sub(self.url, text)
        for key, value in lines.items():
            (line,) = re.findall(rf"^  (?:# )?{key}: .*$", text, re.MULTILINE)
            text = text.replace(line, f"  {key}: {value}")
        copy = folder / f"{name}.yaml"
        copy.write_text(text, "utf-8")
        return copy


class Http:
    """A plain client with cookies that knows nothing of botattack."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._opener = build_opener(ProxyHandler({}), HTTPCookieProcessor(CookieJar()))

    def text(self, path: str, body: Any = None, form: Mapping[str, str] | None = None) -> str:
        data = json.dumps(body).encode() if body is not None else urlencode(form).encode() if form else None
        kind = "application/json" if body is not None else "application/x-www-form-urlencoded"
        request = Request(self._base + path, data, {"content-type": kind} if data else {})
        with self._opener.open(request, timeout=ANSWER_SECONDS) as response:
            return response.read().decode()

    def json(self, path: str, body: Any = None) -> Any:
        return json.loads(self.text(path, body))


def free_port() -> int:
    """A port that no client is given by chance before the bot listens on it: systems give these from 32768 on."""
    for port in random.sample(range(20_000, 32_768), 100):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


@contextlib.contextmanager
def running(
    command: Sequence[str | Path],
    port: int,
    answers: Callable[[Http], bool],
    folder: Path,
    env: Mapping[str, str] | None = None,
) -> Iterator[LiveBot]:
    """The bot that `command` starts, once `answers` holds and its process is alive; stopped at the end."""
    log = folder / "log.txt"
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    bot = LiveBot(f"http://127.0.0.1:{port}", process, log)
    try:
        _wait(bot, answers)
        yield bot
    finally:
        _stop(process)


def _wait(bot: LiveBot, answers: Callable[[Http], bool]) -> None:
    last = ""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        try:
            right = answers(Http(bot.url))
            last = "it answered something else"
        except (OSError, ValueError, LookupError) as error:
            right, last = False, str(error)
        assert bot.process.poll() is None, f"the bot ended: {bot.log.read_text(errors='replace')[-2000:]}"
        if right:
            return
        time.sleep(0.1)
    raise AssertionError(f"the bot is not ready after {START_SECONDS} s: {last}; {bot.log.read_text()[-2000:]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ends the process and what it started: they are a session of their own."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(END_SECONDS)

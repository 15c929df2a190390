"""A bot in a process of its own that knows the codes of parts, takes so many requests a second and counts what it was
asked: `python -m tests.servers.parts` prints its port; GET /counts."""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from aiohttp import web

AHEAD = 0.25
"""Seconds of requests that may come at once."""
BETWEEN = "What is the code of item {} in the list of parts?"


class Bot:
    """Answers with the item's code if it is asked for one."""

    def __init__(self, rate: float, delay: float) -> None:
        self._rate = rate
        self._delay = delay
        self._next = 0.0
        self.asked: Counter[str] = Counter()
        self.pushed_back = 0

    async def chat(self, request: web.Request) -> web.Response:
        question, now = (await request.json())["q"], time.monotonic()
        if self._rate:
            begins = max(self._next, now)
            if begins - now > AHEAD:
                self.pushed_back += 1
                return web.Response(status=429, headers={"retry-after": "1"})
            self._next = begins + 1 / self._rate
        self.asked[question] += 1
        await asyncio.sleep(self._delay)
        item = re.search(r"item (\d+)", question)
        known = item and "code" in question
        return web.json_response({"a": f"It is K{int(item[1]) * 7}." if item and known else "Sorry, I do not know."})

    async def counts(self, _: web.Request) -> web.Response:
        return web.json_response({"asked": self.asked, "pushed_back": self.pushed_back})


async def main(rate: float, delay: float) -> None:
    bot = Bot(rate, delay)
    app = web.Application()
    app.add_routes([web.post("/chat", bot.chat), web.get("/counts", bot.counts)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    sys.stdout.write(f"{runner.addresses[0][1]}\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


@contextmanager
def running(rate: float = 0.0, delay: float = 0.0) -> Iterator[int]:
    """The port of such a bot."""
    words = [sys.executable, "-m", "tests.servers.parts", "--rate", str(rate), "--delay", str(delay)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as bot:
        assert bot.stdout is not None
        try:
            yield int(bot.stdout.readline())
        finally:
            bot.kill()


def counts(port: int) -> dict[str, Any]:
    """What it was asked, and how often it pushed back."""
    with urlopen(f"http://127.0.0.1:{port}/counts") as reply:
        found: dict[str, Any] = json.load(reply)
    return found


def campaign(folder: Path, port: int, questions: int, limits: str, more: str = "") -> Path:
    """A campaign over so many questions, with letters, search and control."""
    rows = [{"question": BETWEEN.format(item), "answer": f"K{item * 7}"} for item in range(questions)]
    (folder / "parts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "parts.yaml").write_text(
        "name: parts\nconnect:\n  kind: http\n"
        f'  request: {{url: "http://127.0.0.1:{port}/chat", json: {{q: "{{{{ question }}}}"}}}}\n'
        f"  extract: {{answer: $.a}}\nlimits: {limits}\n"
    )
    path = folder / "campaign.yaml"
    path.write_text(
        "target: parts.yaml\nquestions: {file: parts.jsonl}\nseed: 3\n"
        f"attacks: [case, {{noise: {{kinds: [swap], stop_at_break: true}}}}, unchanged]\n{more}"
    )
    return path


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=0.0)
    parser.add_argument("--delay", type=float, default=0.0)
    given = parser.parse_args()
    asyncio.run(main(given.rate, given.delay))

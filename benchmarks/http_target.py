"""CPU and speed of the HTTP target beside aiohttp alone, in one run: `python benchmarks/http_target.py`.

Both post a JSON question to the mock bot and decode the JSON reply; the target besides fills templates, asks its pace,
checks the host, bounds and extracts. Held against: at most 3.5 times aiohttp's CPU at 32 in flight, and at 256 at most
1.3 times the target's own cost at 32.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiohttp

from botattack.config.checking import validator
from botattack.model import Prompt, Unit
from botattack.targets.http.http_kind import Http

ROUNDS, REQUESTS = 3, 4000


class FreePace:
    """Lets everything go."""

    async def leave(self) -> None: ...

    def shut(self, seconds: float | None) -> None: ...


async def measured(ask: Callable[[int], Awaitable[object]], in_flight: int) -> tuple[float, float]:
    """(CPU milliseconds a request, requests a second)"""

    async def worker(numbers: range) -> None:
        for number in numbers:
            await ask(number)

    cpu, wall = time.process_time(), time.perf_counter()
    await asyncio.gather(*[worker(range(start, REQUESTS, in_flight)) for start in range(in_flight)])
    return (time.process_time() - cpu) / REQUESTS * 1e3, REQUESTS / (time.perf_counter() - wall)


async def compare(port: int) -> None:
    url = f"http://127.0.0.1:{port}/chat"
    tree = {
        "request": {
            "url": url,
            "headers": {"Authorization": "Bearer {{ env.TOKEN }}"},
            "json": {"text": "{{ question }}"},
        },
        "extract": {"answer": "$.reply.text", "ranked": "$.reply.candidates[*].text"},
    }
    target = validator(Http).validate_json(json.dumps(tree), strict=True).target("mock", {"TOKEN": "t"}, Path())
    pace = FreePace()
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session:

        async def alone(number: int) -> object:
            async with session.post(url, json={"text": f"question {number}"}) as response:
                return json.loads(await response.read())["reply"]["text"]

        async def through(number: int) -> object:
            prompt = Prompt(f"question {number}")
            async with target.session(Unit((prompt,), 0, number, str(number)), pace) as conversation:
                return (await conversation.ask(prompt)).text

        print(f"{'in flight':>9} {'aiohttp ms':>11} {'/s':>7} {'target ms':>10} {'/s':>7} {'multiple':>9}")
        for in_flight in (1, 32, 256):
            await measured(alone, in_flight)
            await measured(through, in_flight)
            plain = min([await measured(alone, in_flight) for _ in range(ROUNDS)])
            ours = min([await measured(through, in_flight) for _ in range(ROUNDS)])
            line = f"{in_flight:>9} {plain[0]:>11.3f} {plain[1]:>7.0f} {ours[0]:>10.3f} {ours[1]:>7.0f}"
            print(f"{line} {ours[0] / plain[0]:>9.2f}")
    await target.close()


def main() -> None:
    bot = subprocess.Popen([sys.executable, Path(__file__).with_name("mock_bot.py")], stdout=subprocess.PIPE, text=True)
    try:
        assert bot.stdout is not None
        asyncio.run(compare(int(bot.stdout.readline())))
    finally:
        bot.terminate()
        bot.wait()


if __name__ == "__main__":
    main()

"""A bot in a process of its own that outruns any client: a bare protocol on uvloop, no framework.

python -m tests.servers.apart --latency 0.05        prints its port, and serves until its standard input closes
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen

from tests.servers.bare import BareServer, Line, ok

ROOT = Path(__file__).parents[2]


def code_of(number: int) -> int:
    """What this bot knows of a number; no question holds it."""
    return 7_000_000 + number * 7919 % 1_000_003


def knows_codes(body: bytes) -> bytes:
    """Right whatever number a question ends with, and never the same."""
    text: str = json.loads(body)["text"]
    return b'{"reply": {"text": "It is %d, as far as I know."}}' % code_of(int(text.rpartition(" ")[2]))


async def serve(reply: Callable[[bytes], bytes], latency: float) -> None:
    loop = asyncio.get_running_loop()

    def asked(line: Line, body: bytes) -> None:
        if latency:
            loop.call_later(latency, line.write, ok(reply(body)))
        else:
            line.write(ok(reply(body)))

    done = loop.create_future()
    loop.add_reader(sys.stdin.fileno(), lambda: os.read(sys.stdin.fileno(), 1) or done.done() or done.set_result(None))
    async with BareServer(asked) as server:
        sys.stdout.write(f"{server.port}\n")
        sys.stdout.flush()
        await done


@contextmanager
def bot(latency: float, *more: str) -> Iterator[str]:
    """Starts the bot and gives its URL."""
    command = [sys.executable, "-m", "tests.servers.apart", "--latency", str(latency), *more]
    with Popen(command, cwd=ROOT, stdin=PIPE, stdout=PIPE) as process:
        assert process.stdin
        assert process.stdout
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/chat"
        finally:
            process.stdin.close()


def main() -> None:
    import uvloop

    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--starred", action="store_true", help="answer as the crash tests' bot does")
    options = parser.parse_args()
    reply = knows_codes
    if options.starred:
        from tests.crash.campaign import knows_numbers as reply
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(reply, options.latency))


if __name__ == "__main__":
    main()

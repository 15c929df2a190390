"""How close a run comes to what a bot without burst allows, told its rate and not told:

    python -m benchmarks.rates [--requests 300] [--rate 10]

The bots take a request every 1 ÷ RATE seconds and answer all others with 429: a loop of our own, and nginx
(`limit_req`) if it is installed. The floor is the time in which so many requests are allowed at all; starting the
command counts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from aiohttp import ClientSession, web

from tests.live.bots import free_port

NGINX = """daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;
events {{ worker_connections 256; }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  limit_req_zone $binary_remote_addr zone=all:1m rate={rate:g}r/s;
  server {{ listen 127.0.0.1:{port}; location / {{
    limit_req zone=all; limit_req_status 429; proxy_pass http://127.0.0.1:{behind};
  }} }}
}}
"""


def serve(port: int, rate: float) -> None:
    """Takes a request every 1 / `rate` seconds, all if it is 0, and tells at /seen how many it took."""
    seen, free = Counter[str](), 0.0

    async def answer(request: web.Request) -> web.Response:
        nonlocal free
        await request.read()
        now = time.monotonic()
        if now < free:
            return web.json_response({"error": "too many requests"}, status=429)
        free = now + (1 / rate if rate else 0.0)
        seen["taken"] += 1
        return web.json_response({"text": "It is 7."})

    async def told(_: web.Request) -> web.Response:
        return web.json_response(seen)

    app = web.Application()
    app.add_routes([web.post("/chat", answer), web.get("/seen", told)])
    web.run_app(app, host="127.0.0.1", port=port, print=None)


@contextmanager
def bucket(rate: float) -> Iterator[int]:
    port = free_port()
    process = get_context("spawn").Process(target=serve, args=(port, rate))
    process.start()
    try:
        asyncio.run(_there(port))
        yield port
    finally:
        process.terminate()
        process.join()


@contextmanager
def nginx(rate: float) -> Iterator[int]:
    port = free_port()
    with bucket(0) as behind, TemporaryDirectory() as folder:
        file = Path(folder) / "nginx.conf"
        file.write_text(NGINX.format(folder=folder, rate=rate, port=port, behind=behind))
        process = subprocess.Popen(["nginx", "-e", f"{folder}/error.log", "-c", file])
        try:
            asyncio.run(_there(port))
            time.sleep(2 / rate)
            yield port
        finally:
            process.terminate()
            process.wait()


async def _there(port: int) -> None:
    async with ClientSession() as session:
        for _ in range(100):
            try:
                async with session.get(f"http://127.0.0.1:{port}/seen") as response:
                    if response.status == 200:
                        return
            except OSError:
                await asyncio.sleep(0.1)
    raise SystemExit("the bot does not start")


OURS = (sys.executable, "-m", "botattack")


def asked(port: int, requests: int, told: str, botattack: Sequence[str] = OURS) -> tuple[float, int]:
    """Seconds of the command, and how often it was told 429."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        lines = (json.dumps({"question": f"what is {n} again?", "answers": ["7"]}) for n in range(requests))
        (folder / "questions.jsonl").write_text("\n".join(lines))
        (folder / "bot.yaml").write_text(
            f"connect:\n  kind: http\n  request: {{url: 'http://127.0.0.1:{port}/chat', "
            "json: {text: '{{ question }}'}}\n  extract: {answer: $.text}\n"
            f"limits: {{{told}concurrency: 8}}\n"
        )
        (folder / "campaign.yaml").write_text(
            "target: bot.yaml\nquestions: {file: questions.jsonl}\nattacks: []\nunchanged: false\n"
        )
        began = time.perf_counter()
        command = [*botattack, "run", "campaign.yaml", "--quiet", "-o", "found.json"]
        subprocess.run(command, cwd=folder, check=True)
        seconds = time.perf_counter() - began
        figures = json.loads((folder / "found.json").read_text())
        return seconds, figures["requests"]["rate_limited"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--rate", type=float, default=10)
    given = parser.parse_args()
    print("| bot | told | times the floor | 429 |\n|---|---|---|---|")
    bots = {"a loop": bucket, **({"nginx": nginx} if shutil.which("nginx") else {})}
    for name, bot in bots.items():
        for told in (f"rate: {given.rate:g}/s, ", ""):
            with ExitStack() as stack:
                seconds, refused = asked(stack.enter_context(bot(given.rate)), given.requests, told)
            floor = (given.requests - 1) / given.rate
            print(f"| {name} | {'yes' if told else 'no'} | {seconds / floor:.2f} | {refused} |", flush=True)


if __name__ == "__main__":
    main()

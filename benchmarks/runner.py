"""What a question costs in the whole runner, beside what any client must pay: `python -m benchmarks.runner`.

Every figure is of the client process alone; the bot runs in a process of its own. `--memory` asks 2,000, 50,000 and
200,000 questions.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.servers.apart import bot, code_of

ROOT = Path(__file__).parents[1]
ROUNDS = 3
REQUESTS = 4000
QUICK, SLOW = 5.5, 8.0
"""What a question may cost at 0 and at 50 ms latency: multiples of a round trip of aiohttp's session alone at 0 ms in
the same run."""


@dataclass(frozen=True)
class Cost:
    """Of one question: CPU milliseconds, and how many were done in a second."""

    cpu: float
    rate: float


async def shared_out(ask: Callable[[int], Awaitable[object]], in_flight: int) -> Cost:
    async def worker(numbers: range) -> None:
        for number in numbers:
            await ask(number)

    cpu, wall = time.process_time(), time.perf_counter()
    await asyncio.gather(*[worker(range(start, REQUESTS, in_flight)) for start in range(in_flight)])
    return Cost((time.process_time() - cpu) / REQUESTS * 1e3, REQUESTS / (time.perf_counter() - wall))


async def best(ask: Callable[[int], Awaitable[object]], in_flight: int) -> Cost:
    """The least of several rounds: other processes only ever add."""
    return min([await shared_out(ask, in_flight) for _ in range(ROUNDS)], key=lambda cost: cost.cpu)


async def floor(url: str, in_flight: int) -> Cost:
    """Raw asyncio streams: JSON written, a head read line by line, a body of its length read, and its JSON parsed."""
    port = int(url.rpartition(":")[2].partition("/")[0])
    idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(in_flight)]

    async def ask(number: int) -> None:
        reader, writer = idle.pop()
        body = json.dumps({"text": f"what is the number called {number:05d}"}).encode()
        head = f"host: 127.0.0.1:{port}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        writer.write(b"POST /chat HTTP/1.1\r\n" + head.encode() + body)
        await writer.drain()
        status, headers = await reader.readline(), {}
        while (line := await reader.readline()) != b"\r\n":
            name, _, value = line.partition(b":")
            headers[name.lower()] = value.strip()
        reply = json.loads(await reader.readexactly(int(headers[b"content-length"])))
        if status.split()[1] != b"200" or "reply" not in reply:
            raise SystemExit(f"the bot did not answer: {status!r}")
        idle.append((reader, writer))

    cost = await best(ask, in_flight)
    for _, writer in idle:
        writer.close()
    return cost


async def aiohttp_alone(url: str, in_flight: int) -> Cost:
    import aiohttp

    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session:

        async def ask(number: int) -> None:
            async with session.post(url, json={"text": f"what is the number called {number:05d}"}) as response:
                json.loads(await response.read())

        return await best(ask, in_flight)


@dataclass(frozen=True)
class Whole:
    """The whole runner: CPU ms a question, seconds and questions between the first answer and the last, peak MB."""

    cpu: float
    seconds: float
    asked: int
    peak: float

    def reached(self, in_flight: int, latency: float) -> float:
        """The share of concurrency ÷ latency."""
        return self.asked / self.seconds / (in_flight / latency)


def whole_runner(url: str, in_flight: int, count: int) -> Whole:
    """In a process of its own, so that memory is that of the run."""
    command = [sys.executable, "-m", "benchmarks.runner", "--run", url, str(in_flight), str(count)]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE)
    return Whole(*json.loads(done.stdout))


def best_whole(url: str, in_flight: int) -> Whole:
    return min((whole_runner(url, in_flight, REQUESTS) for _ in range(ROUNDS)), key=lambda whole: whole.cpu)


def run(url: str, in_flight: int, count: int) -> Whole:
    """Asks `count` different questions at no pace, with all that a command has: matcher, recording, figures, view."""
    from botattack.audit import job as jobs
    from botattack.audit.conduct import conduct
    from botattack.audit.stage import Stage
    from botattack.cli.shared_flags import Output
    from botattack.cli.view import terminal_of
    from botattack.config.campaign import load_campaign

    with TemporaryDirectory() as name:
        folder = Path(name)
        write_campaign(folder, url, in_flight, count)
        campaign = load_campaign(folder / "campaign.yaml", environ={}, today=date(2026, 1, 1))
        job = jobs.prepare(campaign, jobs.RunSettings(recordings=folder / "recordings"))
        watch = Watch()
        with (
            Path(os.devnull).open("w") as nowhere,
            redirect_stdout(nowhere),
            redirect_stderr(nowhere),
            terminal_of(job, Output()) as terminal,
        ):
            ending = conduct(Stage(job, [terminal], folds=[watch.update]))
        if ending.exit:
            raise SystemExit(ending.why)
    return watch.whole()


def write_campaign(folder: Path, url: str, in_flight: int, count: int) -> None:
    with (folder / "questions.jsonl").open("w") as file:
        for number in range(count):
            line = {"question": f"what is the number called {number:06d}", "answers": [str(code_of(number))]}
            file.write(json.dumps(line) + "\n")
    (folder / "bot.yaml").write_text(
        f"connect:\n  kind: http\n  request: {{url: '{url}', json: {{text: '{{{{ question }}}}'}}}}\n"
        f"  extract: {{answer: $.reply.text}}\nlimits: {{rate: unlimited, concurrency: {in_flight}}}\n"
    )
    (folder / "campaign.yaml").write_text(
        "target: bot.yaml\nquestions: {file: questions.jsonl}\nattacks: []\nunchanged: false\n"
    )


class Watch:
    """CPU and time from the 101st answer, when everything is imported and connected, to the last."""

    def __init__(self) -> None:
        from botattack import events

        self._events = events
        self._answers = 0
        self._first = self._last = (0.0, 0.0)

    def update(self, event: Any) -> None:
        if isinstance(event, self._events.Asked):
            self._answers += 1
            if self._answers == 101:
                self._first = (time.process_time(), time.perf_counter())
        elif isinstance(event, self._events.RunEnded):
            self._last = (time.process_time(), time.perf_counter())

    def whole(self) -> Whole:
        asked = self._answers - 101
        cpu, wall = (last - first for first, last in zip(self._first, self._last, strict=True))
        return Whole(cpu / asked * 1e3, wall, asked, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


async def pacing(in_flight: int) -> float:
    """CPU milliseconds of a leave at a rate that is never reached."""
    from botattack.engine.clock import loop_clock
    from botattack.engine.pacing.laws import law_for
    from botattack.engine.pacing.pacer import Pacer
    from botattack.limits import Limits

    limits = Limits(rate=1e6, burst=1000)
    pacer = Pacer(limits, loop_clock(), law_for(limits))
    return (await best(lambda _: pacer.leave(), in_flight)).cpu


def recording() -> float:
    """CPU milliseconds to record the events of one question, fsync included."""
    from botattack.recordings.redaction import Redactor
    from botattack.recordings.writer import Recorder

    events = list(a_question())
    with TemporaryDirectory() as folder:
        cpu = time.process_time()
        with Recorder(Path(folder), Redactor(["a secret of the bot"])) as recorder:
            for _ in range(REQUESTS):
                for event in events:
                    recorder(event)
        return (time.process_time() - cpu) / REQUESTS * 1e3


def a_question() -> Iterator[Any]:
    from botattack.events import Asked, OriginalJudged, QuestionClosed, QuestionOpened
    from botattack.model import Attempt, GoldAnswer, Question, Reply, Verdict

    question = Question("what is the number called 000123", (GoldAnswer("000123"),))
    reply = Reply("It is 000123, as far as I know.", latency=0.0512, raw='{"reply": {"text": "It is 000123"}}')
    yield QuestionOpened(at=1.0, question=question)
    yield Asked(
        at=1.1,
        question=question.id,
        unit="0123456789abcdef.0",
        turns=(question.prompt,),
        replies=(reply,),
        attempts=(Attempt(1, 0.0513),),
    )
    verdict = Verdict("correct", 1.0, "exact", "gold answer 000123", (6, 12))
    yield OriginalJudged(
        at=1.1, question=question.id, units=("0123456789abcdef.0",), standing="kept", verdict=verdict, attacked=True
    )
    yield QuestionClosed(at=1.1, question=question.id)


def line(name: str, cost: float, note: str = "", limit: str = "") -> None:
    print(f"{name:<44} {cost:>8.3f} ms   {limit:<18} {note}", flush=True)


def measure() -> None:
    with bot(0.0) as url:
        raw = asyncio.run(floor(url, 32))
        line("raw asyncio streams, 32 in flight", raw.cpu, f"{raw.rate:,.0f}/s")
        alone = asyncio.run(aiohttp_alone(url, 32))
        quick = best_whole(url, 32)
        again = asyncio.run(aiohttp_alone(url, 32))
        session = min(alone.cpu, again.cpu)
        line("aiohttp's session alone, 32 in flight", session, f"{alone.rate:,.0f}/s")
        note = (
            f"{quick.cpu / session:.1f} x the session alone, {quick.asked / quick.seconds:,.0f}/s, {quick.peak:.0f} MB"
        )
        line("whole runner, 0 ms latency, 32 in flight", quick.cpu, note, f"at most {QUICK * session:.3f}")
        many = best_whole(url, 256)
        line("whole runner, 0 ms latency, 256 in flight", many.cpu, "", f"at most {1.3 * quick.cpu:.3f}")
    with bot(0.05) as url:
        slept = asyncio.run(aiohttp_alone(url, 32))
        line("aiohttp's session alone, 50 ms latency", slept.cpu, "each send wakes a bot that sleeps")
        for in_flight in (32, 256):
            slow = best_whole(url, in_flight)
            reached = f"{slow.reached(in_flight, 0.05):.0%} of concurrency ÷ latency"
            note = f"{slow.cpu / session:.1f} x the session at 0 ms, {slow.cpu / slept.cpu:.1f} x at 50 ms, {reached}"
            line(f"whole runner, 50 ms latency, {in_flight} in flight", slow.cpu, note, f"at most {SLOW * session:.3f}")
    line("of it: pacer", asyncio.run(pacing(32)), "", "at most 0.050")
    line("of it: recording", min(recording() for _ in range(ROUNDS)), "", "at most 0.020")


def measure_memory() -> None:
    least = 0.0
    with bot(0.0) as url:
        for count in (2000, 50_000, 200_000):
            peak = whole_runner(url, 32, count).peak
            least = least or peak
            most = least * 1.1 + 16 * (count - 2000) / 2**20
            print(f"{count:>9,} questions: peak {peak:5.1f} MB, at most {most:5.1f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--run", nargs=3, metavar=("URL", "IN_FLIGHT", "COUNT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        url, in_flight, count = options.run
        whole = run(url, int(in_flight), int(count))
        print(json.dumps([whole.cpu, whole.seconds, whole.asked, whole.peak]))
    elif options.memory:
        measure_memory()
    else:
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}")
        measure()


if __name__ == "__main__":
    main()

"""Messages a second and memory by number of browser contexts: `python benchmarks/browser.py TARGET…`.

TARGET is a target file of kind browser whose bot is running; names its file declares are taken from the environment.
Each message is a conversation of its own: a new context, the page opened, one message, its answer settled.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from botattack.config.target import TargetConfig, load_target
from botattack.model import Prompt, Unit, Variant

MESSAGES = 12
QUESTION = "What are the opening hours of the central library on Saturday?"


class FreePace:
    """Lets everything go."""

    async def leave(self) -> None: ...

    def shut(self, seconds: float | None) -> None: ...


def descendants(pid: int) -> Iterator[int]:
    """Every process that this one has started, and those that they have."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents.setdefault(int(fields[1]), []).append(int(entry.parent.name))
    waiting = list(parents.get(pid, ()))
    while waiting:
        child = waiting.pop()
        yield child
        waiting += parents.get(child, ())


def memory(pids: Iterable[int], kinds: tuple[str, ...] = ("Pss",)) -> float:
    """MB of processes; what they share is counted once (PSS). `kinds` are rows of smaps_rollup."""
    total = 0
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.partition(":")[0] in kinds)
    return total / 1024


async def measured(config: TargetConfig, contexts: int) -> tuple[float, float, float]:
    """(messages a second, MB at most, seconds a message)"""
    target, most, each = config.open(), 0.0, list[float]()

    async def ask(number: int) -> None:
        unit = Unit.of(Variant((Prompt(QUESTION),), "benchmark"), number, 0)
        began = time.monotonic()
        async with target.session(unit, FreePace()) as session:
            await session.ask(Prompt(QUESTION))
        each.append(time.monotonic() - began)

    async def worker(numbers: range) -> None:
        for number in numbers:
            await ask(number)

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, memory(descendants(os.getpid())))
            await asyncio.sleep(0.2)

    try:
        await ask(-1)  # launches the browser and logs in
        each.clear()
        watching = asyncio.create_task(watch())
        began = time.monotonic()
        await asyncio.gather(*(worker(range(n, MESSAGES, contexts)) for n in range(contexts)))
        seconds = time.monotonic() - began
        watching.cancel()
    finally:
        await target.close()
    return MESSAGES / seconds, most, sum(each) / len(each)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="+", type=Path)
    parser.add_argument("--contexts", nargs="+", type=int, default=[1, 2, 3, 4])
    given = parser.parse_args()
    print(f"{'target':14} {'contexts':>8} {'messages/s':>10} {'MB':>6} {'s a message':>11}")
    for path in given.targets:
        config = load_target(path, environ=os.environ, today=datetime.now(UTC).date())
        for contexts in given.contexts:
            rate, mb, each = asyncio.run(measured(config, contexts))
            print(f"{config.name:14} {contexts:8} {rate:10.2f} {mb:6.0f} {each:11.2f}", flush=True)


if __name__ == "__main__":
    main()

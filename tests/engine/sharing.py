"""Processes that share one pace and send nothing: when each request may leave is all that is written down."""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from botattack.engine.clock import loop_clock
from botattack.engine.pacing.cells import FileCell
from botattack.engine.pacing.laws import law_for
from botattack.engine.pacing.pacer import Pacer, PaceState
from botattack.limits import Limits


@dataclass(frozen=True)
class Sends:
    """When requests left, and from when to when the gate was shut; seconds of this machine's clock."""

    times: list[float]
    shut: list[tuple[float, float]]
    cpu: float
    """Seconds of CPU of all processes, without their start."""

    def most_in_excess(self, rate: float) -> float:
        """The largest number of requests in any window beyond `rate` times its length."""
        excess, lowest = -math.inf, math.inf
        for number, at in enumerate(self.times):
            lowest = min(lowest, number - rate * at)
            excess = max(excess, number - rate * at - lowest + 1)
        return excess

    def latest_after_shut(self) -> float:
        """The longest that any request left after the gate shut and before it opened; 0 if none did."""
        return max((at - began for began, ends in self.shut for at in self.times if began < at < ends), default=0.0)


def cell_at(where: str, limits: Limits) -> FileCell[PaceState]:
    return FileCell(Path(where), PaceState(law=law_for(limits)))


async def ask(where: str, limits: Limits, askings: int, pauses: Sequence[float]) -> dict[str, Any]:
    """Leaves `askings` times, as many at once as `limits.concurrency`; the gate shuts after each of the `pauses`, in
    seconds from the start, for 0.3 s."""
    pacer = Pacer(limits, loop_clock(), law_for(limits), cell_at(where, limits))
    times: list[float] = []
    shut: list[tuple[float, float]] = []
    left = iter(range(askings))

    async def one() -> None:
        for _ in left:
            await pacer.leave()
            times.append(time.monotonic())

    async def push_back() -> None:
        for before, pause in pairwise([0.0, *pauses]):
            await asyncio.sleep(pause - before)
            told = time.monotonic()
            pacer.shut(0.3)
            # A slow cell shuts some time after it was told to, and opens no sooner than this.
            shut.append((time.monotonic(), told + 0.299))

    began = resource.getrusage(resource.RUSAGE_SELF)
    pushing = asyncio.ensure_future(push_back())
    await asyncio.gather(*(one() for _ in range(limits.concurrency)))
    pushing.cancel()
    ended = resource.getrusage(resource.RUSAGE_SELF)
    cpu = ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime
    return {"times": times, "shut": shut, "cpu": cpu}


@contextmanager
def processes(
    where: str, number: int, askings: int, *, rate: float, burst: int = 1, pauses: int = 0
) -> Iterator[list[subprocess.Popen[bytes]]]:
    """`number` processes that share the pace in a file, and so many askings."""
    random = Random(1)
    started = []
    for index in range(number):
        share = askings // number + (index < askings % number)
        at = sorted(random.uniform(0.5, max(1.0, 0.9 * askings / rate)) for _ in range(pauses))
        words = [where, str(rate), str(burst), str(share), json.dumps(at)]
        started.append(subprocess.Popen([sys.executable, "-m", __name__, *words], stdout=subprocess.PIPE))
    try:
        yield started
    finally:
        for one in started:
            one.kill()
            one.wait()


def sends(started: Sequence[subprocess.Popen[bytes]]) -> Sends:
    """What processes that were not killed sent, once they have ended."""
    said = [json.loads(out) for one in started if (out := one.communicate()[0])]
    times = sorted(at for each in said for at in each["times"])
    shut = sorted((began, ends) for each in said for began, ends in each["shut"])
    return Sends(times, shut, sum(each["cpu"] for each in said))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("where")
    parser.add_argument("rate", type=float)
    parser.add_argument("burst", type=int)
    parser.add_argument("askings", type=int)
    parser.add_argument("pauses", type=json.loads)
    given = parser.parse_args()
    limits = Limits(rate=given.rate, burst=given.burst, concurrency=16)
    sys.stdout.write(json.dumps(asyncio.run(ask(given.where, limits, given.askings, given.pauses))))

"""Workers that share one pace: how closely they keep to it, and what an asking costs with more of them.

    python -m benchmarks.fleet pace [--askings 200000] [--burst 10]
    python -m benchmarks.fleet run [--questions 1600]

`pace` asks nobody: processes take their turns at 500 requests a second, and somebody shuts the gate now and then. `run`
runs a campaign on 1, 2 and 4 workers against a mock bot that takes 500 requests a second, and on none.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.engine import sharing
from tests.servers import parts

RATE = 500.0


def pace(askings: int, burst: int, number: int) -> None:
    with TemporaryDirectory() as folder:
        where = str(Path(folder) / "pace")
        with sharing.processes(where, number, askings, rate=RATE, burst=burst, pauses=askings // 10_000) as started:
            sent = sharing.sends(started)
    seconds = sent.times[-1] - sent.times[0]
    shut = sum(ends - began for began, ends in sent.shut)
    print(
        f"{number} processes, burst {burst}: "
        f"{len(sent.times):,} sends in {seconds:.1f} s, "
        f"{len(sent.times) / (seconds * RATE):.4f} of the rate ({shut:.1f} s of pauses); most in any window beyond "
        f"rate × window: {sent.most_in_excess(RATE):.2f}; latest after the gate shut: "
        f"{1000 * sent.latest_after_shut():.1f} ms; {1e6 * sent.cpu / askings:.0f} µs of CPU an asking"
    )


def run(questions: int) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    first = 0.0
    for number in (0, 1, 2, 4):
        with TemporaryDirectory() as name, parts.running(rate=RATE) as port:
            folder = Path(name)
            parts.campaign(folder, port, questions, f"{{rate: {RATE:g}/s, concurrency: 16}}")
            words = ["run", "campaign.yaml", "--quiet", *(["--on", f"local:{number}"] if number else [])]
            before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            subprocess.run([sys.executable, "-m", "botattack", *words], cwd=folder, env=environment, check=True)
            seconds, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
            asked = sum(parts.counts(port)["asked"].values())
            pushed_back = parts.counts(port)["pushed_back"]
        cpu = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / asked
        first = cpu if number == 1 else first
        ratio = f", {cpu / first:.3f} of that of one" if first else ""
        print(
            f"{number or 'no'} workers: {asked:,} askings in {seconds:.1f} s, "
            f"{1e3 * cpu:.2f} ms of CPU an asking{ratio}; "
            f"{pushed_back} pushed back",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["pace", "run"])
    parser.add_argument("--askings", type=int, default=200_000)
    parser.add_argument("--burst", type=int, default=1)
    parser.add_argument("--questions", type=int, default=1600)
    given = parser.parse_args()
    if given.what == "run":
        run(given.questions)
    else:
        for processes in (1, 2, 4):
            pace(given.askings if processes == 4 else given.askings // 10, given.burst, processes)


if __name__ == "__main__":
    main()

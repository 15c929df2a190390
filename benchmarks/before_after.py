"""What was slow, measured through the command line alone, so that any version can be measured beside another:

    PATH=/its/environment/bin:$PATH python -m benchmarks.before_after [--part 0.1] [ROW …]

The `botattack` that is first on PATH is measured; the bots are those of this tree. CPU is that of all processes of a
command, memory that of the largest. Each row has the load of the machine before and after it. ROW is a
piece of the name of a row: only such rows are measured.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks import rates
from benchmarks.runner import write_campaign
from tests.servers.apart import bot

ROUNDS = 5
NOISE = "noise: {{per_question: {}}}"


class Used(NamedTuple):
    cpu: float
    peak: float


def used(folder: Path, *words: str, **environ: str) -> Used:
    """CPU seconds and peak MB of a command."""
    command = subprocess.Popen(
        ["botattack", *words], cwd=folder, env={**os.environ, **environ}, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(command.pid, 0)
    command.returncode = os.waitstatus_to_exitcode(status)
    if command.returncode not in (0, 1):  # 1: a rate was not as wanted
        raise SystemExit(f"{' '.join(words)} ended with {command.returncode}")
    return Used(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


@contextmanager
def campaign(questions: int, attack: str = "", *, in_flight: int = 32, delay: float = 0.0) -> Iterator[Path]:
    """A folder with `campaign.yaml` over so many questions, of a bot that is there."""
    with TemporaryDirectory() as name, bot(delay) as url:
        folder = Path(name)
        write_campaign(folder, url, in_flight, questions)
        file = folder / "campaign.yaml"
        file.write_text(file.read_text().replace("attacks: []", f"attacks: [{attack}]"))
        yield folder


def run(folder: Path, *words: str, **environ: str) -> Used:
    return used(folder, "run", "campaign.yaml", "--quiet", *words, **environ)


def runs(folder: Path) -> list[str]:
    return sorted(str(path.parent) for path in (folder / "recordings").glob("*/run.json"))


def reading(lines: int, part: float, *words: str) -> str:
    with campaign(int(lines * part)) as folder:
        return f"{run(folder, '--limit', str(int(2000 * part)), *words).cpu:.2f}"


def told(part: float) -> str:
    requests = max(3, int(150 * part))
    with rates.bucket(10) as port:
        seconds, refused = rates.asked(port, requests, "rate: 10/s, ", ["botattack"])
    return f"{seconds / ((requests - 1) / 10):.2f}, {refused}"


def memory(part: float, attack: str, in_flight: int) -> str:
    with campaign(int(2000 * part), attack, in_flight=in_flight, delay=0.05) as folder:
        return f"{run(folder).peak:.0f}"


def start(**environ: str) -> str:
    """The least of several, after one that leaves byte code where it may."""
    with campaign(1) as folder:
        return f"{min([run(folder, **environ) for _ in range(ROUNDS + 1)][1:]).cpu:.2f}"


def year(part: float, old: bool) -> str:
    """What a night more costs `trend`."""
    nightly, nights, cost = [] if old else ["nightly"], max(2, int(20 * part)), [0.0]
    with campaign(max(20, int(200 * part)), NOISE.format(1)) as folder:
        run(folder)
        used(folder, *nightly, "baseline", "set", *runs(folder))
        for night in range(nights):
            used(folder, "nightly", "campaign.yaml")
            if night in (0, nights - 1):
                cost.append(used(folder, *nightly, "trend", "recordings").cpu)
    return f"{(cost[-1] - cost[1]) / (nights - 1):.3f}"


def compared(part: float, old: bool) -> str:
    with campaign(int(20_000 * part)) as folder:
        run(folder)
        run(folder)
        return f"{used(folder, 'diff' if old else 'compare', *runs(folder)).peak:.0f}"


def page(part: float) -> str:
    with campaign(int(2000 * part), NOISE.format(30)) as folder:
        run(folder, "-o", "page.html")
        return f"{(folder / 'page.html').stat().st_size / 1e6:.1f}"


def letters(part: float) -> str:
    """What 499 variants more cost a dry run, which makes those of a hundred questions; the least of several. A part has
    fewer of both."""
    questions, most, cost = max(3, int(100 * part)), max(2, int(500 * part)), dict[int, float]()
    for variants in (1, most):
        with campaign(questions, NOISE.format(variants)) as folder:
            cost[variants] = min(used(folder, "run", "campaign.yaml", "--dry-run").cpu for _ in range(ROUNDS))
    return f"{(cost[most] - cost[1]) / questions / (most - 1) * 1e6:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", type=float, default=1.0, help="of the questions that are asked")
    parser.add_argument("rows", nargs="*", metavar="ROW", help="a piece of the name of a row (default: all)")
    given = parser.parse_args()
    part = given.part
    with campaign(1) as folder:
        run(folder)  # leaves byte code
    # Before 28 November 2026 nights and comparisons were commands of their own.
    old = not subprocess.run(["botattack", "trend", "--help"], capture_output=True, check=False).returncode
    rows: dict[str, Callable[[], str]] = {
        "2,000 questions of a file of 2,000, CPU s": lambda: reading(2000, part),
        "2,000 questions of a file of 100,000, CPU s": lambda: reading(100_000, part),
        "the same on `local:1`, file of 2,000, CPU s": lambda: reading(2000, part, "--on", "local:1"),
        "the same on `local:1`, file of 100,000, CPU s": lambda: reading(100_000, part, "--on", "local:1"),
        "told rate, bucket without burst: times the floor, and 429": lambda: told(part),
        "2,000 questions without attacks, MB": lambda: memory(part, "", 32),
        "2,000 questions, `noise`, one variant each, 256 in flight, MB": lambda: memory(part, NOISE.format(1), 256),
        "a command on one question, CPU s": start,
        "the same without byte code, CPU s": lambda: start(PYTHONDONTWRITEBYTECODE="1", PYTHONPYCACHEPREFIX=os.devnull),
        "`trend`, a night of 200 questions, CPU s": lambda: year(part, old),
        "comparing two runs of 20,000 questions, MB": lambda: compared(part, old),
        "page of 60,000 outcomes, MB": lambda: page(part),
        "`noise`, 500 variants a question, µs a variant": lambda: letters(part),
    }
    print("| what | measured | load before | load after |\n|---|---|---|---|")
    for name, measured in rows.items():
        if given.rows and not any(piece in name for piece in given.rows):
            continue
        before = os.getloadavg()[0]
        print(f"| {name} | {measured()} | {before:.1f} | {os.getloadavg()[0]:.1f} |", flush=True)


if __name__ == "__main__":
    main()

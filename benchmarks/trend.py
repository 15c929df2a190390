"""What `nightly trend` costs over a year of nights: `python -m benchmarks.trend FOLDER`.

One run is real. The other nights are its copies with another date, in which every hundredth question has changed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import msgspec

from benchmarks.runner import ROOT, write_campaign
from botattack.audit.nights import summary
from botattack.recordings import manifest
from botattack.recordings.triage import marked_events
from botattack.recordings.writer import EVENTS
from botattack.report.comparison.trend import State
from botattack.report.figures.metrics import figures_of
from tests.servers.apart import bot


def ask(folder: Path, questions: int) -> Path:
    """The recording of one run."""
    with bot(0) as url:
        write_campaign(folder, url, 32, questions)
        command = [sys.executable, "-m", "botattack", "run", "campaign.yaml", "--recordings", "recordings"]
        subprocess.run(command, cwd=folder, check=False, stdout=subprocess.DEVNULL)
    (made,) = (folder / "recordings").glob("*/run.json")
    return made.parent


def copied(night: Path, day: date, rng: random.Random) -> None:
    """The same night on another day; events are linked, as they are only read."""
    made = json.loads((night / manifest.NAME).read_bytes())
    name = f"{day:%Y%m%d}T030000Z-{night.name.partition('-')[2]}"
    other = night.parent / name
    other.mkdir()
    made |= {"run": name, "started": f"{day.isoformat()}T03:00:00Z"}
    (other / manifest.NAME).write_text(json.dumps(made))
    os.link(night / EVENTS, other / EVENTS)
    left = summary.read(night)
    assert left
    units = list(left.units)
    for n in rng.sample(range(len(units)), len(units) // 100):
        flipped: State = "held" if units[n].state == "broke" else "broke"
        units[n] = units[n]._replace(state=flipped)
    (other / summary.NAME).write_bytes(summary._encode(msgspec.structs.replace(left, units=tuple(units))))


def main() -> None:
    parser = argparse.ArgumentParser(description="What nightly trend costs over a year.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--nights", type=int, default=365)
    parser.add_argument("--questions", type=int, default=2000)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    if not (given.folder / "recordings").exists():
        night = ask(given.folder, given.questions)
        summary.write(night, figures_of(marked_events(night)))
        rng = random.Random(0)
        for n in range(given.nights - 1):
            copied(night, date(2025, 1, 1) + timedelta(n), rng)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "botattack", "nightly", "trend", str(given.folder / "recordings")]
    subprocess.run(command, cwd=ROOT, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    print(f"{cpu:.2f} CPU s, peak {after.ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()

"""Runs botattack's commands on the recordings in `before/`, and compares what they write with the figures kept."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from botattack.cli import main
from tests.servers.ferry import Ferry

BEFORE = Path(__file__).parent / "before"
CAMPAIGNS = BEFORE / "campaigns"
DEMO = BEFORE.parents[2] / "campaigns" / "demo.yaml"
WHOLE = ("http", "openai", "websocket", "alice", "search", "local", "opinions", "browser", "errors")
"""Recordings of runs that finished in one process. Each was made from the campaign file of the same name."""
AGAIN = tuple(name for name in WHOLE if name != "search")
"""Those whose attacks make their variants again: a search goes where the judge leads it."""
CUT = ("openai", "browser", "errors", "opinions")
"""Recordings that are cut in half: with passages, of a web page, with failures, with recorded Needs."""
ASKED = ("openai", "websocket", "opinions", "browser")
"""Recordings whose bots are asked again from the beginning. Those of interrupted runs are asked when resumed."""
STOPPED = ("sse", "alice-search", "process", "deutsch")
"""Recordings of runs that were interrupted and can be resumed."""
SHARDS = ("shard-1", "shard-2")
NIGHTS = ("night", "night-after")
ALL = (*WHOLE, *STOPPED, "similar", *SHARDS, *NIGHTS)
REEXTRACTED = ("http", "openai", "websocket", "browser", "errors", "sse", "process")
"""Recordings that contain the raw replies, so that `--reextract` works."""
_VOLATILE = frozenset(("id", "started", "seconds", "judge", "why"))
"""What differs between any two runs, and the sentence at the end, which earlier versions worded otherwise."""
_OF_REQUESTS = frozenset(("requests", "per_100_requests", "first_success"))

_MEANING = ("result", "verdict", "score", "matcher", "distance", "expect", "meaning", "reference", "relations")
"""The columns of the CSV report that are compared. The others are prose, or how an edit is written."""

Figures = dict[str, Any]
Cases = dict[str, str]
"""The result of each unit, by question id, attack and unit id."""


class Commands:
    """Runs botattack's commands in this process, with `work` for what they write and `ferry` as the bot."""

    def __init__(self, work: Path, ferry: Ferry) -> None:
        self.work = work
        self._made = 0
        # BOTATTACK_* and WordNet are language parts of this machine, and attacks make other variants with them.
        self._environ = {name: value for name, value in os.environ.items() if not name.startswith("BOTATTACK_")} | {
            "FERRY_PORT": str(ferry.port),
            "FERRY_TOKEN": "s3a-gate-4711",
            "BOTATTACK_JUDGE": str(CAMPAIGNS / "judge-bot.yaml"),
            "XDG_CONFIG_HOME": str(work / "state"),
            "XDG_CACHE_HOME": str(work / "cache"),
            "BOTATTACK_WORDNET": str(work / "no-wordnet"),
        }

    def __call__(self, *words: object) -> None:
        """Run a command. Raise RuntimeError with its output if its exit status is neither 0 nor 1."""
        line = [str(word) for word in words]
        said = io.StringIO()
        with (
            patch.dict(os.environ, self._environ, clear=True),
            patch.object(sys, "argv", ["botattack", *line]),
            # Locks are taken below this folder. Without it, tests that run in parallel would lock each other out.
            patch.object(tempfile, "tempdir", str(self.work)),
            redirect_stdout(said),
            redirect_stderr(said),
        ):
            try:
                main(line)
            except SystemExit as end:
                if end.code not in (0, 1):
                    raise RuntimeError(
                        f"botattack {' '.join(line)} ended with {end.code}:\n{said.getvalue()}"
                    ) from None

    def figures(self, *words: object) -> Figures:
        """Return what a command writes as JSON."""
        path = self.folder() / "figures.json"
        self(*words, "-o", path)
        found = read(path)
        found.get("run", {}).pop("judge", None)  # the digest of its weights changes whenever it is trained
        return found

    def both(self, *words: object) -> tuple[Figures, Cases]:
        """Return what a command writes as JSON, and every case from what it writes as CSV."""
        path = self.folder() / "cases.csv"
        found = self.figures(*words, "-o", path)
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        return found, {
            f"{row['question_id']} {row['attack']} {row['unit']}": ", ".join(row[name] for name in _MEANING)
            for row in sorted(rows, key=lambda row: (row["question_id"], row["attack"], row["unit"]))
        }

    def folder(self) -> Path:
        """Make a new folder."""
        self._made += 1
        made = self.work / str(self._made)
        made.mkdir(parents=True)
        return made

    def copy(self, name: str) -> Path:
        """Copy a recording, so that a command may write to it."""
        return Path(shutil.copytree(BEFORE / name, self.folder() / name))


def replayed(run: Commands, name: str) -> tuple[Figures, Cases]:
    """Judge the recorded replies again."""
    return run.both("replay", BEFORE / name)


def reextracted(run: Commands, name: str) -> Figures:
    """Extract every reply from the raw one again, then judge it again."""
    return run.figures("replay", BEFORE / name, "--reextract", "--allow-code", "-t", CAMPAIGNS / f"{name}-bot.yaml")


def reported(run: Commands, name: str) -> Figures:
    """Report the recording as it was judged when it ran."""
    folder = run.folder()
    run("report", BEFORE / name, "--kind", "json", "--into", folder)
    (path,) = folder.iterdir()
    return read(path)


def asked_today(run: Commands, name: str) -> Figures:
    """Run the campaign from the beginning against the bot."""
    return settled(run.figures(*_campaign(name), "--recordings", run.folder()))


def answered(run: Commands, name: str) -> tuple[Figures, Cases]:
    """Run the campaign from the beginning with the recorded answers. A variant that was not recorded is an error."""
    figures, cases = run.both(*_campaign(name), "--recordings", run.folder(), "--replay", BEFORE / name)
    return settled(figures), cases


def units(cases: Cases) -> list[str]:
    """Question, attack and unit of every case, in order of the alphabet."""
    return sorted(cases)


def resumed(run: Commands, name: str, *more: str) -> Figures:
    """Resume the recording until the run ends."""
    return settled(run.figures(*_campaign(name), "--resume", run.copy(name), *more))


def retried(run: Commands) -> Figures:
    """Resume the recording with errors, and ask again what failed."""
    return resumed(run, "errors", "--retry-errors", "--rate", "unlimited")


def cut_and_resumed(run: Commands, name: str) -> Figures:
    """Resume the first half of a recording, with the answers of the whole one."""
    cut = run.copy(name)
    lines = (cut / "events.jsonl").read_bytes().splitlines(keepends=True)
    (cut / "events.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    return settled(run.figures(*_campaign(name), "--resume", cut, "--replay", BEFORE / name))


def merged(run: Commands) -> Figures:
    shards = [run.copy(shard) for shard in SHARDS]
    for shard in shards:
        run("verify", shard, "--seal")
    return settled(run.figures("merge", *shards, "--recordings", run.folder()))


def compared(run: Commands) -> Figures:
    return run.figures("diff", *(BEFORE / night for night in NIGHTS))


def another_night(run: Commands) -> Figures:
    """Pin the first night as the baseline, and run a night against the bot that got worse."""
    baseline = run.copy("night")
    run("baseline", "set", baseline)
    run("nightly", CAMPAIGNS / "worse-night.yaml", "--allow-code", "--recordings", baseline.parent)
    (report,) = baseline.parent.glob("*/report.json")
    return settled(read(report))


def demo(run: Commands) -> Figures:
    return settled(run.figures("run", DEMO, "--recordings", run.folder()))


def settled(figures: Figures) -> Figures:
    """Return the figures without what differs between any two runs."""
    of_run = {key: value for key, value in figures["run"].items() if key not in _VOLATILE}
    return {**figures, "run": of_run}


def without_requests(figures: Any) -> Any:
    """Return the figures without the request counts: a recorded answer costs no request."""
    if not isinstance(figures, dict):
        return figures
    return {key: without_requests(value) for key, value in figures.items() if key not in _OF_REQUESTS}


def read(path: Path) -> Figures:
    found: Figures = json.loads(path.read_text("utf-8"))
    return found


def kept(file: str) -> Figures:
    """Read an expected file."""
    return read(BEFORE / file)


def kept_report(name: str) -> Figures:
    """Read the expected report. `reported.json` exists only if it differs from `figures.json`."""
    other = f"{name}/reported.json"
    return kept(other if (BEFORE / other).exists() else f"{name}/figures.json")


def differences(kept: Any, made: Any, place: str = "") -> Iterator[str]:
    """Yield each kept value that is missing or different, with its dotted key. New keys are no difference."""
    if isinstance(kept, dict) and isinstance(made, dict):
        for key in kept:
            where = f"{place}.{key}".lstrip(".")
            if key not in made:
                yield f"{where} was {kept[key]!r} and is gone"
            else:
                yield from differences(kept[key], made[key], where)
    elif isinstance(kept, list) and isinstance(made, list) and len(kept) == len(made):
        for index, pair in enumerate(zip(kept, made, strict=True)):
            yield from differences(*pair, f"{place}.{index}")
    elif not _equal(kept, made):
        yield f"{place} was {kept!r} and is now {made!r}"


def _equal(kept: Any, made: Any) -> bool:
    if isinstance(kept, float) and isinstance(made, float):
        return math.isclose(kept, made, rel_tol=1e-9)
    return type(kept) is type(made) and bool(kept == made)


def _campaign(name: str) -> tuple[object, ...]:
    return ("run", CAMPAIGNS / f"{name}.yaml", "--allow-code")

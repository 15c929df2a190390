"""Runs botattack's commands on a small campaign for each kind of bot, and records each when it is first asked for."""

from __future__ import annotations

import atexit
import io
import json
import os
import shutil
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from botattack.cli import main
from tests.servers.ferry import ferry

CAMPAIGNS = Path(__file__).parent / "campaigns"
KINDS = ("http", "openai", "websocket", "alice", "search", "local", "opinions", "errors", "sse", "process", "deutsch")
RAW = ("http", "openai", "websocket", "errors", "sse", "process")
"""Those whose recordings contain the raw replies, so that `--reextract` works."""
Figures = dict[str, Any]


def commanded(work: Path, port: int, *words: object) -> None:
    """Run a command, with the ferry's bots on `port`. Raise RuntimeError with its output if it neither ended nor was
    stopped by its budget."""
    line = [str(word) for word in words]
    said = io.StringIO()
    # BOTATTACK_* and WordNet are language parts of this machine, and attacks make other variants with them.
    environ = {name: value for name, value in os.environ.items() if not name.startswith("BOTATTACK_")} | {
        "FERRY_PORT": str(port),
        "FERRY_TOKEN": "s3a-gate-4711",
        "BOTATTACK_JUDGE": str(CAMPAIGNS / "judge-bot.yaml"),
        "XDG_CONFIG_HOME": str(work / "state"),
        "XDG_CACHE_HOME": str(work / "cache"),
        "BOTATTACK_WORDNET": str(work / "no-wordnet"),
    }
    with (
        patch.dict(os.environ, environ, clear=True),
        patch.object(sys, "argv", ["botattack", *line]),
        # Locks are taken below this folder. Without it, tests that run in parallel would lock each other out.
        patch.object(tempfile, "tempdir", str(work)),
        redirect_stdout(said),
        redirect_stderr(said),
    ):
        try:
            main(line)
        except SystemExit as end:
            if end.code not in (0, 1, 4):
                raise RuntimeError(f"botattack {' '.join(line)} ended with {end.code}:\n{said.getvalue()}") from None


def figures(work: Path, port: int, *words: object) -> Figures:
    """What a command writes as JSON."""
    path = work / "figures.json"
    commanded(work, port, *words, "-o", path)
    found: Figures = json.loads(path.read_text("utf-8"))
    return found


def campaign(name: str) -> tuple[object, ...]:
    """`shard-1` is the first of two parts of a run."""
    kind, _, shard = name.partition("-")
    flags = ("--shard", f"{shard}/2") if shard else ()
    return ("run", CAMPAIGNS / f"{kind}.yaml", "--allow-code", *flags)


@cache
def recorded(name: str) -> tuple[Path, Figures]:
    """The recording of a campaign, which nobody may change, and the figures of its run."""
    work = Path(tempfile.mkdtemp(prefix="botattack-kinds-"))
    atexit.register(shutil.rmtree, work, ignore_errors=True)
    with ferry() as bot:
        found = figures(work, bot.port, *campaign(name), "--recordings", work / "recordings")
    (path,) = (work / "recordings").glob("*/run.json")
    return path.parent, found


def copied(name: str, to: Path) -> Path:
    """A copy of the recording, that a command may change."""
    return Path(shutil.copytree(recorded(name)[0], to))

"""What `botattack` and `botattack run` say without arguments: what this folder contains, and what to do next."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from botattack.environment import inherited
from botattack.errors import RecordingError
from botattack.files import content
from botattack.recordings import baseline, manifest
from botattack.report.escape import quoted
from botattack.report.numbers import count
from botattack.report.wording.commands import command

FOLDERS = (".", "targets", "campaigns")
"""Where files are looked for."""
RECORDINGS = Path("recordings")
SHOWN = 3
"""Files of a kind that are named."""
LARGEST = 1_000_000
"""Bytes of a file that is looked at."""


def here() -> str:
    """Lines about the files of this folder, and the commands that come next."""
    targets, campaigns = list(_files(rb"connect:")), list(_files(rb"attacks:"))
    made = [path.parent for path in RECORDINGS.glob(f"*/{manifest.NAME}")]
    runs = [str(path) for path in sorted(made, reverse=True)]
    kinds = {"target file": targets, "campaign": campaigns, "recording": runs}
    found = [f"{count(len(names), kind)}: {_named(names)}" for kind, names in kinds.items() if names]
    lies = found or ["no target file, no campaign and no recording"]
    return "\n  ".join(("In this folder:", *lies)) + "\n" + "\n  ".join(("Next:", *_next(targets, campaigns, runs)))


def _next(targets: list[str], campaigns: list[str], runs: list[str]) -> Iterator[str]:
    flags: tuple[str, ...] = ()
    if runs:
        with suppress(RecordingError):
            flags = inherited(manifest.read(Path(runs[0])).command)
        yield f"{command('replay', runs[0], '--as-recorded', '-o', 'report.html')}   (reads the newest run)"
        nights = command("nightly", campaigns[0] if campaigns else "CAMPAIGN", flags=flags)
        yield nights if baseline.names(RECORDINGS) else command("nightly", "baseline", "set", runs[0])
    if campaigns:
        first = command("run", campaigns[0], "--dry-run", flags=flags)
        yield f"{first}   (shows what it would ask; then without --dry-run)"
    elif targets:
        yield command("check", targets[0], "--ask", "A question", flags=flags)
        yield command("run", "-t", targets[0], "-q", "QUESTIONS", "-a", "dpaeg", flags=flags)
    elif not runs:
        yield "botattack init   (writes a target file and a first campaign for your bot)"
    yield "botattack --help"


def _files(key: bytes) -> Iterator[str]:
    """The YAML files in which a line begins with the key."""
    found = (path for folder in FOLDERS for path in Path(folder).glob("*.yaml"))
    # What is proposed is the first: the demo, which needs no bot, before others.
    for path in sorted(found, key=lambda path: (path.stem != "demo", path)):
        with suppress(OSError):
            if re.search(rb"^" + key, content(path, LARGEST), re.MULTILINE):
                yield str(path)


def _named(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(map(quoted, names[:SHOWN])) + more

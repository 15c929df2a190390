"""What `botattack` and `botattack run` say without arguments: what this folder contains, and what to do next."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from botattack.files import content
from botattack.recordings import baseline, manifest
from botattack.report.escape import quoted
from botattack.report.numbers import count

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
    runs = [quoted(str(path)) for path in sorted(made, reverse=True)]
    kinds = {"target file": targets, "campaign": campaigns, "recording": runs}
    found = [f"{count(len(names), kind)}: {_named(names)}" for kind, names in kinds.items() if names]
    lies = found or ["no target file, no campaign and no recording"]
    return "\n  ".join(("In this folder:", *lies)) + "\n" + "\n  ".join(("Next:", *_next(targets, campaigns, runs)))


def _next(targets: list[str], campaigns: list[str], runs: list[str]) -> Iterator[str]:
    if runs:
        yield f"botattack replay {runs[0]} --as-recorded -o report.html   (reads the newest run)"
        nights = f"botattack nightly {campaigns[0] if campaigns else 'CAMPAIGN'}"
        yield nights if baseline.names(RECORDINGS) else f"botattack nightly baseline set {runs[0]}"
    if campaigns:
        yield f"botattack run {campaigns[0]} --dry-run   (shows what it would ask; then without --dry-run)"
    elif targets:
        yield f'botattack check {targets[0]} --ask "A question"'
        yield f"botattack run -t {targets[0]} -q QUESTIONS -a dpaeg"
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
                yield quoted(str(path))


def _named(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more

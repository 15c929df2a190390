"""Writes the expected files in `before/` again and prints what changed. The recordings themselves stay as they are.

Run from the project's root: python -m tests.recordings.make_before
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.recordings import kept
from tests.recordings.kept import AGAIN, ALL, ASKED, BEFORE, CUT, STOPPED, Cases, Commands, Figures
from tests.servers.ferry import ferry


def figures(run: Commands) -> Iterator[tuple[str, Figures | Cases | None]]:
    """Yield each expected file with its content; None if the file should not exist."""
    for name in ALL:
        (replayed, cases), reported = kept.replayed(run, name), kept.reported(run, name)
        yield f"{name}/figures.json", replayed
        yield f"{name}/cases.json", cases
        yield f"{name}/reported.json", None if reported == replayed else reported
    # What was recorded keeps the verdicts of the judge of that time, so these are no figures of an undisturbed run:
    # tests/crash compares those.
    for name in STOPPED:
        yield f"{name}/resumed.json", kept.resumed(run, name)
    for name in AGAIN:
        yield f"{name}/again.json", kept.units(kept.answered(run, name)[1])
    for name in CUT:
        yield f"{name}/cut.json", kept.without_requests(kept.cut_and_resumed(run, name))
    for name in ASKED:
        yield f"{name}/asked.json", kept.asked_today(run, name)
    yield "merged.json", kept.merged(run)
    yield "another-night.json", kept.another_night(run)
    yield "diff.json", kept.compared(run)
    yield "demo.json", kept.demo(run)


def main() -> None:
    with ferry() as bot, tempfile.TemporaryDirectory() as work:
        run = Commands(Path(work), bot)
        for file, made in figures(run):
            _pin(file, made)
        bot.heal()
        _pin("errors/resumed.json", kept.retried(run))


def _pin(file: str, made: Figures | Cases | None) -> None:
    path = BEFORE / file
    before = kept.read(path) if path.exists() else None
    if made is None:
        path.unlink(missing_ok=True)
    elif made != before:
        path.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", "utf-8")
    if made != before:
        lines = list(kept.differences(before, made)) if before and made else []
        sys.stdout.write("\n  ".join([f"{file}: {'gone' if made is None else 'written'}", *lines]) + "\n")


if __name__ == "__main__":
    main()

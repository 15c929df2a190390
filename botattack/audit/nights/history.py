"""The recorded runs of a bot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from botattack.errors import BotattackError, RecordingError
from botattack.recordings import manifest
from botattack.recordings.manifest import Manifest


def runs_of(recordings: Path, target: str, left_out: Callable[[BotattackError], None]) -> list[tuple[Path, Manifest]]:
    """The runs of one bot, oldest first; raises RecordingError if there is none, or of several bots.

    `left_out` is told of a `run.json` that cannot be read; a folder without one is no recording.
    """
    found = []
    for folder in sorted(path for path in recordings.iterdir() if (path / manifest.NAME).exists()):
        try:
            found.append((folder, manifest.read(folder)))
        except RecordingError as error:
            left_out(error)
    targets = sorted({made.target for _, made in found})
    runs = [(folder, made) for folder, made in found if made.target == (target or (targets or [""])[0])]
    if not runs:
        raise RecordingError(f"{recordings} contains no recording" + (f" of {target!r}" if target else ""))
    if len(targets) > 1 and not target:
        raise RecordingError(f"{recordings} contains runs of {', '.join(targets)}: name one with --target")
    return sorted(runs, key=lambda entry: (entry[1].started, (entry[0] / "run.json").stat().st_mtime_ns))

"""The recordings of a folder as a list shows them: their ends are read, not their events."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from botattack.errors import RecordingError
from botattack.files import descriptor
from botattack.recordings import manifest
from botattack.recordings.manifest import Manifest
from botattack.recordings.reader import end_of
from botattack.recordings.writer import EVENTS, LEASES

State = Literal["passed", "finished", "failed", "stopped", "running", "damaged"]


@dataclass(frozen=True)
class ListedRun:
    """A recording by the name of its folder. `says` is the first sentence of its report, or why there is none, and
    `why` how it ended; `about` is what it asked: `night`, `causes`."""

    name: str
    state: State
    says: str
    why: str = ""
    bot: str = ""
    started: str = ""
    about: str = ""


def recorded(recordings: Path) -> list[str]:
    """The names of all recordings, the newest first: they begin with the time."""
    try:
        found = [entry.name for entry in os.scandir(recordings) if (Path(entry.path) / manifest.NAME).exists()]
    except OSError as error:
        raise RecordingError(f"{recordings} cannot be read: {error.strerror}; name the folder of recordings") from None
    return sorted(found, reverse=True)


def listed(recordings: Path, names: list[str]) -> Iterator[ListedRun]:
    """What the list says of each; a damaged one is named with its fault."""
    for name in names:
        try:
            made = manifest.read(recordings / name)
        except RecordingError as error:
            yield ListedRun(name, "damaged", str(error))
        else:
            yield one(recordings / name, made)


def one(folder: Path, made: Manifest) -> ListedRun:
    """What the list says of one recording."""
    about = {manifest.NIGHTLY: "night", manifest.SHRINK: "smallest edits", manifest.WHY: "causes"}
    what = about.get("".join(made.command[:1]), "")
    end = end_of(folder)
    if end is None:
        running = any(map(_is_written, [folder / EVENTS, *folder.glob(f"{LEASES}/*/{EVENTS}")]))
        state: State = "running" if running else "stopped"
        says = "not finished; what it has asked so far is shown"
        return ListedRun(folder.name, state, says, "", made.target, made.started, what)
    passed: State = "passed" if end.gates or made.is_night else "finished"
    state = passed if end.exit == 0 else "failed" if end.exit == 1 else "stopped"
    return ListedRun(folder.name, state, end.headline or end.why, end.why, made.target, made.started, what)


def _is_written(path: Path) -> bool:
    """Whether another process has the events open to write them."""
    try:
        file = descriptor(path)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False

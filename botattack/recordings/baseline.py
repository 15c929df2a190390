"""Which recorded run later nights are compared with, and whose questions they ask.

A baseline is a small file beside the recordings that names one of them; the recording itself is the suite.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import msgspec

from botattack.errors import RecordingError
from botattack.recordings import manifest, stored

FOLDER = "baselines"
LARGEST = 1_000_000
"""Bytes of the file of a baseline."""
_NAME = re.compile(r"[\w][\w.-]{0,99}")


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """`recording` is a folder beside `baselines/`, or an absolute path; `since` is when it was set, in UTC."""

    run: str
    target: str
    recording: str
    since: str
    questions: int
    variants: int

    def folder(self, recordings: Path) -> Path:
        return recordings / self.recording


def path_of(recordings: Path, name: str) -> Path:
    """Raises RecordingError for a name that is no plain file name."""
    if not _NAME.fullmatch(name):
        raise RecordingError(f"{name!r} cannot name a baseline: use letters, digits, dots and dashes")
    return recordings / FOLDER / f"{name}.json"


def write(recordings: Path, name: str, baseline: Baseline) -> Path:
    """Written whole or not at all."""
    return stored.write(path_of(recordings, name), baseline, private=False)


def read(recordings: Path, name: str) -> Baseline | None:
    """None if no such baseline was set; raises RecordingError if it is damaged or its recording is gone."""
    baseline = written(recordings, name)
    if baseline is None:
        return None
    folder, path = baseline.folder(recordings), path_of(recordings, name)
    if manifest.read(folder).run != baseline.run:
        raise RecordingError(f"{folder} is no longer the run {baseline.run} that {path} names; set the baseline again")
    return baseline


def written(recordings: Path, name: str) -> Baseline | None:
    """What the file of a baseline says, whether its recording is still there or not; raises RecordingError if the file
    is damaged."""
    fix = "set it again with botattack nightly baseline set"
    return stored.read(path_of(recordings, name), Baseline, LARGEST, fix)


def pinned(recordings: Path) -> list[Baseline]:
    """Every baseline that can be read."""
    found = []
    for name in names(recordings):
        with suppress(RecordingError):
            found.append(read(recordings, name))
    return [baseline for baseline in found if baseline is not None]


def names(recordings: Path) -> list[str]:
    """Every baseline that was set."""
    return sorted(path.stem for path in (recordings / FOLDER).glob("*.json"))

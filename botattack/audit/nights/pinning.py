"""Makes a recorded run the baseline of its target."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from botattack.errors import RecordingError
from botattack.recordings import baseline as baselines
from botattack.recordings import manifest
from botattack.recordings.baseline import Baseline
from botattack.recordings.reader import events
from botattack.recordings.suite import suite_of
from botattack.report.comparison.sides import Side


def pin(recording: Path, name: str = "") -> tuple[Path, str, Baseline]:
    """The file of the baseline, its name and what it says; raises RecordingError if the run did not end."""
    made, side = manifest.read(recording), Side()
    for event in events(recording):
        side.update(event)
    if side.ended is None or side.ended.exit not in (0, 1):
        command = "nightly" if made.is_night else "run"
        raise RecordingError(f"{recording} did not finish: continue it first with botattack {command} … --resume")
    suite = suite_of(events(recording))
    called = name or made.target
    found = Baseline(
        run=made.run,
        target=made.target,
        recording=recording.resolve().name,
        since=datetime.now(UTC).isoformat(timespec="seconds"),
        questions=len(suite),
        variants=suite.variants,
    )
    return baselines.write(recording.resolve().parent, called, found), called, found

"""The recorded runs of a bot, and which of them asked the same suite."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from botattack.audit.nights import summary
from botattack.audit.nights.summary import Summary
from botattack.audit.replays.replaying import Judged, as_judged_by
from botattack.config.campaign import CampaignConfig
from botattack.errors import BotattackError, RecordingError
from botattack.recordings import baseline as baselines
from botattack.recordings import manifest
from botattack.recordings.manifest import Manifest
from botattack.report.comparison.trend import Bisect, unit_states

NIGHTS = 14
"""Runs that are read to tell what is flaky: two weeks."""
Run = tuple[Path, Manifest]
"""The folder of a recording, and what it was made of."""


def runs_of(recordings: Path, target: str, left_out: Callable[[BotattackError], None]) -> list[Run]:
    """The runs of one bot, oldest first; raises RecordingError if there is none, or several bots have nights.

    What botattack shrink recorded is left out: it asked parts of findings, and no suite. `left_out` gets the fault of
    a `run.json` that cannot be read; a folder without one is no recording.
    """
    found = [each for each in manifest.recorded_in(recordings, left_out) if not each[1].is_shrunk]
    nightly = {made.target for _, made in found if made.is_night}
    nightly |= {baseline.target for baseline in baselines.pinned(recordings)}
    every = {made.target for _, made in found}
    # Who names no bot means one that has nights.
    targets = sorted(every & nightly or every)
    runs = [(folder, made) for folder, made in found if made.target == (target or (targets or [""])[0])]
    if not runs:
        raise RecordingError(f"{recordings} contains no recording" + (f" of {target!r}" if target else ""))
    if len(targets) > 1 and not target:
        raise RecordingError(f"{recordings} contains runs of {', '.join(targets)}: name one with --target")
    return runs


def of_one_suite(runs: list[Run]) -> list[Run]:
    """The newest night, the nights that asked the same suite, and the run that pinned it, oldest first. Where there is
    no night, runs that were set up like the newest asked the same."""
    nights = [made.suite for _, made in runs if made.suite]
    if nights:
        return [(folder, made) for folder, made in runs if nights[-1] in (made.suite, made.run)]
    return [(folder, made) for folder, made in runs if _set_up(made) == _set_up(runs[-1][1])]


def _set_up(made: Manifest) -> tuple[object, ...]:
    settings = {name: value for name, value in made.settings.items() if name not in (manifest.CONNECTION, "shard")}
    return made.seed, settings, made.digests


def left_by(recording: Path, judged: Judged) -> Summary | None:
    """The summary that a night left, if the verdicts of its recording still count."""
    return None if judged.again else summary.read(recording)


def tracked(recordings: Path, campaign: CampaignConfig) -> Bisect:
    """What became of every unit of the newest night's suite in the last NIGHTS runs of it. Runs that another judge
    graded are left out, and so are damaged ones: this only explains what a night has found."""
    tracks = Bisect()
    runs = of_one_suite(runs_of(recordings, campaign.target.name, lambda _: None))
    for folder, made in runs[-NIGHTS:]:
        with suppress(RecordingError):
            judged = as_judged_by(campaign, folder)
            if not judged.again:
                left = left_by(folder, judged)
                tracks.add(made.run, made.started[:10], left.units if left else unit_states(judged.events()))
    return tracks

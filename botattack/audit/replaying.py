"""`run --replay`: a campaign whose answers come from a recording."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from botattack.audit.wiring import Job
from botattack.errors import RecordingError
from botattack.recordings import manifest
from botattack.recordings.answers import Record, ReplayTarget


def answered_by(job: Job, recording: Path, record: Record) -> Job:
    """The job with the recording in front of its bot, or in its place.

    Raises RecordingError where the recording is damaged, of another bot, or made with another seed: then no unit of
    one run is a unit of the other.
    """
    old = manifest.read(recording)
    for what, was, now in (("target", old.target, job.manifest.target), ("seed", old.seed, job.manifest.seed)):
        if was != now:
            raise RecordingError(f"{recording} cannot answer this run: its {what} was {was!r} and is now {now!r}")
    plan = job.plan
    if record == "none":
        # Nobody is asked: there is nothing to pace, and what was never recorded is no sign that a bot is down.
        limits = replace(plan.limits, rate=None, unlimited=True, breaker=2**62, retries=0)
        plan = replace(plan, preflight=False, limits=limits)
    answers = ReplayTarget(recording, record)

    def opened() -> ReplayTarget:
        return answers if record == "none" else answers.before(job.campaign.target.open())

    return replace(job, plan=plan, open_target=opened)

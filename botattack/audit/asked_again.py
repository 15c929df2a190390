"""The job that asks the variants of a recorded run once more, exactly as they were."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from pathlib import Path

from botattack.audit.job import Job, RunSettings, prepare, suite_askings
from botattack.config.campaign import CampaignConfig
from botattack.model import Question
from botattack.protocols import Attack
from botattack.recordings import manifest
from botattack.recordings.reader import events, readings
from botattack.recordings.suite import suite_of
from botattack.report.figures.readers import OF_REPLY


def anything(question: Question) -> bool:
    """That every question is asked again."""
    del question
    return True


def asked_again(
    campaign: CampaignConfig,
    before: Path,
    settings: RunSettings,
    *,
    wanted: Callable[[Question], bool] = anything,
    live: Container[str] = (),
) -> Job:
    """The suite of the recording `before`, with its seed and askings; `wanted` says which of its questions are asked.
    Attacks with a `live` label attack these questions again instead of repeating what they asked then.

    Raises RecordingError if the suite cannot be asked, or if it resumes another run.
    """
    suite, made = suite_of(events(before)).only(wanted), manifest.read(before)
    attacks: dict[str, Attack] = {**suite.attacks, **{label: each for label, each in campaign.attacks if label in live}}
    pinned = replace(
        campaign,
        attacks=tuple(attacks.items()),
        seed=made.seed,
        repeat=int(made.settings.get("repeat", campaign.repeat)),
        filter=made.settings.get("filter", campaign.filter),
        ask_unsure=True,
        # Every answer of a suite is compared.
        stop_when_sure=False,
    )
    job = replace(prepare(pinned, settings), suite=suite)
    # A text means what it means whatever the bot replies, so it is read as it was then.
    read = tuple(reading for reading in readings(before) if reading.ask not in OF_REPLY)
    plan = replace(job.plan, pinned=suite.attacked, known=suite_askings(job.plan, suite), readings=read)
    return replace(job, plan=plan)

"""One lease in a worker: the ordinary engine over a shard of the questions, and an ordinary recording."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import msgspec

from botattack.audit.conduct import conduct_async
from botattack.audit.fleet.leases import Hearing, LeaseEnd, LeaseTask, shared_files
from botattack.audit.job import Job, RunSettings, load_questions, prepare
from botattack.audit.language_parts import Parts, load_parts
from botattack.audit.stage import Stage
from botattack.config.campaign import CampaignConfig, load_campaign
from botattack.config.flags import with_flags
from botattack.config.run_keys import Changes
from botattack.engine.ending import Ending
from botattack.errors import BotattackError, RecordingError
from botattack.recordings import manifest
from botattack.recordings.writer import EVENTS


def perform(task: bytes) -> list[bytes]:
    """Asks a lease to its end, or goes on with one that another worker began; a `LeaseTask` to a `LeaseEnd`."""
    told = msgspec.json.decode(task, type=LeaseTask)
    try:
        ending = _performed(told)
    except BotattackError as error:
        return [msgspec.json.encode(LeaseEnd(error.exit_status, str(error)))]
    return [msgspec.json.encode(LeaseEnd(ending.exit, ending.why, ending.first_success))]


def _performed(told: LeaseTask) -> Ending:
    run = Path(told.run)
    hears = Hearing(run)
    if (over := hears()) is not None:
        return over
    stage = Stage(_job(told, run), conclude=lambda _: Ending(0, "the lease is done"))
    (ending,) = asyncio.run(conduct_async([stage], told=hears))
    return ending


@lru_cache(1)
def _loaded(path: str, changes: Changes, allow_code: bool) -> tuple[CampaignConfig, Parts, str]:
    """Read and loaded once for all leases of a run: a parser takes as long to load as a hundred askings. The
    last is the digest of all questions."""
    campaign = with_flags(load_campaign(Path(path), allow_code=allow_code), changes)
    with load_questions(campaign, []) as questions:
        return campaign, load_parts(campaign), questions.digest


def _job(told: LeaseTask, run: Path) -> Job:
    if not (run / manifest.NAME).is_file():
        raise RecordingError(f"a worker does not see {run}; --recordings must be a folder that all workers share")
    campaign, parts, questions = _loaded(told.campaign, told.changes, told.allow_code)
    if questions != told.questions:
        raise RecordingError(
            f"a worker has other questions in {campaign.questions.file} than the run; copy the file there"
        )
    # Of a worker that was killed at the very beginning, there may be a manifest without events.
    begun = (told.folder / EVENTS).is_file()
    job = prepare(
        campaign,
        RunSettings(
            recordings=run.parent,
            resume=told.folder if begun else None,
            fail_fast=told.fail_fast,
            shard=(told.part, told.parts),
        ),
        shared=shared_files(run),
        parts=parts,
    )
    whole = manifest.read(run)
    same = msgspec.structs.replace(
        job.manifest, command=whole.command, settings={**job.manifest.settings, "shard": whole.settings.get("shard")}
    )
    manifest.refuse_difference(whole, same, f"a worker cannot continue {run.name}")
    limits = replace(job.plan.limits, concurrency=told.concurrency)
    # The time of the whole run is kept by who leads it.
    budget = replace(job.plan.budget, seconds=None)
    return replace(job, folder=told.folder, plan=replace(job.plan, limits=limits, budget=budget))

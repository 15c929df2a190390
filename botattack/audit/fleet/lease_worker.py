"""Leases in a worker: the ordinary engine over some of the questions, and an ordinary recording of each."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec

from botattack.audit.conduct import close, conduct_async, opened
from botattack.audit.fleet.leases import LeaseEnd, LeaseTask, hear, shared_files
from botattack.audit.job import Handed, Job, RunSettings, prepare
from botattack.audit.stage import Stage
from botattack.config.campaign import load_campaign
from botattack.config.flags import with_flags
from botattack.engine.ending import Ending
from botattack.errors import BotattackError, RecordingError
from botattack.recordings import manifest
from botattack.recordings.writer import EVENTS


def perform(task: bytes) -> list[bytes]:
    """Asks a lease to its end, or goes on with one that another worker began; a `LeaseTask` to a `LeaseEnd`. An empty
    task closes what was kept for further leases."""
    if not task.strip():
        while _kept:
            _kept.pop().close()
        return []
    told = msgspec.json.decode(task, type=LeaseTask)
    try:
        ending = _performed(told)
    except BotattackError as error:
        return [msgspec.json.encode(LeaseEnd(error.exit_status, str(error)))]
    return [msgspec.json.encode(LeaseEnd(ending.exit, ending.why, ending.first_success))]


def _performed(told: LeaseTask) -> Ending:
    run = Path(told.run)
    if (over := hear(run)) is not None:
        return over
    if not _kept:
        _kept.append(_Kept(told, run))
    return _kept[0].ask(told, run)


class _Kept:
    """What a worker has opened for a run and needs for each of its leases: the campaign, its language parts, the bot
    with its connections, and the event loop that these belong to. A parser takes as long to load as a hundred askings.
    """

    def __init__(self, told: LeaseTask, run: Path) -> None:
        self._job = _job(told, run)
        self._bot = opened(self._job)
        self._loop = asyncio.Runner()

    def ask(self, told: LeaseTask, run: Path) -> Ending:
        # Of a worker that was killed at the very beginning, there may be a manifest without events.
        begun = (told.folder / EVENTS).is_file()
        settings = {**self._job.manifest.settings, "shard": [told.part, told.parts]}
        job = replace(
            self._job,
            folder=told.folder,
            manifest=msgspec.structs.replace(self._job.manifest, settings=settings),
            resumes=begun,
            shard=(told.part, told.parts),
            handed=Handed(told.questions, told.bad, told.samples, told.has_gold),
            bot=self._bot,
        )
        stage = Stage(job, conclude=lambda _: Ending(0, "the lease is done"))
        # Figures are those of the whole, and made by who leads.
        stage.listeners.clear()
        stage.recalling.clear()
        return self._loop.run(conduct_async(stage, told=partial(hear, run)))

    def close(self) -> None:
        """Closes the bot, as a run does at its end."""
        with suppress(Exception):
            self._loop.run(close(self._bot.target))
        self._loop.close()


_kept: list[_Kept] = []


def _job(told: LeaseTask, run: Path) -> Job:
    """The run as this worker sees it."""
    if not (run / manifest.NAME).is_file():
        raise RecordingError(f"a worker does not see {run}; --recordings must be a folder that all workers share")
    campaign = with_flags(load_campaign(Path(told.campaign), allow_code=told.allow_code), told.changes)
    command = tuple(manifest.read(run).command)
    settings = RunSettings(recordings=run.parent, resume=run, command=command, fail_fast=told.fail_fast)
    job = prepare(campaign, settings, shared=shared_files(run))
    limits = replace(job.plan.limits, concurrency=told.concurrency)
    # The time of the whole run is kept by who leads it.
    budget = replace(job.plan.budget, seconds=None)
    return replace(job, plan=replace(job.plan, limits=limits, budget=budget))

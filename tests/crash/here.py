"""A campaign run inside the test's own event loop, with everything real but, where wanted, the pace of time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from botattack.audit import job as jobs
from botattack.config.campaign import load_campaign
from botattack.engine.clock import Clock, in_thread, loop_clock
from botattack.engine.ending import Ending
from botattack.engine.past import Past
from botattack.engine.running import Run
from botattack.events import AnyEvent
from botattack.recordings import manifest
from botattack.recordings.redaction import Redactor
from botattack.recordings.writer import Recorder
from tests.crash.campaign import Campaign


def hasty(times: float) -> Clock:
    """A clock that runs `times` as fast: back-offs and gates are over sooner."""
    now = asyncio.get_running_loop().time
    return Clock(lambda: now() * times, lambda seconds: asyncio.sleep(seconds / times))


async def run_here(
    campaign: Campaign,
    sinks: Sequence[Callable[[AnyEvent], None]] = (),
    *,
    clock: Clock | None = None,
    started: Callable[[Run], None] = lambda _: None,
    **changes: Any,
) -> Ending:
    config = load_campaign(campaign.folder / "campaign.yaml", environ={}, today=date(2026, 1, 1))
    job = jobs.prepare(
        config,
        jobs.RunSettings(recordings=campaign.folder / "recordings", resume=campaign.recording, **changes),
    )
    if not job.resumes:
        job.folder.mkdir(parents=True)
        manifest.write(job.folder, job.manifest)
    target = config.target.open()
    past = Past(campaign.events())
    with jobs.load_questions(config, []) as questions, Recorder(job.folder, Redactor(), sinks) as recorder:
        clock = clock or loop_clock()
        run = Run(job.plan, target, questions, [recorder], clock=clock, offload=in_thread, past=past)
        started(run)
        try:
            return await run.run(lambda: Ending(0, "done"))
        finally:
            await target.close()

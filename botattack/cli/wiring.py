"""Joins the floors for a command: a checked campaign becomes a plan, a recording and the sinks of a run."""

from __future__ import annotations

import asyncio
import secrets
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from botattack import __version__, registry
from botattack.config.campaign import CampaignConfig
from botattack.engine.clock import in_thread, loop_clock
from botattack.engine.past import Past
from botattack.engine.plan import Plan
from botattack.engine.run import Ending, Run, Sink, Stopped
from botattack.errors import RecordingError
from botattack.events import AnyEvent
from botattack.matchers.judge import Judge
from botattack.matchers.own import OwnReference
from botattack.protocols import BadRecord, Target
from botattack.questions.order import QuestionSet
from botattack.recordings import manifest
from botattack.recordings.manifest import Manifest
from botattack.recordings.reader import events
from botattack.recordings.redaction import Redactor
from botattack.recordings.writer import Recorder


class Heard(Protocol):
    """A fold over events."""

    def update(self, event: AnyEvent) -> None: ...


@dataclass(frozen=True)
class Parts:
    """The language parts of a campaign: data for attacks, handlers for Needs, and the digest of each."""

    data: dict[str, Any]
    handlers: dict[str, Any]
    digests: dict[str, str]


@dataclass(frozen=True)
class Job:
    """A run about to begin, or to go on: `past` is the folder of the recording it resumes."""

    campaign: CampaignConfig
    plan: Plan
    folder: Path
    manifest: Manifest
    resumes: bool


def load_parts(campaign: CampaignConfig) -> Parts:
    """Raises MissingPart, with the command that installs it, before anything is asked."""
    names = sorted({name for _, attack in campaign.attacks for name in attack.parts()})
    loaded = {name: registry.find("parts", name)() for name in names}
    handlers = {name: part for name, part in loaded.items() if hasattr(part, "meet")}
    digests = {name: f"{part.info.name} {part.info.version} {part.info.digest}" for name, part in loaded.items()}
    return Parts({name: part for name, part in loaded.items() if name not in handlers}, handlers, digests)


def prepare(
    campaign: CampaignConfig,
    recordings: Path,
    resume: Path | None,
    command: Sequence[str],
    *,
    fail_fast: bool = False,
    shard: tuple[int, int] = (1, 1),
) -> Job:
    """Raises RecordingError where `resume` is another run than this one."""
    parts = load_parts(campaign)
    now = datetime.now(UTC)
    old = manifest.read(resume) if resume else None
    run = old.run if old else f"{now:%Y%m%dT%H%M%SZ}-{campaign.target.name}-{secrets.token_hex(4)}"
    settings = {**campaign.settings, "refusals": list(campaign.target.refusals), "shard": list(shard)}
    made = Manifest(
        run=run,
        target=campaign.target.name,
        started=old.started if old else now.isoformat(timespec="seconds"),
        seed=campaign.seed,
        settings=settings,
        digests=parts.digests,
        command=list(command),
        botattack=__version__,
    )
    if old:
        manifest.refuse_difference(old, made)
    plan = plan_of(campaign, parts, run, made.started, fail_fast=fail_fast)
    return Job(campaign, plan, resume or recordings / run, made, resumes=old is not None)


def plan_of(campaign: CampaignConfig, parts: Parts, run: str, started: str, *, fail_fast: bool = False) -> Plan:
    return Plan(
        run=run,
        target=campaign.target.name,
        started=started,
        seed=campaign.seed,
        attacks=dict(campaign.attacks),
        judge=Judge(campaign.match, campaign.target.refusals),
        own=OwnReference(refusals=campaign.target.refusals),
        limits=campaign.target.limits,
        budget=campaign.budget,
        filter=campaign.filter,
        repeat=campaign.repeat,
        window=campaign.window,
        ask_unsure=campaign.ask_unsure,
        fail_fast=fail_fast,
        parts=parts.data,
        handlers=parts.handlers,
    )


def load_questions(campaign: CampaignConfig, bad: list[BadRecord], shard: tuple[int, int] = (1, 1)) -> QuestionSet:
    asked = campaign.questions
    return QuestionSet.load(asked.file, asked.reader(), campaign.seed, asked.limit, on_bad=bad.append, shard=shard)


def conduct(
    job: Job, sinks: Sequence[Heard], conclude: Callable[[], Ending], shard: tuple[int, int] = (1, 1)
) -> Ending:
    """Runs the job to its end; `sinks` hear of past events first, then of every new one."""
    bad: list[BadRecord] = []
    with ExitStack() as stack:
        questions = stack.enter_context(load_questions(job.campaign, bad, shard))
        past = _past(job, sinks) if job.resumes else Past()
        _make_folder(job)
        redactor = Redactor(job.campaign.target.env.values())
        listeners: list[Sink] = [sink.update for sink in sinks]
        recorder = stack.enter_context(Recorder(job.folder, redactor, listeners))

        def make_run(target: Target) -> Run:
            return Run(
                job.plan,
                target,
                questions,
                [recorder],
                clock=loop_clock(),
                offload=in_thread,
                past=past,
                bad_records=bad,
            )

        return asyncio.run(_conduct(job, make_run, conclude))


async def _conduct(job: Job, make_run: Callable[[Target], Run], conclude: Callable[[], Ending]) -> Ending:
    target = job.campaign.target.open()
    try:
        run = make_run(target)
        with _Interrupts(run):
            return await run.run(conclude)
    finally:
        await target.close()


def _past(job: Job, sinks: Sequence[Heard]) -> Past:
    """The past is heard by the sinks as it is read: figures are those of the whole run."""

    def heard() -> Iterator[AnyEvent]:
        for event in events(job.folder):
            for sink in sinks:
                sink.update(event)
            yield event

    return Past(heard())


def _make_folder(job: Job) -> None:
    try:
        job.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not job.resumes:
            manifest.write(job.folder, job.manifest)
    except OSError as error:
        raise RecordingError(f"{job.folder}: the recording cannot be made: {error.strerror}") from None


class _Interrupts:
    """Ctrl-C lets what is on its way come back; a second one stops at once. Both leave a resumable recording."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._times = 0

    def __enter__(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._loop.add_signal_handler(number, self._interrupt)

    def __exit__(self, *error: object) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._loop.remove_signal_handler(number)

    def _interrupt(self) -> None:
        self._times += 1
        if self._times == 1:
            self._run.stop(Stopped(Ending(130, "interrupted; resume with --resume")))
        else:
            self._run.abandon()

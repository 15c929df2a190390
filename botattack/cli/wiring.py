"""Joins the floors for a command: a checked campaign becomes a plan, a recording and the sinks of a run."""

from __future__ import annotations

import asyncio
import gc
import secrets
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager, suppress
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import msgspec

from botattack import __version__
from botattack.cli.connection import connection_of
from botattack.cli.language_parts import Parts, load_parts
from botattack.cli.rehearsal import rehearse, weaker_judging
from botattack.cli.secrets import secrets_of, services_of
from botattack.closing import IN_ALL, in_time
from botattack.config.campaign import CampaignConfig
from botattack.config.plugs import attack_from, options_of
from botattack.config.target import TargetConfig
from botattack.engine.clock import in_thread, loop_clock
from botattack.engine.pace import Pacer
from botattack.engine.past import Past
from botattack.engine.plan import Plan
from botattack.engine.running import Ending, Questions, Run, Sink, Stopped
from botattack.errors import BotattackError, RecordingError
from botattack.events import AnyEvent
from botattack.limits import Limits
from botattack.matchers.judge import Judge
from botattack.matchers.own import OwnReference
from botattack.model import content_id
from botattack.protocols import BadRecord, Target
from botattack.questions.order import QuestionSet
from botattack.recordings import manifest
from botattack.recordings.locks import Address, asking
from botattack.recordings.manifest import Manifest
from botattack.recordings.reader import events
from botattack.recordings.redaction import Redactor
from botattack.recordings.writer import Recorder
from botattack.report.figures.gates import held

Shard = tuple[int, int]
"""The i-th of n parts of a run, from 1."""
WHOLE: Shard = (1, 1)


class Heard(Protocol):
    """A fold over events."""

    def update(self, event: AnyEvent) -> None: ...


@dataclass(frozen=True)
class Job:
    """A run about to begin, or, where it `resumes`, to go on with the recording in `folder`."""

    campaign: CampaignConfig
    plan: Plan
    folder: Path
    manifest: Manifest
    resumes: bool
    shard: Shard = WHOLE
    suite: Questions | None = None
    """Asked in place of the campaign's questions."""
    open_target: Callable[[], Target] | None = None
    """What answers in place of the campaign's target."""

    @property
    def address(self) -> Address | None:
        return address_of(self.campaign.target)


@dataclass(frozen=True)
class Show:
    """A job with what hears of it: `sinks` hear of past events first, then of every new one; `conclude` gives the
    ending of a run that nothing stopped."""

    job: Job
    sinks: Sequence[Heard]
    conclude: Callable[[], Ending]


def address_of(target: TargetConfig) -> Address | None:
    """Where the bot is; None where it is in this process."""
    if not (url := target.options.address(target.env)):
        return None
    # The rest of a URL may hold a secret.
    return Address(content_id("address", url), urlsplit(url).netloc.rpartition("@")[2])


def prepare(
    campaign: CampaignConfig,
    recordings: Path,
    resume: Path | None,
    command: Sequence[str],
    *,
    fail_fast: bool = False,
    shard: Shard = WHOLE,
) -> Job:
    """Raises RecordingError where `resume` is another run than this one."""
    campaign = _share(campaign, shard)
    parts = load_parts(campaign)
    now = datetime.now(UTC)
    old = manifest.read(resume) if resume else None
    run = old.run if old else f"{now:%Y%m%dT%H%M%SZ}-{campaign.target.name}-{secrets.token_hex(4)}"
    address = address_of(campaign.target)
    made = Manifest(
        run=run,
        target=campaign.target.name,
        started=old.started if old else now.isoformat(timespec="seconds"),
        seed=campaign.seed,
        settings={**_settings(campaign), "shard": list(shard)},
        digests=parts.digests,
        command=list(command),
        botattack=__version__,
        address=address.key if address else "",
        target_file=str(campaign.target.path),
        gates=held(campaign.gates),
        max_errors=campaign.max_errors,
    )
    if old:
        manifest.refuse_difference(read_today(old), made)
    learned = manifest.known_ceiling(recordings, made.target, made.address)
    plan = plan_of(campaign, parts, run, made.started, fail_fast=fail_fast, learned=learned)
    return Job(campaign, plan, resume or recordings / run, old or made, resumes=old is not None, shard=shard)


def read_today(old: Manifest) -> Manifest:
    """What an earlier version kept of its attacks, as today's would: an option that is new since has its default."""
    attacks = old.settings.get("attacks", {})
    with suppress(BotattackError, LookupError, TypeError, AttributeError):
        read = {label: attack_from(*next(iter(item.items()))) for label, item in attacks.items()}
        kept = {label: {attack.name: options_of(attack)} for label, attack in read.items()}
        return msgspec.structs.replace(old, settings={**old.settings, "attacks": kept})
    return old


def _settings(campaign: CampaignConfig) -> dict[str, Any]:
    target = campaign.target
    return {**campaign.settings, "refusals": list(target.refusals), manifest.CONNECTION: connection_of(target)}


def _share(campaign: CampaignConfig, shard: Shard) -> CampaignConfig:
    """A shard asks no faster than its share."""
    limits, parts = campaign.target.limits, shard[1]
    if parts == 1 or limits.rate is None:
        return campaign
    share = replace(limits, rate=limits.rate / parts, burst=max(1, limits.burst // parts))
    return replace(campaign, target=replace(campaign.target, limits=share))


def plan_of(
    campaign: CampaignConfig,
    parts: Parts,
    run: str,
    started: str,
    *,
    fail_fast: bool = False,
    learned: float | None = None,
) -> Plan:
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
        learned_rate=learned,
        carried=campaign.carried,
        where=lambda place: f"{campaign.target.where(place)}: {place}",
    )


def load_questions(campaign: CampaignConfig, bad: list[BadRecord], shard: Shard = WHOLE) -> QuestionSet:
    asked = campaign.questions
    return QuestionSet.load(asked.file, asked.reader(), campaign.seed, asked.limit, on_bad=bad.append, shard=shard)


def conduct(shows: Sequence[Show], *, waiting: Callable[[str], None] | None = None) -> list[Ending]:
    """Runs all jobs side by side to their ends; those over one bot share its pace.

    Raises RecordingError where another process asks one of the bots, unless `waiting` is there to hear of the wait.
    """
    with ExitStack() as stack:
        shards = {address: show.job.shard for show in shows if (address := show.job.address)}
        # In one order everywhere: two processes that each hold a bot the other waits for would wait for ever.
        for address in sorted(shards, key=lambda address: address.key):
            stack.enter_context(asking(address, shards[address], waiting=waiting))
        stages = [_stage(show, stack) for show in shows]
        stack.enter_context(_rare_collections())
        return asyncio.run(_conduct(shows, stages))


@contextmanager
def _rare_collections() -> Iterator[None]:
    """What was imported never becomes garbage, and a run makes few cycles: looking for them costs a tenth of it."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


MakeRun = Callable[[Pacer | None], Run]


@dataclass(frozen=True)
class _Staged:
    """All that a run needs, open."""

    target: Target
    redactor: Redactor
    make: MakeRun


def _stage(show: Show, stack: ExitStack) -> _Staged:
    job = show.job
    target = (job.open_target or job.campaign.target.open)()
    services = services_of(job.plan.handlers.values())
    hidden = secrets_of(job.campaign.target, target).union(*(secrets_of(config, asked) for config, asked in services))
    patterns = (job.campaign.target.redact, *(config.redact for config, _ in services))
    redactor = Redactor(hidden, chain.from_iterable(patterns))
    bad: list[BadRecord] = []
    questions = job.suite or stack.enter_context(load_questions(job.campaign, bad, job.shard))
    if isinstance(questions, QuestionSet):
        rehearse(job.plan.attacks, job.plan.parts, job.plan.handlers, questions.samples)
    samples = questions.samples if isinstance(questions, QuestionSet) else [question for question, _ in questions]
    plan = replace(job.plan, weaker=weaker_judging(job.campaign, (question.lang for question in samples)))
    past = _past(job, show.sinks) if job.resumes else None
    _make_folder(job)
    listeners: list[Sink] = [sink.update for sink in show.sinks]
    recorder = stack.enter_context(Recorder(job.folder, redactor, listeners))

    def make_run(pacer: Pacer | None) -> Run:
        return Run(
            plan,
            target,
            questions,
            [recorder],
            clock=loop_clock(),
            offload=in_thread,
            past=past,
            bad_records=bad,
            pacer=pacer,
        )

    return _Staged(target, redactor, make_run)


async def _conduct(shows: Sequence[Show], stages: Sequence[_Staged]) -> list[Ending]:
    async with AsyncExitStack() as stack:
        runs: list[Run] = []
        pacers: dict[Address, tuple[Job, Pacer]] = {}
        for show, staged in zip(shows, stages, strict=True):
            stack.push_async_callback(_close, staged.target)
            run = staged.make(_shared_pacer(show.job, pacers))
            if address := show.job.address:
                pacers.setdefault(address, (show.job, run.pacer))
            runs.append(run)
        with _Interrupts(runs):
            endings = await asyncio.gather(*(run.run(show.conclude) for run, show in zip(runs, shows, strict=True)))
    for show, run in zip(shows, runs, strict=True):
        _keep_ceiling(show.job, run)
    # What ended a run may be told in the bot's own words.
    return [replace(end, why=staged.redactor.text(end.why)) for end, staged in zip(endings, stages, strict=True)]


async def _close(target: Target) -> None:
    await in_time(target.close(), IN_ALL)


def _shared_pacer(job: Job, pacers: Mapping[Address, tuple[Job, Pacer]]) -> Pacer | None:
    """The pace of an earlier job over the same bot; raises BotattackError where they do not agree on it."""
    if job.address is None or job.address not in pacers:
        return None
    other, pacer = pacers[job.address]
    ours, theirs = job.plan.limits, other.plan.limits
    differing = [item.name for item in fields(Limits) if getattr(ours, item.name) != getattr(theirs, item.name)]
    if differing:
        told = (f"{one.campaign.target.path} ({_shown(one.plan.limits, differing)})" for one in (other, job))
        raise BotattackError(f"{' and '.join(told)} give different limits for {job.address.shown}; make them agree")
    return pacer


def _shown(limits: Limits, names: Sequence[str]) -> str:
    """Some of the limits, the rate as it stands in a file."""
    shown = [f"{name}: {getattr(limits, name)}" for name in names if name not in ("rate", "unlimited")]
    pace = "unlimited" if limits.unlimited else "learned" if limits.rate is None else f"{limits.rate:g}/s"
    return ", ".join([f"rate: {pace}", *shown] if {"rate", "unlimited"} & {*names} else shown)


def _keep_ceiling(job: Job, run: Run) -> None:
    """What was learned of the bot's pace is there for the next run."""
    ceiling = run.pacer.ceiling
    if ceiling is not None and ceiling != job.manifest.ceiling:
        with suppress(OSError):
            manifest.write(job.folder, msgspec.structs.replace(job.manifest, ceiling=ceiling))


def _past(job: Job, sinks: Sequence[Heard]) -> Past:
    """The past is heard by the sinks as it is read: figures are those of the whole run. What tells of now `recall`s."""
    listeners: list[Sink] = [getattr(sink, "recall", sink.update) for sink in sinks]

    def heard() -> Iterator[AnyEvent]:
        for event in events(job.folder):
            for listen in listeners:
                listen(event)
            yield event

    return Past(heard(), job.plan.searches)


def _make_folder(job: Job) -> None:
    try:
        job.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not job.resumes:
            manifest.write(job.folder, job.manifest)
    except OSError as error:
        raise RecordingError(f"{job.folder}: the recording cannot be made: {error.strerror}") from None


class _Interrupts:
    """Ctrl-C lets what is on its way come back; a second one stops at once. Both leave a resumable recording."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = runs
        self._loop = asyncio.get_running_loop()
        self._times = 0

    def __enter__(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._loop.add_signal_handler(number, self._interrupt)

    def __exit__(self, *error: object) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._loop.remove_signal_handler(number)

    def _interrupt(self) -> None:
        self._times += 1
        for run in self._runs:
            if self._times == 1:
                run.stop(Stopped(Ending(130, "interrupted")))
            else:
                run.abandon()

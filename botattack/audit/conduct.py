"""Runs a job: opens its target, writes its recording, and keeps other processes from its bot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, suppress
from dataclasses import dataclass, replace

import msgspec

from botattack.audit.beforehand.rehearsal import doubtful, guessed, left_out, rehearse, weaker_judging
from botattack.audit.conclusion import stop_rule
from botattack.audit.job import Bot, InEachWay, Job, make_folder, questions_of
from botattack.audit.judged import mixed
from botattack.audit.secrets import redactor_of, services_of, unmasked
from botattack.audit.stage import Stage
from botattack.closing import IN_ALL, in_time
from botattack.engine.clock import Clock, in_thread, loop_clock
from botattack.engine.ending import Ending, Stopped
from botattack.engine.pacing.cells import FileCell
from botattack.engine.pacing.laws import law_for
from botattack.engine.pacing.pacer import Pacer, PaceState
from botattack.engine.past import Past
from botattack.engine.purse import Spent
from botattack.engine.running import Run
from botattack.errors import RecordingError
from botattack.events import AnyEvent
from botattack.interrupts import hearing_interrupts
from botattack.protocols import BadRecord, Target
from botattack.questions.order import QuestionSet
from botattack.recordings import manifest, sealing
from botattack.recordings.leftovers import leftovers
from botattack.recordings.locks import Address, asking
from botattack.recordings.reader import events
from botattack.recordings.redaction import Redactor
from botattack.recordings.writer import Recorder
from botattack.resources.asked import Asking

Waiting = Callable[[str], None]
LISTEN_EVERY = 0.5
"""Seconds between two questions whether all shall end."""
SEQUENCE = (
    "the run may stop as soon as it is sure, so its intervals are those of a confidence sequence, half as wide again; "
    "leave out stop_when_sure to ask everything"
)


def conduct(stage: Stage, *, waiting: Waiting | None = None) -> Ending:
    """Runs a job to its end in an event loop of its own, where Ctrl-C lets what is on its way come back."""
    return asyncio.run(conduct_async(stage, waiting=waiting, interrupts=True))


async def conduct_async(
    stage: Stage,
    *,
    waiting: Waiting | None = None,
    interrupts: bool = False,
    told: Callable[[], Ending | None] | None = None,
) -> Ending:
    """Runs a job to its end.

    With `interrupts` it takes the signal of Ctrl-C for itself while it runs; `told` is asked again and again whether
    all shall end. Raises RecordingError if another process asks the bot, unless `waiting` is there to hear of the wait.
    """
    with ExitStack() as stack:
        if address := locked_address(stage.job):
            stack.enter_context(asking(address, stage.job.shard, waiting=waiting))
        ending = await _conduct(_Open.of(stage, stack), interrupts, told)
    return await asyncio.to_thread(_sealed, stage.job, ending)


def _sealed(job: Job, ending: Ending) -> Ending:
    """Seals the recording; of a run on several workers, the whole is sealed once it is merged. What stopped a run says
    more than a seal that failed: it is sealed when it is resumed."""
    if job.shared:
        return ending
    try:
        sealing.add(job.folder)
    except RecordingError as error:
        if ending.exit <= 1:
            return replace(ending, exit=error.exit_status, why=f"{ending.why}; {error}")
    return ending


def locked_address(job: Job) -> Address | None:
    """The bot that nobody else may ask meanwhile; None if others share its pace."""
    return None if job.shared else job.address


@dataclass(frozen=True)
class _Open:
    """A job with all that it needs, open."""

    stage: Stage
    target: Target
    redactor: Redactor
    make: Callable[[], Run]

    @classmethod
    def of(cls, stage: Stage, stack: ExitStack) -> _Open:
        job = stage.job
        bot = job.bot or opened(job)
        target, redactor = bot.target, bot.redactor
        bad: list[BadRecord] = []
        questions = job.suite or stack.enter_context(questions_of(job, bad))
        bare: tuple[str, ...] = ()
        if isinstance(questions, QuestionSet):
            bare = (*guessed(job.campaign.questions), *doubtful(job.campaign.questions, questions))
            rehearse(job.plan.attacks, job.plan.parts, job.plan.handlers, questions.samples)
        samples = questions.samples if isinstance(questions, QuestionSet) else [question for question, _ in questions]
        if not job.suite and job.plan.carrier != ("request",):
            questions = InEachWay(questions, job.plan.carrier)
        languages = {question.lang for question in samples}
        weaker = (*bare, *weaker_judging(job.campaign, languages), *left_out(job.plan.attacks, languages))
        two = mixed(job.manifest.judge, job.plan.judged_by)
        stops = stop_rule(job.campaign, job.folder.parent)
        wider = [SEQUENCE] * bool(stops)
        plan = replace(job.plan, weaker=(*weaker, *two, *unmasked(job.campaign.target), *wider), stops=stops)
        past = Past(_recalled(stage)) if job.resumes else None
        if not job.resumes:
            make_folder(job.folder, job.manifest, job.campaign.weights)
        recorder = stack.enter_context(Recorder(job.folder, redactor, stage.listeners))
        # Its own recording is locked by now, and so left out.
        where, there = job.folder.parent, job.address
        left = (*leftovers(where, job.campaign.target, there, redactor=redactor, stack=stack),) if there else ()

        spent = FileCell(job.shared.spent, Spent()) if job.shared and plan.budget.is_set else None
        if spent:
            stack.callback(spent.close)

        def make() -> Run:
            recorders, clock = [recorder], loop_clock()
            return Run(
                plan,
                target,
                questions,
                recorders,
                clock=clock,
                offload=in_thread,
                past=past,
                bad_records=bad,
                pacer=_with_other_processes(job, clock, stack),
                spent=spent,
                excerpt=redactor.mask.excerpt,
                sure=stage.sure,
                left=left,
            )

        return cls(stage, target, redactor, make)


def opened(job: Job) -> Bot:
    """The bot of a job, which is yet to be closed."""
    target = job.campaign.target.open()
    redactor = redactor_of(job.campaign.target, target, services_of(job.plan.handlers.values()))
    for handler in job.plan.handlers.values():
        if isinstance(handler, Asking):
            handler.service.confide(redactor.mask)
    return Bot(target, redactor)


def _recalled(stage: Stage) -> Iterator[AnyEvent]:
    """The past is heard by the folds as it is read: figures are those of the whole run."""
    for event in events(stage.job.folder):
        for listen in stage.recalling:
            listen(event)
        yield event


async def _conduct(one: _Open, interrupts: bool, told: Callable[[], Ending | None] | None) -> Ending:
    async with AsyncExitStack() as stack:
        if not one.stage.job.bot:
            stack.push_async_callback(close, one.target)
        run = one.make()
        if interrupts:
            # A sleeping event loop is woken up by that alone.
            wake = asyncio.get_running_loop().call_soon_threadsafe
            stack.enter_context(hearing_interrupts(lambda times: wake(_interrupt, run, times)))
        if told:
            listening = asyncio.ensure_future(_listen(told, run))
            stack.callback(listening.cancel)
        ending = await run.run(one.stage.conclude)
    _keep_ceiling(one.stage.job, run)
    # What ended a run may contain the bot's own words.
    return replace(ending, why=one.redactor.text(ending.why))


async def _listen(told: Callable[[], Ending | None], run: Run) -> None:
    while True:
        await asyncio.sleep(LISTEN_EVERY)
        if ending := told():
            run.stop(Stopped(ending))
            return


async def close(target: Target) -> None:
    """Closes a bot within a bounded time."""
    await in_time(target.close(), IN_ALL)


def _with_other_processes(job: Job, clock: Clock, stack: ExitStack) -> Pacer | None:
    """The pace that other workers of the run keep, too, if there are any."""
    if not job.shared:
        return None
    limits = job.plan.limits
    state = PaceState(law=law_for(limits, job.plan.learned_rate))
    cell = FileCell(job.shared.pace, state)
    stack.callback(cell.close)
    return Pacer(limits, clock, state.law, cell)


def _keep_ceiling(job: Job, run: Run) -> None:
    """What was learned of the bot's pace is there for the next run."""
    ceiling = run.pacer.ceiling
    if ceiling is not None and ceiling != job.manifest.ceiling:
        with suppress(OSError):
            manifest.write(job.folder, msgspec.structs.replace(job.manifest, ceiling=ceiling))


def _interrupt(run: Run, times: int) -> None:
    """Ctrl-C lets what is on its way come back; a second one stops at once. Both leave a resumable recording."""
    if times == 1:
        run.stop(Stopped(Ending(130, "interrupted")))
    else:
        run.abandon()

"""A run led from here and asked by workers: leases go out, their recordings are followed and merged."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import msgspec

from botattack.audit.conduct import Waiting, locked_address
from botattack.audit.fleet import leases
from botattack.audit.fleet.workers import LocalWorkers, number_of
from botattack.audit.job import WHOLE, Job, load_questions, make_folder
from botattack.audit.result import Result
from botattack.audit.stage import Stage
from botattack.config.campaign import load_campaign
from botattack.config.flags import with_flags
from botattack.engine.ending import Ending
from botattack.engine.purse import WHOLE_AGAIN
from botattack.errors import BotattackError, RecordingError
from botattack.events import AnyEvent, BoilerplateKnown, RecordSkipped, RunEnded, RunStarted, decode
from botattack.files import content, write_whole
from botattack.protocols import BadRecord
from botattack.questions.order import QuestionSet
from botattack.recordings import manifest, merge, sealing
from botattack.recordings.locks import asking
from botattack.recordings.redaction import Redactor
from botattack.recordings.triage import marked_events
from botattack.recordings.writer import EVENTS, LEASES, Recorder
from botattack.report.writers.material import material

READ = 1 << 22
"""Bytes read of one lease at a time."""
LOOK_EVERY = 0.5
"""Seconds between two looks at what workers recorded."""
QUESTIONS = "questions"
"""In the folder of leases, the file that says which questions they are of."""
MERGED = "merged"
"""In the folder of leases, the recording that is made of them."""
DELETED = ".leases"
"""What the folder of leases is called while it is deleted."""
LARGEST = 1000
"""Bytes of the file about questions."""
LEAVE = 60.0
"""Seconds that workers get to end once they must."""


def lead(
    stage: Stage, on: str, *, waiting: Waiting | None = None, interrupted: Callable[[], object] = lambda: False
) -> Ending:
    """Runs a job on workers to its end. Its recording is that of one process: the same questions, variants and verdicts
    for any number of workers. What is left of a run that stopped is continued by the same on its recording.

    `on` names the workers as --on does; every worker reads the campaign file for itself. It ends soon after it was
    `interrupted`. Raises BotattackError if it cannot begin.
    """
    job = stage.job
    number = min(number_of(on), job.plan.limits.concurrency)
    _check(job)
    if not is_for_workers(job):
        raise RecordingError(f"{job.folder} has no leases that workers could continue; continue it without --on")
    with ExitStack() as stack:
        if address := locked_address(job):
            stack.enter_context(asking(address, waiting=waiting))
        bad: list[BadRecord] = []
        questions = stack.enter_context(load_questions(job.campaign, bad))
        if not job.resumes:
            make_folder(job.folder, job.manifest, job.campaign.weights)
        (job.folder / LEASES).mkdir(mode=0o700, exist_ok=True)
        leading = _Leading(stage, questions, _cut(job, questions), bad, interrupted)
        told = leading.over(stack.enter_context(LocalWorkers(number)))
    return leading.conclude(told)


def _check(job: Job) -> None:
    """Raises BotattackError for what several workers cannot do together."""
    campaign = job.campaign
    if campaign.path is None:
        raise BotattackError("--on needs a campaign file, which every worker reads: write one with botattack init")
    read = load_campaign(campaign.path, allow_code=campaign.allow_code)
    if with_flags(read, campaign.changes) != campaign:
        raise BotattackError(
            f"{campaign.path}: workers read this file and their own environment, but this campaign was changed "
            "since; write the changes into the file, or give them to botattack.load"
        )
    if job.shard != WHOLE:
        raise BotattackError("--on and --shard do not go together; leave one out")
    if "document" in campaign.carrier:
        raise BotattackError("--on and carrier: document do not go together: workers would find each other's documents")
    if campaign.stop_when_sure:
        raise BotattackError("--on and stop_when_sure do not go together: no worker knows the whole; leave one out")


def is_for_workers(job: Job) -> bool:
    """Whether workers can begin or continue a job: not what was merged already, or was asked by one process."""
    return not job.resumes or (job.folder / LEASES).is_dir() or not (job.folder / EVENTS).exists()


def _cut(job: Job, questions: QuestionSet) -> int:
    """Into how many leases the questions are cut, which is written down when a run begins. Raises RecordingError for
    other questions than those of then: what is done of one cut is no part of another."""
    path, now = job.folder / LEASES / QUESTIONS, f"{len(questions)} {questions.digest}"
    if not path.exists():
        parts = leases.number_of_leases(len(questions), job.plan.limits.concurrency)
        write_whole(path, f"{now} {parts}".encode(), private=True)
        return parts
    then, _, parts_then = content(path, LARGEST).decode("ascii", "replace").rpartition(" ")
    if then != now or not parts_then.isdecimal():
        raise RecordingError(
            f"cannot resume {job.folder.name}: its {then.partition(' ')[0]} questions were shared out among workers, "
            f"and now the file has others ({len(questions)}); put it back as it was, or start a new run"
        )
    return int(parts_then)


class Following:
    """Tells `listen` the new events of leases; the beginning of the run once, and the ends of leases never."""

    def __init__(self, listen: Callable[[AnyEvent], None], total: int, run: str) -> None:
        self._listen = listen
        self._total = total
        self._run = run
        self._read: dict[Path, int] = {}
        self.framing: dict[Path, merge.Framing] = {}
        """Of each lease that has begun."""
        self._once: set[str] = set()

    def look(self, folder: Path) -> None:
        """Tells what a lease has recorded since the last look."""
        with suppress(FileNotFoundError), (folder / EVENTS).open("rb") as file:
            while True:
                file.seek(self._read.get(folder, 0))
                lines, newline, _ = file.read(READ).rpartition(b"\n")
                if not newline:
                    return
                self._read[folder] = self._read.get(folder, 0) + len(lines) + 1
                framing = self.framing.setdefault(folder, merge.Framing())
                for line in lines.split(b"\n"):
                    event = decode(line)
                    framing.update(event)
                    self._tell(event)

    def _tell(self, event: AnyEvent) -> None:
        if isinstance(event, RunEnded):
            return
        if isinstance(event, RunStarted | RecordSkipped | BoilerplateKnown):
            if event.key in self._once:
                return
            self._once.add(event.key)
        if isinstance(event, RunStarted):
            event = msgspec.structs.replace(event, run=self._run, total=self._total, gone=0)
        self._listen(event)


class _Leading:
    def __init__(
        self,
        stage: Stage,
        questions: QuestionSet,
        parts: int,
        bad: Sequence[BadRecord],
        interrupted: Callable[[], object],
    ) -> None:
        self._stage = stage
        self._run = stage.job.folder
        self._total = len(questions)
        self._parts = parts
        self._questions, self._records = questions, questions.records(self._parts)
        self._bad = tuple(bad)
        self._interrupted = interrupted
        self._following = Following(self._hear, self._total, stage.job.plan.run)
        self._began = time.monotonic()
        self._orders = leases.Orders()
        self._told_at = self._looked_at = 0.0

    def _hear(self, event: Any) -> None:
        for listen in self._stage.listeners:
            listen(event)

    def _folders(self) -> list[Path]:
        return [leases.lease_folder(self._run, part, self._parts) for part in range(1, self._parts + 1)]

    def over(self, workers: LocalWorkers) -> leases.Orders:
        """Sends out all leases, and gives what the workers were told in the end."""
        # As in one process, a resumed run has the whole budget again and begins with an open gate.
        for file in (leases.shared_files(self._run).pace, leases.shared_files(self._run).spent):
            file.unlink(missing_ok=True)
        self._give_orders()
        some = [part for part in range(1, self._parts + 1) if any(self._records(part))]
        left = [part for part in some if not leases.is_done(leases.lease_folder(self._run, part, self._parts))]
        out: dict[int, Any] = {}
        while left or out:
            while left and len(out) < workers.workers and self._orders.exit is None:
                part = left.pop(0)
                task = self._task(part, workers.workers, self._bad if part == some[0] else ())
                out[part] = workers.submit(task)
            if self._orders.exit is not None and (not out or time.monotonic() - self._told_at > LEAVE):
                break
            wait(out.values(), LOOK_EVERY, FIRST_COMPLETED)
            for part in [part for part, future in out.items() if future.done()]:
                self._end(out.pop(part))
            if time.monotonic() - self._looked_at >= LOOK_EVERY:
                self._look()
        return self._orders

    def _task(self, part: int, workers: int, bad: tuple[BadRecord, ...]) -> bytes:
        job = self._stage.job
        assert job.campaign.path is not None  # noqa: S101  # a fleet was checked for that
        return msgspec.json.encode(
            leases.LeaseTask(
                run=str(self._run.resolve()),
                campaign=str(job.campaign.path.resolve()),
                part=part,
                parts=self._parts,
                concurrency=max(1, job.plan.limits.concurrency // workers),
                questions=tuple(self._records(part)),
                bad=bad,
                samples=self._questions.samples,
                has_gold=self._questions.has_gold,
                changes=job.campaign.changes,
                allow_code=job.campaign.allow_code,
                fail_fast=job.plan.fail_fast,
            )
        )

    def _end(self, future: Any) -> None:
        """A worker is done with a lease: with one that did not end as it should, all end."""
        try:
            end = msgspec.json.decode(*future.result(), type=leases.LeaseEnd)
        except Exception as error:
            end = leases.LeaseEnd(2, f"a worker broke off: {error}")
        if end.exit and self._orders.exit is None:
            self._stop(end.exit, end.why)

    def _stop(self, status: int, why: str) -> None:
        self._orders = leases.Orders(status, why)
        self._told_at = time.monotonic()
        self._give_orders()

    def _look(self) -> None:
        self._looked_at = time.monotonic()
        for folder in self._folders():
            self._following.look(folder)
        seconds = self._stage.job.plan.budget.seconds
        if self._orders.exit is not None:
            self._give_orders()
        elif self._interrupted():
            self._stop(130, "interrupted")
        elif seconds is not None and time.monotonic() - self._began > seconds:
            self._stop(4, f"the budget of {seconds:g} s is used up; {WHOLE_AGAIN}")

    def _give_orders(self) -> None:
        with suppress(OSError):
            leases.give(self._run, self._orders)

    def conclude(self, told: leases.Orders) -> Ending:
        """Merges what the workers recorded into the recording of the run, and ends it."""
        for folder in self._folders():
            self._following.look(folder)
        begun = sorted(self._following.framing)
        if not begun:
            raise RecordingError(f"{self._run.name} asked nothing: {told.why or 'no worker recorded anything'}")
        whole = manifest.read(self._run)
        frames = [self._following.framing[folder].frame(folder, whole=told.exit is None) for folder in begun]
        ending = self._stage.conclude() if told.exit is None else Ending(told.exit, told.why)
        merged = self._run / LEASES / MERGED
        shutil.rmtree(merged, ignore_errors=True)
        merged.mkdir(mode=0o700)
        with Recorder(merged, Redactor()) as recorder:
            for event in merge.joined(begun, frames, whole, total=self._total):
                recorder(event)
            seconds = round(time.monotonic() - self._began, 3)
            end = msgspec.structs.replace(merge.ended([frame.ends for frame in frames], ending), seconds=seconds)
            recorder(end)
        (merged / EVENTS).replace(self._run / EVENTS)
        self._hear(end)
        if told.exit is None:
            # Renamed first: whoever is killed while they are deleted leaves no half of them to be continued.
            done = self._run / DELETED
            (self._run / LEASES).rename(done)
            shutil.rmtree(done, ignore_errors=True)
            sealing.add(self._run)
        return ending


def result_of(stage: Stage) -> Result:
    """What came of the run, read from its merged recording: with several workers, that is the only whole."""
    folder = stage.job.folder
    found = material(lambda: marked_events(folder), str(folder))
    return Result(found.figures, found.findings, folder, events=found.events)

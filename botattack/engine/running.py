"""A run from its first question to its last: workers, window, preflight, and every way it can stop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import msgspec

from botattack.engine.ask import NOBODY, Answer, Asker, Hears
from botattack.engine.batch import Batcher, FairQueue
from botattack.engine.boilerplate import Learning
from botattack.engine.clock import Clock, Offload
from botattack.engine.ending import Ending, Stopped, Sure, cancelled, first_error
from botattack.engine.judging import Judging
from botattack.engine.memory import probed, refuse_unreached
from botattack.engine.needs import Needs
from botattack.engine.pacing.cells import Cell
from botattack.engine.pacing.laws import law_for
from botattack.engine.pacing.pacer import Pacer
from botattack.engine.past import Past
from botattack.engine.plan import Plan, Questions
from botattack.engine.preflight import Preflight
from botattack.engine.purse import WHOLE_AGAIN, Purse, Spare, Spent
from botattack.engine.question import QuestionRun, Workshop, step_all
from botattack.engine.shelf import Leftover, Littered, Shelf
from botattack.errors import BotattackError, Excerpt, RecordingError, RunStopped, TargetError, withheld
from botattack.events import (
    AnyEvent,
    Asked,
    ConversationBegun,
    DocumentRemoved,
    Left,
    Paced,
    QuestionClosed,
    RecordSkipped,
    RunEnded,
    RunStarted,
    TurnSaid,
    VariantJudged,
)
from botattack.model import Exchange, Failure, Question, Unit
from botattack.protocols import BadRecord, Target

DRAIN = 5.0
"""Seconds that requests on their way get to come back once the run is stopped."""

LOST = Answer((), Failure("unknown", "the run broke off while this was on its way, and it must not be asked twice"), ())

Sink = Callable[[AnyEvent], None]


class _Ticket(NamedTuple):
    question: str
    unit: Unit
    future: asyncio.Future[Answer]


class Run:
    """Runs a plan once, inside a running loop. Every event goes to every sink before anything is built on it."""

    def __init__(
        self,
        plan: Plan,
        target: Target,
        questions: Questions,
        sinks: Sequence[Sink],
        *,
        clock: Clock,
        offload: Offload,
        past: Past | None = None,
        bad_records: Iterable[BadRecord] = (),
        pacer: Pacer | None = None,
        spent: Cell[Spent] | None = None,
        excerpt: Excerpt = withheld,
        sure: Callable[[], bool] = lambda: False,
        left: Sequence[Leftover] = (),
    ) -> None:
        """`pacer` is that of other runs over the same bot; by default the run has its own. `spent` is what other
        processes of this run pay from, too. `excerpt` is what failures show of the bot's words; by default nothing.
        `sure` is asked whenever a question has closed: whether the run has seen enough. `left` is what other runs left
        in the bot's knowledge base, which is removed first."""
        self._plan = plan
        self._target = target
        self._questions = questions
        self._sinks = sinks
        self._clock = clock
        self._past = past or Past()
        self._bad_records = bad_records
        self._began = clock.now()
        self._excerpt = excerpt
        self._sure = sure
        learned = self._past.ceiling or plan.learned_rate
        self.pacer = pacer or Pacer(plan.limits, clock, law_for(plan.limits, learned))
        self.pacer.listeners.append(self._paced)
        self._asker = self._asking(spent)
        writes = "document" in plan.carrier
        library = target.library(plan.run) if writes or left else None
        shelf = partial(Shelf, library, self._asker, plan.limits)
        self._shelf = shelf(self._emit) if writes else None
        self._left = [(each, shelf(partial(self._cleared, each), whose=each.run)) for each in left]
        self._queue: FairQueue[_Ticket] = FairQueue()
        self._stopped: asyncio.Future[BotattackError] = asyncio.get_running_loop().create_future()
        self._workers: list[asyncio.Future[None]] = []
        self._preflight = Preflight(plan, len(questions), before=any(self._past.judged()))
        judging = Judging(plan.judge, plan.own, plan.boilerplate)
        self._learning = Learning(judging, self._past, plan.open_at_once, self._emit)
        self._spare = Spare(plan.budget, plan.known, self.spent, lambda: clock.now() - self._began)
        self._shop = self._workshop(offload)

    def _asking(self, spent: Cell[Spent] | None) -> Asker:
        plan = self._plan
        purse = Purse(plan.budget, plan.limits.price, run=plan.run, shared=spent)
        how = (self.pacer, plan.limits, plan.budget, self._clock)
        return Asker(self._target, *how, tell=self._paced, spent=purse, excerpt=self._excerpt)

    def _workshop(self, offload: Offload) -> Workshop:
        needs = Needs(self._plan.handlers, offload, self._past, self._emit, self.spent)
        step = Batcher(step_all, offload)
        return Workshop(self._plan, self._enqueue, needs, step, self._emit, self._learning, self._spare)

    @property
    def spent(self) -> Purse:
        """What has been used so far."""
        return self._asker.spent

    def stop(self, why: BotattackError) -> None:
        """Lets what is on its way come back, then ends the run; the first reason is the one that counts."""
        self.spent.close(str(why))
        self._learning.end()
        if not self._stopped.done():
            self._stopped.set_result(why)

    def abandon(self) -> None:
        """Ends the run at once: what is on its way is asked again when the run is resumed."""
        for worker in self._workers:
            worker.cancel()

    async def run(self, conclude: Callable[[], Ending]) -> Ending:
        """Runs to the end; `conclude` gives the ending of a run that nothing stopped."""
        try:
            ending = await self._ending(conclude)
        finally:
            # Also if this task is cancelled: nobody but us knows what is to be removed.
            left = await self._shelf.end() if self._shelf else ""
        if left:
            ending = replace(ending, exit=max(ending.exit, Littered.exit_status), why=f"{ending.why}; {left}")
        try:
            self._emit(
                RunEnded,
                exit=ending.exit,
                why=ending.why,
                seconds=round(self._clock.now() - self._began, 3),
                gates=ending.gates,
                first_success=ending.first_success,
                headline=ending.headline,
                **self.spent.used,
            )
        except RecordingError as error:
            return Ending(error.exit_status, str(error))
        # A part may still be working, or others change the pace they share: nothing follows the end of a recording.
        self._sinks = ()
        return ending

    async def _ending(self, conclude: Callable[[], Ending]) -> Ending:
        try:
            if self._shelf:
                await self._shelf.begin(self._past.documents)
            self._begin()
            for left, theirs in self._left:
                await theirs.begin(left.documents)
            if not self._sure():
                await self._until_stopped()
        except Sure:
            return conclude()
        except Stopped as stopped:
            return stopped.ending
        except BotattackError as error:
            return Ending(error.exit_status, str(error))
        return conclude()

    def _begin(self) -> None:
        plan = self._plan
        self._emit(
            RunStarted,
            **plan.start,
            total=len(self._questions),
            gone=self._questions.lacks(self._past.judged()),
        )
        for reading in plan.readings:
            self._emit(partial(msgspec.structs.replace, reading))
        for record in self._bad_records:
            self._emit(RecordSkipped, line=record.line, why=record.why)
        self._learning.begin()
        if alike := self._alike():
            raise alike

    async def _until_stopped(self) -> None:
        feeding = asyncio.ensure_future(self._feed())
        self._workers = [asyncio.ensure_future(self._work()) for _ in range(self._plan.limits.concurrency)]
        timer = asyncio.ensure_future(self._time_out())
        try:
            ends: list[asyncio.Future[Any]] = [feeding, self._stopped]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if isinstance(error := first_error(feeding), BotattackError):
                self.stop(error)
            if self._stopped.done():
                await self._drain()
        finally:
            self.spent.end("the run has ended")
            await cancelled([feeding, timer, *self._workers])
        error = first_error(feeding)
        if self._stopped.done() and (error is None or isinstance(error, BotattackError)):
            raise self._stopped.result()
        if error is not None:
            raise error

    async def _drain(self) -> None:
        """Waits for what is on its way, and for nothing else."""
        on_the_way = [worker for worker in self._workers if worker in self._asker.on_the_way]
        await cancelled([worker for worker in self._workers if worker not in on_the_way])
        if on_the_way:
            await asyncio.wait(on_the_way, timeout=DRAIN)

    async def _time_out(self) -> None:
        if self._plan.budget.seconds is not None:
            await self._clock.sleep(self._plan.budget.seconds)
            self.stop(RunStopped(f"the budget of {self._plan.budget.seconds:g} s is used up; {WHOLE_AGAIN}"))

    async def _feed(self) -> None:
        """As many tasks as questions may be open, each with one at a time: a task of its own for each costs more."""
        if self._plan.conversing:
            await self._probe_memory()
        coming = self._coming()
        async with asyncio.TaskGroup() as tasks:
            # One more than there are questions, so that somebody hears at once that no more come.
            for _ in range(min(self._plan.open_at_once, len(self._questions) + 1)):
                await self._preflight.over(tasks.create_task(self._open(coming)), self._learning.arrived)

    async def _probe_memory(self) -> None:
        """What is known already is not asked again, but recorded here, too."""
        plan, heed = self._plan, partial(self._preflight.check, probe=True)
        known = self._past.memory or await probed(plan, self._target, self._asker, heed)
        self._emit(partial(msgspec.structs.replace, known))
        refuse_unreached(plan, known)

    def _coming(self) -> Iterator[tuple[Question, int]]:
        """What is still to be asked."""
        for question, duplicates in self._questions:
            if not self._past.closed(question.id):
                yield question, duplicates
        self._learning.all_came()

    async def _open(self, coming: Iterator[tuple[Question, int]]) -> None:
        for question, duplicates in coming:
            await self._learning.turn()
            await QuestionRun(self._shop, question, duplicates).run()

    def _enqueue(self, question: str, lane: Hashable, unit: Unit) -> asyncio.Future[Answer]:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        recorded = self._past.asked(question, unit.id)
        if recorded is not None:
            future.set_result(Answer(recorded.replies, recorded.failure, recorded.attempts, recorded.turns))
        elif self._past.left(question, unit.id):
            self._tell_asked(question, unit, LOST)
            future.set_result(LOST)
        else:
            begun = self._past.begun(question, unit.id) if unit.is_conversation else 0
            unit = msgspec.structs.replace(unit, run=self._plan.run, begun=begun)
            self._queue.put_nowait((lane, _Ticket(question, unit, future)))
        return future

    async def _work(self) -> None:
        while not self._stopped.done():
            _, ticket = await self._queue.get()
            if self._stopped.done():
                return
            try:
                answer = await (self._ask_with(self._shelf, ticket) if self._shelf else self._ask(ticket))
                self._preflight.check(answer)
                self._tell_asked(ticket.question, ticket.unit, answer)
            except BotattackError as error:
                self.stop(error)
                return
            except Exception as error:
                # A fault of a target or of ours: nobody else would ever hear of it.
                if not self._stopped.done():
                    self._stopped.set_exception(error)
                raise
            if not ticket.future.done():
                ticket.future.set_result(answer)

    def _hears(self, ticket: _Ticket) -> Hears:
        """What must not be asked twice is recorded before it leaves, and a conversation turn by turn."""
        if self._plan.limits.idempotent and not ticket.unit.is_conversation:
            return NOBODY
        question, unit = ticket.question, ticket.unit.id

        def begun(conversation: int) -> None:
            self._emit(ConversationBegun, question=question, unit=unit, conversation=conversation)

        def said(conversation: int, turn: int, exchange: Exchange, requests: int) -> None:
            self._emit(
                TurnSaid,
                question=question,
                unit=unit,
                turn=turn,
                said=exchange.prompt.text,
                reply=exchange.reply.text,
                requests=requests,
                conversation=conversation,
            )

        leaving = None if self._plan.limits.idempotent else lambda: self._emit(Left, question=question, unit=unit)
        return Hears(leaving, begun, said)

    async def _ask(self, ticket: _Ticket) -> Answer:
        await self.pacer.seats.acquire()
        try:
            self._spare.begins()
            return await self._asker.ask(ticket.unit, self._hears(ticket))
        finally:
            self.pacer.seats.release()

    async def _ask_with(self, shelf: Shelf, ticket: _Ticket) -> Answer:
        try:
            async with shelf.lent_to(ticket.unit.documents):
                return await self._ask(ticket)
        except TargetError as error:
            failure = self._asker.failure(error)
            if shelf.is_down:
                raise self._preflight.no_answer(failure) from error
            return Answer((), failure, ())

    def _tell_asked(self, question: str, unit: Unit, answer: Answer) -> None:
        self._emit(
            Asked,
            question=question,
            unit=unit.id,
            turns=answer.turns or unit.variant_turns,
            replies=answer.replies,
            failure=answer.failure,
            attempts=answer.attempts,
        )

    def _emit(self, make: Callable[..., AnyEvent], /, **fields: object) -> None:
        event = make(at=round(self._past.elapsed + self._clock.now() - self._began, 6), **fields)
        if self._past.has(event):
            return
        for sink in self._sinks:
            sink(event)
        self._past.sameness.update(event)
        if alike := self._alike():
            self.stop(alike)
        if isinstance(event, QuestionClosed):
            self._past.forget(event.question)
            if self._sure():
                self.stop(Sure("the run has seen enough"))
        elif (
            self._plan.fail_fast and isinstance(event, VariantJudged) and event.is_outcome and event.result == "success"
        ):
            why = f"stopped at the first success, of {event.attack} (fail-fast)"
            self.stop(Stopped(Ending(1, why, first_success=True)))

    def _alike(self) -> BotattackError | None:
        if self._plan.whys:  # of questions that were wrong before, many may well get one reply
            return None
        alike = self._past.sameness.check(self._plan.target, self._learning.judging, self._excerpt)
        return Stopped(Ending(1, str(alike))) if alike and self._plan.is_night else alike

    def _cleared(self, left: Leftover, make: Callable[..., AnyEvent], /, name: str, **fields: object) -> None:
        """Records in both runs that a document is gone; in the other one, so that it is not removed again."""
        left.record(DocumentRemoved(name=name))
        self._emit(make, name=name, left_by=left.run, **fields)

    def _paced(self, why: str, wait: float) -> None:
        self._emit(Paced, why=why, rate=self.pacer.rate, wait=wait, ceiling=self.pacer.ceiling)

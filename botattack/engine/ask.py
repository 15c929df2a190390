"""One unit asked to its end: paced, with deadlines, retried by one policy, counted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import msgspec
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_random_exponential

from botattack.closing import Bounded
from botattack.engine.clock import Clock
from botattack.engine.conversing import Conversation
from botattack.engine.pacing.breaker import Breaker
from botattack.engine.pacing.pacer import Pacer
from botattack.engine.purse import Purse
from botattack.errors import (
    AskedTooOften,
    BotattackError,
    Excerpt,
    ExtractionFailed,
    PlayFailed,
    RateLimited,
    RunStopped,
    TargetError,
    TargetFault,
    TimedOut,
    withheld,
)
from botattack.limits import Budget, Limits
from botattack.model import Attempt, Exchange, Failure, Prompt, Reply, Turns, Unit
from botattack.protocols import Session, Target

PUSH_BACKS = 20
"""How often one unit may be pushed back before it ends as an error: a bot that only says `later` is no bot."""
MOST_UNASKED = 120.0
"""Seconds of pauses for which the bot named no time that one unit waits through: twice the minute over which quotas are
usually counted. Without a bound, a run would wait for hours to be told that nothing answers."""

LONGEST_REPLY = 16_000_000
"""Bytes of a reply, with its fields: a line of a recording has room for several."""


class Answer(NamedTuple):
    """How a unit ended: one reply a turn, or the last failure and its error. `turns` are what was said."""

    replies: tuple[Reply, ...]
    failure: Failure | None
    attempts: tuple[Attempt, ...]
    turns: Turns = ()
    error: TargetError | None = None


class Hears(NamedTuple):
    """What is reported while a unit is asked: that its first request is about to leave; and of a conversation of
    several turns, by its number, that it begins, and each turn that was answered before the next leaves, with its
    requests."""

    leaving: Callable[[], None] | None = None
    begun: Callable[[int], None] | None = None
    said: Callable[[int, int, Exchange, int], None] | None = None


NOBODY = Hears()


class Asker:
    """Asks units of one target. Raises RunStopped if the budget is used up, TargetDown if the bot is gone."""

    def __init__(
        self,
        target: Target,
        pacer: Pacer,
        limits: Limits,
        budget: Budget,
        clock: Clock,
        *,
        tell: Callable[[str, float], None],
        watch: Callable[[str, float], None] | None = None,
        spent: Purse | None = None,
        excerpt: Excerpt = withheld,
    ) -> None:
        """`tell(why, seconds)` is called with what all units wait for, `spent` is a purse to pay from in place of
        an own one; `excerpt` is what a failure shows of the bot's words. Somebody who looks on gives `watch(why,
        seconds)`, which is called before what failed is asked again: only once, until a first answer came."""
        self._target = target
        self.pacer = pacer
        self.limits = limits
        self.clock = clock
        self._excerpt = excerpt
        self._breaker = Breaker(limits, target.name, clock, tell, pacer.cell)
        self.spent = spent or Purse(budget, limits.price)
        self.on_the_way: set[asyncio.Task[object] | None] = set()
        self._retrying = _policy(limits, clock, pacer, watched=watch is not None)
        if watch is not None:
            self._retrying.before_sleep = partial(_tell, watch)

    async def ask(self, unit: Unit, hears: Hears = NOBODY) -> Answer:
        decides = await self._breaker.admit() if self._breaker.open else False
        asking = _Asking(unit, Conversation(unit, self.limits.turns), hears)
        try:
            await self._first_or_again(asking)
        except TargetError as error:
            failure = self.failure(error)
            if isinstance(error, PlayFailed):
                self._breaker.answered()
            else:
                where = f"{failure.place}: " if failure.place else ""
                self._breaker.failed(where + failure.message, decides=decides)
            return Answer((), failure, tuple(asking.attempts), asking.turns, error)
        self._breaker.answered()
        # A door may send turns before those of the variant: nobody judges the replies to them.
        replies = tuple([each.reply for each in asking.said[-len(asking.turns) :]])
        return Answer(replies, None, tuple(asking.attempts), asking.turns)

    async def replies(self, unit: Unit, hears: Hears = NOBODY) -> tuple[Reply, ...]:
        """A reply to each turn; raises the TargetError for which none came."""
        answer = await self.ask(unit, hears)
        if answer.error is not None:
            raise answer.error
        return answer.replies

    async def _first_or_again(self, asking: _Asking) -> None:
        """The retry machinery is entered only once something failed: nearly every unit needs none of it."""
        unasked = self.pacer.unasked
        try:
            await self._attempt(asking)
        except TargetError as error:
            first = [error]
        else:
            return

        async def attempt(asking: _Asking, _: float) -> None:
            if first:
                raise first.pop()
            await self._attempt(asking)

        await self._retrying.copy()(attempt, asking, unasked)

    async def _attempt(self, asking: _Asking) -> None:
        attempts = asking.attempts
        if attempts:
            self.spent.retry()
        began = self.clock.now()
        failure: Failure | None = None
        why: BaseException | None = None
        asking.said.clear()
        limit = self._time_for(attempts)
        deadline = asyncio.timeout(limit)
        line = _AttemptPace(self, deadline, limit, asking)
        try:
            async with deadline:
                try:
                    await self._converse(asking, line)
                except asyncio.CancelledError as ended:
                    why = ended.__cause__  # which a TimeoutError tells from Python 3.11.3 on
                    raise
        except TimeoutError:
            timed_out = self._timed_out(asking, line.limit, why)
            failure = self.failure(timed_out)
            raise timed_out from None
        except TargetError as error:
            failure = self.failure(error)
            if isinstance(error, RateLimited):
                self.spent.push_back()
            raise
        except BotattackError:
            raise
        except Exception as error:
            fault = TargetFault(error)
            failure = self.failure(fault)
            raise fault from error
        finally:
            self.on_the_way.discard(line.task)
            seconds = round(self.clock.now() - began - line.paced, 6)
            replies = [each.reply for each in asking.said]
            attempts.append(Attempt(line.requests, seconds, failure, self.spent.charge(line.requests, replies)))
            asking.ended(line.requests)

    def failure(self, error: TargetError) -> Failure:
        """What is recorded of an error."""
        return Failure(error.kind, error.told(self._excerpt), error.status, error.place)

    def _time_for(self, attempts: list[Attempt], spent: float = 0.0) -> float:
        """Seconds that the next turn may take, after earlier attempts and `spent` seconds of this one."""
        if not attempts and not spent:
            return min(self.limits.timeout, self.limits.question_timeout)
        left = self.limits.question_timeout - sum(attempt.seconds for attempt in attempts) - spent
        return min(self.limits.timeout, max(left, 0.0))

    def _timed_out(self, asking: _Asking, limit: float, why: BaseException | None) -> TimedOut:
        """With what the cancelled session says of the replies that came meanwhile, which is the cause it gave."""
        sentence = self._late(asking, limit)
        if not isinstance(why, TargetError):
            return TimedOut(sentence)
        return TimedOut(f"{sentence}; {why}", said=why.said, place=why.place)

    def _late(self, asking: _Asking, limit: float) -> str:
        turn = f" to turn {len(asking.said)}" if asking.unit.is_conversation else ""
        if asking.unit.is_conversation and limit < self.limits.timeout:
            return f"no complete answer{turn} within what was left of {self.limits.question_timeout:g} s"
        return f"no complete answer{turn} within {limit:g} s"

    async def _converse(self, asking: _Asking, line: _AttemptPace) -> None:
        said, talk = asking.said, asking.talk
        async with Bounded(self._target.session(asking.unit, line)) as session:
            while (prompt := talk.next(said)) is not None:
                if said:
                    asking.goes_on(line.requests)
                    line.again(self._time_for(asking.attempts, line.spent()))
                said.append(Exchange(prompt, await self._reply(session, prompt)))
            if not said:
                raise PlayFailed(asking.unit.play.name if asking.unit.play else "", "it says nothing")
            line.answered()

    async def _reply(self, session: Session, prompt: Prompt) -> Reply:
        """A bot may say in its own way that it was asked too often: that shuts the gate as a 429 does."""
        try:
            reply = sound(await session.ask(prompt))
            self.pacer.answered()
            if self._target.signs is not None:
                self._target.signs.heed(reply.text)
        except AskedTooOften:
            self.shut(None)
            raise
        return reply

    @property
    def pace_is_free(self) -> bool:
        """Whether requests may leave at once."""
        return self.pacer.free

    async def leave(self, *, owed: bool = False) -> None:
        """Paid for once the wait is over: what only waits when the run is stopped has not been spent. What is `owed` is
        paid whatever the budget."""
        await self.pacer.leave()
        (self.spent.owe if owed else self.spent.take)()

    def shut(self, seconds: float | None) -> None:
        """Raises RunStopped if the bot asks for too much: no attempt comes of that, and it was pushed back."""
        try:
            self.pacer.shut(seconds)
        except RunStopped:
            self.spent.push_back()
            raise


@dataclass(slots=True)
class _Asking:
    """A unit that is being asked: its attempts, and what was said in the current or last one."""

    unit: Unit
    talk: Conversation
    hears: Hears
    attempts: list[Attempt] = field(default_factory=list)
    said: list[Exchange] = field(default_factory=list)
    _counted: int = 0

    @property
    def turns(self) -> Turns:
        """What was said; what was to be said where nothing else is known."""
        return tuple([each.prompt for each in self.said]) if self.unit.play and self.said else self.unit.variant_turns

    def begins(self) -> None:
        """The first request of an attempt is about to leave."""
        if self.hears.leaving and not any(attempt.requests for attempt in self.attempts):
            self.hears.leaving()
        if self.unit.is_conversation and self.hears.begun:
            self.hears.begun(self.unit.begun)
        self._counted = 0

    def goes_on(self, requests: int) -> None:
        """A turn was answered, and another follows; so many requests left in this attempt."""
        if self.hears.said:
            self.hears.said(self.unit.begun, len(self.said) - 1, self.said[-1], requests - self._counted)
        self._counted = requests

    def ended(self, requests: int) -> None:
        """Ends an attempt that sent so many requests: if it sent any, the bot may remember it."""
        if self.unit.is_conversation and requests:
            self.unit = msgspec.structs.replace(self.unit, begun=self.unit.begun + 1)


class _AttemptPace:
    """The pace as one attempt sees it: waiting for leave does not use up the attempt's deadline."""

    def __init__(self, asker: Asker, deadline: asyncio.Timeout, limit: float, asking: _Asking) -> None:
        self._asker = asker
        self._deadline = deadline
        self._timed = True
        self._asking = asking
        self._began = asker.clock.now()
        self.limit = limit
        """Seconds that the turn under way may take."""
        self.task: asyncio.Task[object] | None = None
        self.requests = 0
        self.paced = 0.0

    def spent(self) -> float:
        """Seconds of this attempt, without waiting for leave."""
        return self._asker.clock.now() - self._began - self.paced

    def again(self, limit: float) -> None:
        """Another turn begins, which may take so many seconds."""
        self.limit = limit
        if not self._deadline.expired():
            self._deadline.reschedule(asyncio.get_running_loop().time() + limit)

    async def leave(self) -> None:
        if self._deadline.expired():
            # A conversation that is being closed after its time would have no deadline at all.
            raise TimedOut("the time for this attempt is over", delivered=False)
        if self._asker.pace_is_free:
            self._asker.spent.take()
        elif self._timed:
            await self._wait()
        else:
            await self._asker.leave()
        if not self.requests:
            self.task = asyncio.current_task()
            self._asker.on_the_way.add(self.task)
            self._asking.begins()
        self.requests += 1

    async def _wait(self) -> None:
        when = self._deadline.when()
        began = self._asker.clock.now()
        self._deadline.reschedule(None)
        await self._asker.leave()
        waited = self._asker.clock.now() - began
        self.paced += waited
        self._deadline.reschedule(None if when is None else when + waited)

    def answered(self) -> None:
        """The answer is complete, so the deadline is lifted: a slow closing must not turn it into a timeout."""
        if not self._deadline.expired():
            self._deadline.reschedule(None)
            self._timed = False

    def shut(self, seconds: float | None) -> None:
        self._asker.shut(seconds)


def sound(reply: Reply) -> Reply:
    """A reply that can be written: broken Unicode is replaced, as JSON may carry half a character.

    Raises ExtractionFailed if a field is not plain data, and for a reply that no recording could hold.
    """
    try:
        if len(msgspec.json.encode(reply)) > LONGEST_REPLY:
            raise ExtractionFailed(f"the reply is longer than {LONGEST_REPLY:,} bytes", delivered=True)
    except UnicodeEncodeError:
        data = json.dumps(msgspec.to_builtins(reply), ensure_ascii=False).encode(errors="replace")
        return sound(msgspec.json.decode(data, type=Reply))
    except (TypeError, RecursionError) as error:
        raise ExtractionFailed(f"a field of the reply is not plain data: {error}") from None
    return reply


def _policy(limits: Limits, clock: Clock, pacer: Pacer, *, watched: bool) -> AsyncRetrying:
    def worth_another(error: BaseException) -> bool:
        if not isinstance(error, TargetError) or not error.retryable:
            return False
        return limits.idempotent or error.delivered is False or isinstance(error, RateLimited)

    backoff = wait_random_exponential(multiplier=0.5, max=30.0)

    def wait(state: RetryCallState) -> float:
        # After a push-back the gate decides how long everybody waits.
        return 0.0 if isinstance(_error(state), RateLimited) else backoff(state)

    def give_up(state: RetryCallState) -> bool:
        asking: _Asking
        asking, before = state.args
        attempts = asking.attempts
        pushed_back = sum(a.failure is not None and a.failure.kind == RateLimited.kind for a in attempts)
        others = len(attempts) - pushed_back
        busy = sum(a.seconds for a in attempts)
        if asking.said and not limits.idempotent:
            return True  # turns before the one that failed have arrived, and would be sent again
        if pushed_back > PUSH_BACKS or (pushed_back and pacer.unasked - before > MOST_UNASKED):
            return True
        retries = limits.retries if not watched or pacer.heard else min(1, limits.retries)
        return others > retries or busy >= limits.question_timeout

    again = retry_if_exception(worth_another)
    return AsyncRetrying(sleep=clock.sleep, retry=again, wait=wait, stop=give_up, reraise=True)


def _tell(watch: Callable[[str, float], None], state: RetryCallState) -> None:
    if state.upcoming_sleep:
        watch(f"{_error(state)}; asked again", max(round(state.upcoming_sleep, 1), 0.1))


def _error(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome else None

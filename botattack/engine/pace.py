"""When a request may leave: one pacer a target, by rate and not by concurrency, and one gate that shuts for everybody.

Given a rate, the pacer is a GCRA (generic cell rate algorithm) with absolute reservations: lateness of a wake-up
does not add up, and at most one interval is caught up. Not given one, it starts slowly and doubles until pushed back,
then grows by steps below the ceiling it has learned.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from botattack.engine.clock import Clock
from botattack.errors import RunStopped
from botattack.limits import Limits

UNTOLD_WAIT = 1.0
"""Seconds the gate stays shut after a push-back that names no time; doubles while push-backs follow one another."""
LONGEST_UNTOLD = 60.0
"""Seconds it doubles up to: the minute over which quotas are usually counted."""


JITTER = 0.1
"""Seconds kept back of a burst, at most half of it: what left evenly arrives unevenly, and a bot counts arrivals."""


class RateLaw(Protocol):
    """How many requests a second, now."""

    rate: float
    burst: int

    def left(self, now: float, *, waited: bool) -> bool:
        """A request left, after waiting for its turn or not. True if the rate changed."""
        ...

    def pushed_back(self, now: float, *, answered: bool) -> None:
        """The bot said it was too much, having answered something since it was asked again or nothing."""
        ...

    def reopened(self, now: float) -> None: ...


class FixedRate:
    """The rate the target file gives; a push-back shuts the gate but does not change it."""

    def __init__(self, rate: float, burst: int) -> None:
        self.rate = rate
        self.burst = burst

    def left(self, now: float, *, waited: bool) -> bool:
        del now, waited
        return False

    def pushed_back(self, now: float, *, answered: bool) -> None: ...

    def reopened(self, now: float) -> None: ...


START = 8.0
"""Requests a second to begin with where no rate is known."""
SLOWEST = 0.05
"""The rate that a bot which answers nothing at all is still asked at."""
CUT = 0.85
STEP = 0.03
"""After a push-back: share of the learned ceiling to continue with, and to add each second. Found by simulating 300
bots of 1 to 50 requests a second (tests/engine/test_pace.py): bolder values are pushed back more often, meeker ones
crawl."""


class LearnedRate:
    """Doubles every second in which the limit was really used, until pushed back; then a cut and additive growth."""

    def __init__(self, ceiling: float | None = None) -> None:
        self.rate = START if ceiling is None else ceiling * CUT
        self.burst = 1
        self.ceiling = ceiling
        self._since: float | None = None
        self._stretch: float | None = None
        self._left = 0
        self._binding = False

    def left(self, now: float, *, waited: bool) -> bool:
        self._since = now if self._since is None else self._since
        self._stretch = now if self._stretch is None else self._stretch
        self._left += 1
        self._binding = self._binding or waited
        if now - self._since < 1.0 or not self._binding:
            return False
        self._since, self._binding = now, False
        self.rate = self.rate * 2 if self.ceiling is None else self.rate + STEP * self.ceiling
        return True

    def pushed_back(self, now: float, *, answered: bool) -> None:
        """The ceiling is what got through in this stretch, and never above the rate that was pushed back. Where nothing
        did, the bot may just not be ready, which says nothing of how much it can take: it is only asked more slowly."""
        if not answered:
            self.rate = min(self.rate, max(self.rate / 2, SLOWEST))
            return
        elapsed = max(now - self._stretch, 0.05) if self._stretch is not None else 0.05
        self.ceiling = min(self.rate, max(self._left - 1, 1) / max(elapsed, 1.0))
        self.rate = CUT * self.ceiling

    def reopened(self, now: float) -> None:
        self._since, self._stretch, self._left, self._binding = now, None, 0, False


class Pacer:
    """Gives leave, first come first served. Every `listener(why, wait)` is called when the pace changes."""

    def __init__(self, limits: Limits, clock: Clock, law: RateLaw | None) -> None:
        self._limits = limits
        self._clock = clock
        self._law = law
        self.seats = asyncio.Semaphore(limits.concurrency)
        self.listeners: list[Callable[[str, float], None]] = []
        self._turn = asyncio.Lock()
        self._next = float("-inf")
        self._opens = 0.0
        self._untold = UNTOLD_WAIT
        self._shut = False
        self._first = True
        self._heard = False
        """Whether an answer came since the gate opened last."""
        self.unasked = 0.0
        """Seconds of all pauses so far for which the bot named no time."""

    @property
    def rate(self) -> float | None:
        """Requests a second; None if unlimited."""
        return self._law.rate if self._law else None

    @property
    def ceiling(self) -> float | None:
        """The rate the bot is known to bear, if it was learned."""
        return self._law.ceiling if isinstance(self._law, LearnedRate) else None

    def _tell(self, why: str, wait: float) -> None:
        for listener in self.listeners:
            listener(why, wait)

    @property
    def waiting(self) -> float:
        """Seconds until the gate opens; 0 if it is open."""
        return max(0.0, self._opens - self._clock.now()) if self._shut else 0.0

    @property
    def free(self) -> bool:
        """Whether a request may leave without asking."""
        return self._law is None and not self._shut

    async def leave(self) -> None:
        """Returns at the moment one more request may leave."""
        if self.free:
            return
        asked = self._clock.now()
        async with self._turn:
            await self._wait_for_slot(asked)

    async def _wait_for_slot(self, asked: float) -> None:
        while True:
            if self._shut:
                await self._wait_for_gate()
                asked = self._clock.now()
            if self._law is None:
                return
            interval = 1.0 / self._law.rate
            now = self._clock.now()
            # Beyond the burst, one interval may be caught up after a late wake-up, here and below.
            reserved = max(self._next, asked, now - interval)
            wait = reserved - self._tolerance(interval) - now
            if wait > 0:
                await self._clock.sleep(wait)
                if self._shut:
                    continue
                reserved = max(reserved, self._clock.now() - interval)
            self._next = reserved + interval
            if self._law.left(self._clock.now(), waited=wait > 0):
                self._tell("learned", 0.0)
            return

    def _tolerance(self, interval: float) -> float:
        """How far ahead of its time a request may leave, in seconds."""
        ahead = ((self._law.burst if self._law else 1) - 1) * interval
        return ahead - min(JITTER, ahead / 2)

    async def _wait_for_gate(self) -> None:
        while (wait := self._opens - self._clock.now()) > 0:
            await self._clock.sleep(wait)
        if self._shut:
            self._shut = False
            self._reopen(self._clock.now())

    def _reopen(self, now: float) -> None:
        """Whoever was just told to wait does not come back with a burst."""
        self._heard = False
        if self._law:
            self._law.reopened(now)
            self._next = max(self._next, now + (self._law.burst - 1) / self._law.rate)

    def shut(self, seconds: float | None) -> None:
        """Shuts the gate for everybody; raises RunStopped if the bot asks for more than `max_wait`.

        Push-backs of requests that left before the gate shut are one episode: they may only lengthen it.
        """
        wait = self._untold if seconds is None else seconds
        if wait > self._limits.max_wait:
            raise RunStopped(
                f"the bot asks to wait {wait:.0f} s, more than limits.max_wait ({self._limits.max_wait:.0f} s); "
                "resume later, or raise max_wait"
            )
        now = self._clock.now()
        first = not self._shut
        if seconds is None:
            self.unasked += max(0.0, now + wait - max(self._opens, now))
        self._opens = max(self._opens, now + wait)
        self._shut = True
        if first:
            if seconds is None:
                self._untold = min(self._untold * 2, LONGEST_UNTOLD, self._limits.max_wait)
            if self._law:
                self._law.pushed_back(now, answered=self._heard)
            self._tell("the bot asked to wait", wait)

    def answered(self) -> None:
        """A reply came: the next push-back that names no time starts small again."""
        self._untold = UNTOLD_WAIT
        self._heard = True
        if self._first:
            self._first = False
            if self._law and self._law.burst > 1:
                # The first request makes the connection, so that it may have arrived long after it left.
                self._next = max(self._next, self._clock.now() + 1.0 / self._law.rate)


def law_for(limits: Limits, learned: float | None = None) -> RateLaw | None:
    """The law the target file asks for; `learned` is the ceiling of an earlier run."""
    if limits.unlimited:
        return None
    if limits.rate is not None:
        return FixedRate(limits.rate, limits.burst)
    return LearnedRate(ceiling=learned)

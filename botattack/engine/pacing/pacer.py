"""When a request may leave: one pace a bot, by rate and not by concurrency, and one gate that shuts for everybody.

Given a rate, the pacer is a GCRA (generic cell rate algorithm) with absolute reservations: lateness of a wake-up
does not add up, and at most one interval is caught up. Not given one, it starts slowly and doubles until pushed back,
then grows by steps below the ceiling it has learned.

Several processes that ask one bot share the state in a cell. Each takes a few slots at a time, none more than `REACH`
ahead and only as many as it has requests waiting: slots that were taken before the gate shut are void soon after.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, Self

import msgspec

from botattack.engine.clock import Clock
from botattack.engine.pacing.cells import Cell, OwnCell, State
from botattack.engine.pacing.laws import FixedRate, Law, LearnedRate
from botattack.errors import RunStopped
from botattack.limits import Limits

OWN_WAIT = 1.0
"""Seconds the gate stays shut after a push-back that names no time; doubles while push-backs follow one another."""
LONGEST_OWN_WAIT = 60.0
"""Seconds it doubles up to: the minute over which quotas are usually counted."""

RESERVE = 0.1
"""Seconds kept back of a burst, at most half of it: what left evenly arrives unevenly, and a bot counts arrivals."""
REACH = 0.03
"""Seconds that a slot of a shared pace may be ahead."""
LATE = 0.01
"""Seconds after which a slot of a shared pace is void. Together with `REACH` under 50 ms, so no request leaves later
than that after the gate shut."""
LONG = 10.0
"""Seconds: a wait that is longer is reported."""
HAIR = 1e-9
"""Seconds too short for a clock to wait."""


class PaceState(State, kw_only=True):
    """What all who share a pace know of it. Times are in seconds on the clock of the cell."""

    law: Law | None
    next: float = float("-inf")
    """When the next slot begins."""
    opens: float = 0.0
    shut: bool = False
    own_wait: float = OWN_WAIT
    heard: bool = False
    """Whether an answer came since the gate opened last."""
    unasked: float = 0.0
    """Seconds of all pauses so far for which the bot named no time."""
    failures: int = 0
    """Units in a row that ended without a reply."""
    probed: float = float("-inf")
    """When somebody began to try a bot that only failed."""

    def bound(self, now: float, before: Self) -> None:
        """As `State.bound`."""
        super().bound(now, before)
        if type(self.law) is not type(before.law):
            raise msgspec.ValidationError("law is of another kind")
        if isinstance(self.law, FixedRate) and isinstance(before.law, FixedRate):
            self.law = FixedRate(before.law.told, before.law.burst, self.law.rate, self.law.since)
        elif self.law:
            self.law.burst = 1
        if self.law:
            self.next = min(self.next, now + (self.law.burst + 2) / self.law.rate + REACH)
        self.own_wait = min(max(self.own_wait, OWN_WAIT), LONGEST_OWN_WAIT)
        self.probed = min(self.probed, now)

    def open_gate(self, now: float) -> None:
        """Opens the gate, and delays the next slot so that no burst follows the pause."""
        self.shut = self.heard = False
        if self.law:
            self.law.reopened(now)
            self.next = max(self.next, now + (self.law.burst - 1) / self.law.rate)


class _Slots(NamedTuple):
    """For each slot taken, the seconds until it begins; if none was, how long to `wait` before trying again."""

    waits: list[float]
    wait: float = 0.0
    learned: bool = False


def _take(
    state: PaceState, now: float, *, waited: float, slept: bool, most: int, reach: float, max_wait: float
) -> _Slots:
    """Takes up to `most` slots for requests that have `waited` so many seconds."""
    asked = now - waited
    if state.shut:
        if (wait := state.opens - now) > HAIR:
            _bear(wait, max_wait)
            return _Slots([], wait)
        state.open_gate(now)
        asked = now
    law = state.law
    if law is None:
        return _Slots([0.0] * most)
    waits: list[float] = []
    learned = False
    while len(waits) < most:
        interval = 1.0 / law.rate
        # Beyond the burst, one interval may be caught up after a late wake-up, until a bot turns out not to bear it.
        begins = max(state.next, asked, now - interval if law.catches_up else now)
        wait = begins - _tolerance(law, interval) - now
        if wait > max(reach, HAIR):
            # Back inside the reach, not at its edge, where rounding would keep the slot just out of it for ever; and
            # before the slot begins, as whoever comes late to it slows the pace.
            return _Slots(waits, wait - reach / 2, learned)
        state.next = begins + interval
        waits.append(max(wait, 0.0))
        learned = law.left(now + waits[-1], waited=slept or wait > 0) or learned
    return _Slots(waits, 0.0, learned)


def _tolerance(law: Law, interval: float) -> float:
    """How far ahead of its time a request may leave, in seconds."""
    ahead = (law.burst - 1) * interval
    return ahead - min(RESERVE, ahead / 2)


class Pacer:
    """Gives leave, first come first served. Every `listener(why, wait)` is called when the pace changes here."""

    def __init__(self, limits: Limits, clock: Clock, law: Law | None, cell: Cell[PaceState] | None = None) -> None:
        """`cell` is what others share, who ask the same bot; by default nobody does."""
        self._limits = limits
        self._clock = clock
        self.cell = cell or OwnCell(PaceState(law=law), clock.now)
        self._reach = 0.0 if self.cell.alone else REACH
        self.seats = asyncio.Semaphore(limits.concurrency)
        self.listeners: list[Callable[[str, float], None]] = []
        self._turn = asyncio.Lock()
        self._queue = 0
        self._slots: deque[float] = deque()
        """When slots begin that were taken and not used, on our clock."""
        self._first = True
        self._reported = {True: 0.0, False: 0.0}
        """Until when, on our clock, waits are reported already: at a gate that is shut (True), and for a slow pace."""

    @property
    def rate(self) -> float | None:
        """Requests a second; None if unlimited."""
        return self.cell.seen.law.rate if self.cell.seen.law else None

    @property
    def ceiling(self) -> float | None:
        """The rate the bot is known to bear, if it was learned."""
        law = self.cell.seen.law
        return law.ceiling if isinstance(law, LearnedRate) else None

    @property
    def unasked(self) -> float:
        """Seconds of all pauses so far for which the bot named no time."""
        return self.cell.seen.unasked

    @property
    def waiting(self) -> float:
        """Seconds until the gate opens; 0 if it is open."""
        return self.cell.change(lambda state, now: max(0.0, state.opens - now) if state.shut else 0.0)

    @property
    def free(self) -> bool:
        """Whether a request may leave without asking."""
        return self.cell.alone and self.cell.seen.law is None and not self.cell.seen.shut

    @property
    def heard(self) -> bool:
        """Whether an answer came, since the bot asked to wait last."""
        return self.cell.seen.heard

    def _report(self, why: str, wait: float) -> None:
        for listener in self.listeners:
            listener(why, wait)

    async def leave(self) -> None:
        """Returns at the moment one more request may leave."""
        if self.free:
            return
        asked = self._clock.now()
        self._queue += 1
        try:
            async with self._turn:
                slept = False
                while not await self._wait_for_slot():
                    slept = await self._take_or_wait(asked, slept)
        finally:
            self._queue -= 1

    async def _wait_for_slot(self) -> bool:
        """Waits for a slot that was taken; False if there is none that is still good."""
        while self._slots:
            begins = self._slots.popleft()
            if (wait := begins - self._clock.now()) > HAIR:
                await self._clock.sleep(wait)
            if self.cell.alone or self._clock.now() <= begins + min(LATE, 1 / (self.rate or 1)):
                return True
            # Whoever finds one void slot after the other must let others have the loop.
            await self._clock.sleep(0)
        return False

    async def _take_or_wait(self, asked: float, slept: bool) -> bool:
        """Takes slots, or waits until there may be some; whether it waited."""
        now = self._clock.now()
        most = 1 if self.cell.alone else self._queue
        take = partial(
            _take, waited=now - asked, slept=slept, most=most, reach=self._reach, max_wait=self._limits.max_wait
        )
        found = self.cell.change(take)
        self._slots.extend(now + wait for wait in found.waits)
        if found.learned:
            self._report("learned", 0.0)
        if not found.waits:
            self._report_wait(now, found.wait)
            await self._clock.sleep(found.wait)
        return slept or not found.waits

    def _report_wait(self, now: float, wait: float) -> None:
        """Reports a long wait: once each time the gate shuts, and once in all if it is the pace that is slow."""
        shut = self.cell.seen.shut
        if wait > LONG and now + wait > self._reported[shut] + HAIR:
            self._reported[shut] = now + wait if shut else math.inf
            why = (
                "the bot asked to wait, here or in another run"
                if shut
                else f"the pace is {self._limits.pace}, burst {self._limits.burst}"
            )
            self._report(why, wait)

    def shut(self, seconds: float | None) -> None:
        """Shuts the gate for everybody; raises RunStopped if the bot asks for more than `max_wait`.

        Push-backs of requests that left before the gate shut are one episode: they may only lengthen it.
        """
        first, wait = self.cell.change(partial(_shut, seconds=seconds, max_wait=self._limits.max_wait))
        self._slots.clear()
        if first:
            self._reported[True] = self._clock.now() + wait
            self._report("the bot asked to wait", wait)

    def answered(self) -> None:
        """A reply came: the next push-back that names no time starts small again."""
        seen = self.cell.seen
        slower = self._first and seen.law is not None and seen.law.burst > 1
        if slower or not seen.heard or seen.own_wait != OWN_WAIT:
            self.cell.change(partial(_answered, slower=slower))
        self._first = False


def _shut(state: PaceState, now: float, *, seconds: float | None, max_wait: float) -> tuple[bool, float]:
    """Shuts the gate; returns whether it was open, and the seconds until it opens."""
    wait = state.own_wait if seconds is None else seconds
    _bear(wait, max_wait)
    first = not state.shut
    if seconds is None:
        state.unasked += max(0.0, now + wait - max(state.opens, now))
    state.opens = max(state.opens, now + wait)
    state.shut = True
    if first:
        if seconds is None:
            state.own_wait = min(state.own_wait * 2, LONGEST_OWN_WAIT, max_wait)
        if state.law:
            state.law.pushed_back(now, answered=state.heard)
    return first, wait


def _bear(wait: float, max_wait: float) -> None:
    """Raises RunStopped for a pause that is too long."""
    # A clock that counts from 1970 has no more digits than this.
    if wait > max_wait + 1e-3:
        raise RunStopped(
            f"the bot asks to wait {wait:.0f} s, more than limits.max_wait ({max_wait:.0f} s); "
            "resume later, or raise max_wait"
        )


def _answered(state: PaceState, now: float, *, slower: bool) -> None:
    state.own_wait, state.heard = OWN_WAIT, True
    if slower and state.law:
        # The first request makes the connection, so that it may have arrived long after it left.
        state.next = max(state.next, now + 1.0 / state.law.rate)

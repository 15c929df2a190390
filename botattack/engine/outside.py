"""Askings beside those of a run: by `check` and `init`, and of a service. They keep the pace of the target file and
wait as long as the bot asks for, as a run does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from botattack.engine.ask import Asker
from botattack.engine.clock import Clock
from botattack.engine.pacing.cells import OwnCell
from botattack.engine.pacing.laws import law_for
from botattack.engine.pacing.pacer import Pacer, PaceState
from botattack.engine.purse import Purse
from botattack.errors import Excerpt, withheld
from botattack.limits import Budget, Limits
from botattack.protocols import Target

_CLOCK = Clock(time.monotonic, asyncio.sleep)


class Outside:
    """What is known of one bot's pace, on however many event loops it is asked. `watch(why, seconds)` hears of waits:
    without it, nobody looks on."""

    def __init__(self, limits: Limits, watch: Callable[[str, float], None] | None) -> None:
        self._limits = limits
        self._watch = watch
        self._cell = OwnCell(PaceState(law=law_for(limits)), _CLOCK.now)

    def pacer(self) -> Pacer:
        """For one event loop: its lock may be used on no other."""
        pacer = Pacer(self._limits, _CLOCK, None, self._cell)
        if self._watch is not None:
            pacer.listeners.append(self._watch)
        return pacer

    def asker(self, target: Target, spent: Purse | None = None, excerpt: Excerpt = withheld) -> Asker:
        """As `pacer`."""
        how = (self._limits, Budget(), _CLOCK)
        return Asker(target, self.pacer(), *how, tell=lambda *_: None, watch=self._watch, spent=spent, excerpt=excerpt)

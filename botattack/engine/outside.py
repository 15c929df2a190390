"""Askings that belong to no run, as those of `check` and `init`. They keep the pace of the target file and wait as long
as the bot asks for, as a run does; what fails in another way is not tried again, as the user wants to see it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

from botattack.engine.ask import Asker
from botattack.engine.clock import Clock
from botattack.engine.pacing.cells import OwnCell
from botattack.engine.pacing.laws import law_for
from botattack.engine.pacing.pacer import Pacer, PaceState
from botattack.limits import Budget, Limits
from botattack.protocols import Target

_CLOCK = Clock(time.monotonic, asyncio.sleep)


class Outside:
    """What is known of one bot's pace, on however many event loops it is asked. `tell(why, seconds)` hears of waits."""

    def __init__(self, limits: Limits, tell: Callable[[str, float], None]) -> None:
        self._limits = replace(limits, retries=0)
        self._tell = tell
        self._cell = OwnCell(PaceState(law=law_for(limits)), _CLOCK.now)

    def pacer(self) -> Pacer:
        """For one event loop: its lock may be used on no other."""
        pacer = Pacer(self._limits, _CLOCK, None, self._cell)
        pacer.listeners.append(self._tell)
        return pacer

    def asker(self, target: Target) -> Asker:
        """As `pacer`."""
        return Asker(target, self.pacer(), self._limits, Budget(), _CLOCK, tell=lambda *_: None)

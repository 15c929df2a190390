"""Whether there is a bot at all: found out before many questions are asked in vain."""

from __future__ import annotations

import asyncio
from typing import Any

from botattack.engine.ask import Answer
from botattack.engine.ending import cancelled
from botattack.engine.plan import Plan
from botattack.errors import (
    BotattackError,
    ExtractionFailed,
    HostRefused,
    RateLimited,
    RequestRefused,
    TargetDown,
    Unreachable,
)
from botattack.model import Failure

PREFLIGHT = 3
"""First units without an answer after which a bot counts as not there. A wrong target file shows with fewer."""
_WRONG_FILE = frozenset(kind.kind for kind in (ExtractionFailed, HostRefused, RequestRefused))
"""Failures that mean a wrong target file if every reply has one."""
_NO_ANSWER = frozenset(kind.kind for kind in (Unreachable, RateLimited))
"""Failures after which no further unit is tried: nobody is there, or the first one has waited for minutes already."""


class Preflight:
    """Lets questions be asked one after the other until the bot has answered once; `before`: it did before the run was
    resumed, so that only one that cannot be reached is not there."""

    def __init__(self, plan: Plan, questions: int, *, before: bool = False) -> None:
        self._plan = plan
        self._before = before
        self._few = min(PREFLIGHT, questions)
        self._answered = asyncio.Event()
        if not plan.preflight:
            self._answered.set()
        self._failed = 0

    async def over(self, last: asyncio.Task[None], arrived: asyncio.Event) -> None:
        """Waits until the bot has answered once, or the question opened last is done or `arrived` where it waits for
        others."""
        if self._answered.is_set():
            return
        arrived.clear()
        told = [asyncio.ensure_future(each.wait()) for each in (self._answered, arrived)]
        ends: list[asyncio.Future[Any]] = [last, *told]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await cancelled(told)

    def check(self, answer: Answer, *, probe: bool = False) -> None:
        """Raises BotattackError once it is clear that the bot does not answer. That it refuses what only a `probe` says
        proves nothing about the questions."""
        if answer.failure is None or (self._before and answer.failure.kind not in _NO_ANSWER):
            self._answered.set()
        elif not self._answered.is_set():
            self._failed += not probe
            enough = self._few if answer.failure.kind in _WRONG_FILE else PREFLIGHT
            if answer.failure.kind in _NO_ANSWER or self._failed >= enough:
                raise self.no_answer(answer.failure)

    def no_answer(self, failure: Failure) -> BotattackError:
        """A bot that does answer, but not as the target file says, is not down: the file is wrong."""
        place = f"{self._plan.where(failure.place)}: " if failure.place else ""
        if failure.kind in _WRONG_FILE:
            return BotattackError(
                f"{place}{self._plan.target} answers, but {failure.message}; 'botattack check' shows every step"
            )
        return TargetDown(f"{place}{self._plan.target} gave no answer: {failure.message}")

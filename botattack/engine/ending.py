"""How a run ends."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from botattack.errors import BotattackError
from botattack.events import HeldGate


@dataclass(frozen=True)
class Ending:
    """How a run ended: its exit status and why, in one sentence, and the gates that were checked; `first_success` is
    whether `fail_fast` ended it, `headline` the first sentence of its report."""

    exit: int
    why: str
    gates: tuple[HeldGate, ...] = ()
    first_success: bool = False
    headline: str = ""


class Stopped(BotattackError):
    """Not a fault: the user, or `fail_fast`, stopped the run."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.why)
        self.ending = ending


class Sure(BotattackError):
    """Not a fault: the run has seen enough to conclude."""


async def cancelled(tasks: Sequence[asyncio.Future[Any]]) -> None:
    """Cancels tasks and waits until they have ended."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def first_error(feeding: asyncio.Future[None]) -> BaseException | None:
    """What went wrong in a question, as itself and not as a group of groups."""
    if not feeding.done() or feeding.cancelled():
        return None
    error: BaseException | None = feeding.exception()
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error

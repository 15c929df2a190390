"""How hard a bot may be pushed and how much a run may cost: values that target and campaign files hold as they are."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated

from botattack.options import Amount, Count, Deadline, Rate, Read, Seconds, Times, Word, above_zero


@dataclass(frozen=True)
class Price:
    """What asking costs, in any currency; `budget: {cost: …}` of a campaign is in the same."""

    request: Amount = 0.0
    """Each request that leaves."""
    token: Amount = 0.0
    """Each token of those that the field `tokens` counts; extract.fields.tokens says where the bot reports them."""

    def __bool__(self) -> bool:
        return bool(self.request or self.token)


@dataclass(frozen=True)
class Limits:
    """How hard the bot may be pushed."""

    rate: Rate | None = None
    """Requests in a time, such as 5/s or 300/min; `unlimited` must be written; left out, it is learned."""
    burst: Count = 1
    """Requests that may leave at once after a pause."""
    concurrency: Count = 4
    """Conversations open at the same time."""
    timeout: Deadline = 30.0
    """Longest wait for one answer; each turn of a conversation has as long."""
    question_timeout: Deadline = 600.0
    """Longest time for one asking with all its turns and retries; pauses the bot asks for are not counted."""
    turns: Count = 50
    """Most turns of a conversation whose turns depend on the replies; it then ends there."""
    retries: Times = 3
    """Tries after the first, for what may pass: lost connections, timeouts, 429, 5xx."""
    max_wait: Seconds = 300.0
    """Longest pause the bot may ask for; a longer one stops the run, which can be resumed. Where it names no time, a
    question is given up after 2 minutes of pauses."""
    breaker: Count = 10
    """Failures in a row after which the bot is tried once more, and then given up."""
    idempotent: bool = True
    """Whether asking twice does no harm; where false, only what surely did not arrive is sent again."""
    busy: tuple[Word, ...] = ()
    """Words with which the bot itself says that it was asked too often; everybody then waits, as after a 429."""
    price: Price = field(default_factory=Price)
    """What asking costs."""

    @property
    def unlimited(self) -> bool:
        """Whether nothing is paced."""
        return self.rate == math.inf

    @property
    def pace(self) -> str:
        """The rate as people read it."""
        return "unlimited" if self.unlimited else "learned" if self.rate is None else f"{self.rate:g}/s"


@dataclass(frozen=True)
class Budget:
    """What the run may use; reaching it stops the run, which can be resumed and then has the whole of it again."""

    requests: Count | None = None
    """Everything that leaves."""
    seconds: Annotated[float, Read(above_zero, {"type": "number", "exclusiveMinimum": 0})] | None = None
    """Wall time."""
    cost: Annotated[float, Read(above_zero, {"type": "number", "exclusiveMinimum": 0})] | None = None
    """Money, in the currency of limits.price in the target file."""

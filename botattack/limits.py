"""How hard a bot may be pushed and how much a run may cost: values that target and campaign files hold as they are."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated

from botattack.options import Amount, Count, Deadline, Rate, Read, Seconds, Times, above_zero


def within(value: float | None, least: float, most: float) -> float | None:
    """A number that came from outside, moved between its bounds; None for NaN."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    return min(max(value, least), most)


@dataclass(frozen=True)
class Price:
    """What asking costs, in any currency; `budget: {cost: …}` of a campaign is in the same."""

    request: Amount = 0.0
    """The price of each request."""
    token: Amount = 0.0
    """Each token of those that the field `tokens` counts; extract.fields.tokens says where the bot reports them."""

    def __bool__(self) -> bool:
        return bool(self.request or self.token)


@dataclass(frozen=True)
class Limits:
    """How hard the bot may be pushed."""

    rate: Rate | None = None
    """The most requests per time, such as 5/s or 300/min, or `unlimited`. If left out, botattack finds out how fast it
    may ask."""
    burst: Count = 1
    """How many requests may be sent at once after a pause."""
    concurrency: Count = 4
    """Conversations open at the same time."""
    timeout: Deadline = 30.0
    """The longest wait for one answer, for each turn of a conversation."""
    question_timeout: Deadline = 600.0
    """The longest time for one question with all its turns and retries; pauses the bot asks for are not counted."""
    turns: Count = 50
    """The most turns of a conversation whose turns depend on the replies."""
    retries: Times = 3
    """How often to try again after a passing fault: lost connections, timeouts, 429, 5xx."""
    max_wait: Seconds = 300.0
    """The longest pause the bot may ask for; a longer one stops the run, which can be resumed. If the bot gives no
    time, a question counts as failed after 2 minutes of pauses."""
    breaker: Count = 10
    """After this many failures in a row, the bot is tried once more; then the run stops."""
    idempotent: bool = True
    """Whether asking twice does no harm. If false, a request is sent again only if it certainly did not arrive."""
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
    """What the run may use. A run that reaches it stops; if it is resumed, it may use the whole budget again."""

    requests: Count | None = None
    """The most requests, not messages: loading a web page and opening a WebSocket are one each, too, and so is each
    poll and each call that opens or ends a conversation. `run --dry-run` says how many an asking takes."""
    seconds: Annotated[float, Read(above_zero, {"type": "number", "exclusiveMinimum": 0})] | None = None
    """Wall time."""
    cost: Annotated[float, Read(above_zero, {"type": "number", "exclusiveMinimum": 0})] | None = None
    """Money, in the currency of limits.price in the target file."""

    @property
    def is_set(self) -> bool:
        """Whether requests or money are limited: what several processes spend together."""
        return self.requests is not None or self.cost is not None

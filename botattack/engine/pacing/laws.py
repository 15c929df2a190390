"""How many requests a second: as the target file says, or as fast as the bot turns out to allow."""

from __future__ import annotations

import math
from typing import ClassVar

import msgspec

from botattack.limits import Limits, within

START = 8.0
"""Requests a second to begin with where no rate is known."""
SLOWEST = 0.05
"""The rate that a bot which answers nothing at all is still asked at."""
LEAST, MOST = 1 / 3600, 100_000.0
"""Bounds, in requests a second, for a rate that an earlier run or another process learned."""
CUT = 0.85
STEP = 0.03
"""After a push-back: share of the learned ceiling to continue with, and to add each second. Found by simulating 300
bots of 1 to 50 requests a second (tests/engine/test_pace.py): bolder values are pushed back more often, meeker ones
crawl."""

WIDER, BACK, LEAST_OF_TOLD = 0.05, 0.001, 0.5
"""After a push-back at a rate that was told: by what share to ask more slowly, what share of that rate to take back
each second, and the least share of it. A push-back costs a second or two; after two of them, at these values,
a bot of ten requests a second without burst pushes back no more (tests/engine/test_pace.py)."""


class FixedRate(msgspec.Struct, tag="fixed"):
    """The rate the target file gives, and a little less after a push-back: a bot that allows no burst counts arrivals,
    and what left evenly arrives unevenly."""

    told: float
    burst: int = 1
    rate: float = 0.0
    since: float | None = None

    def __post_init__(self) -> None:
        self.rate = within(self.rate or None, LEAST_OF_TOLD * self.told, self.told) or self.told
        self.since = within(self.since, -math.inf, math.inf)

    @property
    def catches_up(self) -> bool:
        """Whether a request may leave early after one that left late."""
        return self.rate == self.told

    def left(self, now: float, *, waited: bool) -> bool:
        """A request left, after waiting for its turn or not. True if the rate changed."""
        if self.catches_up:
            return False
        elapsed = now - (now if self.since is None else self.since)
        if self.since is None or elapsed >= 1.0:
            self.since = now
            self.rate = min(self.rate + BACK * self.told * min(elapsed, 1.0), self.told)
        return False

    def pushed_back(self, now: float, *, answered: bool) -> None:
        """The bot pushed back; `answered` says whether it had replied at all since the last pause."""
        if answered:
            self.rate = max(self.rate * (1 - WIDER), LEAST_OF_TOLD * self.told)
            self.since = now

    def reopened(self, now: float) -> None:
        """The pause that the bot asked for is over."""
        self.since = now


class LearnedRate(msgspec.Struct, tag="learned"):
    """Doubles every second in which the limit was really used, until pushed back; then a cut and additive growth."""

    ceiling: float | None = None
    rate: float = 0.0
    burst: int = 1
    since: float | None = None
    began: float | None = None
    count: int = 0
    binding: bool = False

    catches_up: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.ceiling = within(self.ceiling, LEAST, MOST)
        self.since, self.began = within(self.since, -math.inf, math.inf), within(self.began, -math.inf, math.inf)
        known = within(self.rate or None, LEAST, MOST)
        self.rate = known or (START if self.ceiling is None else self.ceiling * CUT)

    def left(self, now: float, *, waited: bool) -> bool:
        """As `FixedRate.left`."""
        self.since = now if self.since is None else self.since
        self.began = now if self.began is None else self.began
        self.count += 1
        self.binding = self.binding or waited
        if now - self.since < 1.0 or not self.binding:
            return False
        self.since, self.binding = now, False
        self.rate = self.rate * 2 if self.ceiling is None else self.rate + STEP * self.ceiling
        return True

    def pushed_back(self, now: float, *, answered: bool) -> None:
        """The ceiling is what got through since it was asked again, and never above the rate that was pushed back. If
        nothing did, the bot may just not be ready, which says nothing of what it can take: it is only asked more
        slowly."""
        if not answered:
            self.rate = min(self.rate, max(self.rate / 2, SLOWEST))
            return
        elapsed = 0.0 if self.began is None else now - self.began
        # Between n askings there are n - 1 pauses. Over a second at least: a shorter time suggests more than the bot
        # bears. Without that, simulated bots (Gateway in tests/engine/bots.py, 1 to 50 a second, burst 1 to 10) pushed
        # back a third more often.
        self.ceiling = min(self.rate, max(self.count - 1, 1) / max(elapsed, 1.0))
        self.rate = CUT * self.ceiling

    def reopened(self, now: float) -> None:
        """As `FixedRate.reopened`."""
        self.since, self.began, self.count, self.binding = now, None, 0, False


Law = FixedRate | LearnedRate


def law_for(limits: Limits, learned: float | None = None) -> Law | None:
    """The law the target file asks for; `learned` is the ceiling of an earlier run."""
    if limits.unlimited:
        return None
    if limits.rate is not None:
        return FixedRate(limits.rate, limits.burst)
    return LearnedRate(ceiling=learned)

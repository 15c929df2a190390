"""Shares with their intervals, and how far two of them are apart. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from botattack.report.statistics.intervals import MIN_QUESTIONS, ClusterSums, Interval, interval_at
from botattack.report.statistics.significance import difference


@dataclass(frozen=True)
class Sample:
    """A reply that shows what a figure counts: what was `asked`, and what the reply is shown for (`about`)."""

    unit: str
    asked: str
    about: str
    reply: str


def first_of(one: Sample | None, other: Sample | None) -> Sample | None:
    """That of the lower unit, so that no order of questions changes which is kept."""
    return min((each for each in (one, other) if each), key=attrgetter("unit"), default=None)


@dataclass(frozen=True)
class Share:
    """`x` of `n`, with the `rate` and its 95 % `interval`, which are None under MIN_QUESTIONS questions."""

    x: int = 0
    n: int = 0
    rate: float | None = None
    interval: Interval | None = None

    @property
    def without_rate(self) -> Share:
        return Share(self.x, self.n)


def share(x: int, n: int, *, any_time: bool = False) -> Share:
    """Of questions with one outcome each."""
    return shared(ClusterSums(n, x, n, x, x, n), any_time=any_time)


def shared(sums: ClusterSums, *, any_time: bool = False) -> Share:
    """Of questions with some outcomes each. With `any_time`, the interval is one of a confidence sequence."""
    if sums.clusters < MIN_QUESTIONS:
        return Share(sums.x, sums.n)
    return Share(sums.x, sums.n, sums.rate, interval_at(sums, any_time=any_time))


def over(one: Share, other: Share) -> Interval | None:
    """The 95 % interval of the difference of two shares; None if one has no rate."""
    if one.rate is None or other.rate is None or one.interval is None or other.interval is None:
        return None
    return difference(one.rate, one.interval, other.rate, other.interval)

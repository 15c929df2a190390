"""Why failures came about, in words."""

from __future__ import annotations

from collections.abc import Iterator

from botattack.report.escape import visible
from botattack.report.figures.explained import CauseShare, Explained, WhyFigures
from botattack.report.numbers import count, span
from botattack.report.statistics.intervals import Interval, wilson
from botattack.report.wording.words import terms

WIDE = 0.5
"""Width from which on an interval is not shown: it says no more than that nobody knows."""


def _wide(interval: Interval) -> bool:
    return interval[1] - interval[0] > WIDE


def headline(found: WhyFigures) -> str:
    """`Of 30 failures, 12 are caused by input: it does not cope with how the message is written`"""
    failures = count(len(found.explained), "failure")
    if not found.causes:
        return f"None of {count(sum(found.failures.values()), 'failure')} was asked about: the run ended before"
    first = found.causes[0]
    if first.cause == "unclear":
        return f"Of {failures}, {first.count:,} could not be explained"
    are = "is" if first.count == 1 else "are"
    return f"Of {failures}, {first.count:,} {are} caused by {first.cause}: {terms('causes')[first.cause]}"


def title(share: CauseShare, found: WhyFigures) -> str:
    """`input: 12 of 30 failures (25–57 %)`"""
    told = f"{share.cause}: {share.count:,} of {count(len(found.explained), 'failure')}"
    return told if _wide(share.interval) else f"{told} ({span(share.interval)})"


def worth(share: CauseShare, found: WhyFigures) -> str:
    """What a fix would be worth, of all failures of the run."""
    if share.cause == "input" and found.input_failures:
        right, of = found.come_back, found.input_failures
        asked, interval = f"{right:,} of {of:,}", wilson(right, of)
        told = asked if _wide(interval) else f"{span(interval)} of these ({asked} came right)"
        return f"{terms('fixes')['normaliser']} would bring back {told}." if right else ""
    if share.cause in ("chance", "outage", "unclear") or _wide(share.interval):
        return ""
    return f"A fix would bring back at most {span(share.interval)} of all failures."


def fix(share: CauseShare, found: WhyFigures) -> str:
    """What to do about a cause: nothing that was tried in vain."""
    if share.cause == "unclear":
        return terms("fixes")["unclear"].format(_more(found))
    in_vain = share.cause == "input" and found.input_failures and not found.come_back
    return terms("fixes")["input in vain" if in_vain else share.cause]


def _more(found: WhyFigures) -> str:
    """What would tell causes apart that could not be: of the question file, only what it lacks."""
    named = " and ".join(dict.fromkeys(name for one in found.explained if one.cause == "unclear" for name in one.lacks))
    return f"{named} in the question file, or more requests" if named else "more requests"


def verdict(one: Explained) -> str:
    """`retrieval; reading fails, too (sure)`"""
    others = ", ".join(one.also)
    if one.cause == "unclear":
        return f"unclear: {others} could not be distinguished" if others else "unclear"
    fail = "fails" if len(one.also) == 1 else "fail"
    return f"{one.cause}{f'; {others} {fail}, too' if others else ''} ({'sure' if one.sure else 'likely'})"


def about(found: WhyFigures) -> Iterator[str]:
    """Of which run, and what it took."""
    explained, of = found.explained, sum(found.failures.values())
    some = ", some of each attack" if len(explained) < of else ""
    yield f"{len(explained):,} of {count(of, 'failure')} of {visible(found.run)}{some}"
    yield f"{sum(one.requests for one in explained) / max(1, len(explained)):.1f} askings each"
    yield "Intervals are 95 %, as if the failures that were asked about were drawn from all."
    tried = (wilson(found.come_back, of) for of in (found.input_failures,) if of)
    if any(map(_wide, (*(share.interval for share in found.causes), *tried))):
        more = ": more failures make them narrower (--each 20, or for a night why: {each: 20})" if some else ""
        yield f"Intervals wider than 50 points are left out{more}."

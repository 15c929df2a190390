"""Why failures came about, in words."""

from __future__ import annotations

from collections.abc import Iterator

from botattack.report.escape import visible
from botattack.report.figures.explained import CauseShare, Explained, WhyFigures
from botattack.report.numbers import count, span
from botattack.report.wording.words import terms


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
    return (
        f"{share.cause}: {share.count:,} of {count(len(found.explained), 'failure')} ({span((share.low, share.high))})"
    )


def worth(share: CauseShare, found: WhyFigures) -> str:
    """What a fix would be worth, of all failures of the run."""
    if share.cause == "input" and found.gain:
        asked = f"{found.come_back:,} of {found.input_failures:,} came right"
        normaliser = (
            f"A normaliser like botattack's own before look-up would bring back {span(found.gain)} of these ({asked})."
        )
        return f"{normaliser} {_own(found)}".strip()
    if share.cause in ("chance", "outage", "unclear"):
        return ""
    return f"A fix would bring back at most {span((share.low, share.high))} of all failures."


def _own(found: WhyFigures) -> str:
    if not found.own_gain:
        return ""
    asked = f"{found.own_come_back:,} of {found.own_failures:,}"
    return f"With a speller that knows only the words of your questions: {span(found.own_gain)} ({asked})."


def verdict(one: Explained) -> str:
    """`retrieval; reading fails, too (sure)`"""
    others = ", ".join(one.also)
    if one.cause == "unclear":
        return f"unclear: {others} could not be distinguished" if others else "unclear"
    fail = "fails" if len(one.also) == 1 else "fail"
    return f"{one.cause}{f'; {others} {fail}, too' if others else ''} ({'sure' if one.sure else 'likely'})"


def about(found: WhyFigures) -> Iterator[str]:
    """Of which run, and what it took."""
    of = sum(found.failures.values())
    some = ", some of each attack" if len(found.explained) < of else ""
    yield f"{len(found.explained):,} of {count(of, 'failure')} of {visible(found.run)}{some}"
    asked = sum(one.requests for one in found.explained)
    each = f"{asked / len(found.explained):.1f} askings each" if found.explained else "no askings"
    yield f"{each}; {count(found.requests, 'request')} in all"
    yield "Intervals are 95 %, as if the failures that were asked about were drawn from all."

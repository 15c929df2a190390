"""Why failures came about, in words: each cause, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from botattack.attacks.building.diagnosing import CauseName
from botattack.report.escape import visible
from botattack.report.figures.explained import Explained, Share, WhyFigures
from botattack.report.numbers import count, span

MEANS: Mapping[CauseName, tuple[str, str]] = {
    "chance": (
        "it errs by chance",
        "Make the bot answer alike each time (temperature 0, a fixed seed): asked again, these are right.",
    ),
    "carry-over": (
        "something is left over from another conversation",
        "Keep what is said in one session out of all others.",
    ),
    "input": (
        "it does not cope with how the message is written",
        "Normalise a message before it is looked up: Unicode forms, case, spelling, and length.",
    ),
    "understanding": (
        "it does not understand these words",
        "Teach it more ways to ask the same: the failing variants are examples.",
    ),
    "retrieval": (
        "it does not find the passage that has the answer",
        "Look at the index: is the passage in it, and is it found by its meaning, not by the same words alone?",
    ),
    "ranking": (
        "other passages come before the one that has the answer",
        "Rank what was found again before it is read, and read more of it.",
    ),
    "reading": (
        "it misreads its passage, or believes a fake",
        "Use a better reader, or let it quote the sentence that it answers from and check that.",
    ),
    "by-heart": (
        "it answers without its passages",
        "Make it answer from its passages alone, and decline where they do not have the answer.",
    ),
    "memory": (
        "it loses or mixes up what was said earlier",
        "Hand all earlier turns to the bot, or restate the question from them before it is looked up.",
    ),
    "policy": (
        "a filter or a refusal stops it",
        "Look at the filter: it stops harmless questions for the words in these examples.",
    ),
    "outage": ("it gave no answer at all", "Find out why the bot was down, and run again."),
    "unclear": (
        "the cause could not be told",
        "Give passages and gold answers in the question file, or more requests: then more causes can be told apart.",
    ),
}
"""What each cause means, and what to do about it."""


def headline(found: WhyFigures) -> str:
    """`Of 30 failures, 12 are caused by input: it does not cope with how the message is written`"""
    failures = count(len(found.explained), "failure")
    if not found.causes:
        return f"None of {count(sum(found.failures.values()), 'failure')} was asked about: the run ended before"
    first = found.causes[0]
    if first.cause == "unclear":
        return f"Of {failures}, {first.count:,} could not be explained"
    are = "is" if first.count == 1 else "are"
    return f"Of {failures}, {first.count:,} {are} caused by {first.cause}: {MEANS[first.cause][0]}"


def title(share: Share, found: WhyFigures) -> str:
    """`input: 12 of 30 failures (25–57 %)`"""
    return (
        f"{share.cause}: {share.count:,} of {count(len(found.explained), 'failure')} ({span((share.low, share.high))})"
    )


def worth(share: Share, found: WhyFigures) -> str:
    """What a fix would be worth, of all failures of the run."""
    if share.cause == "input" and found.gain:
        asked = f"{found.come_back:,} of {found.input_failures:,} came right in botattack's own"
        return f"A normaliser before look-up would bring back {span(found.gain)} of these ({asked})."
    if share.cause in ("chance", "outage", "unclear"):
        return ""
    return f"A fix would bring back at most {span((share.low, share.high))} of all failures."


def verdict(one: Explained) -> str:
    """`retrieval; reading fails, too (sure)`"""
    others = ", ".join(one.also)
    if one.cause == "unclear":
        return f"unclear: {others} could not be told apart" if others else "unclear"
    fail = "fails" if len(one.also) == 1 else "fail"
    return f"{one.cause}{f'; {others} {fail}, too' if others else ''} ({'sure' if one.sure else 'likely'})"


def about(found: WhyFigures) -> Iterator[str]:
    """Of which run, and what it took."""
    of = sum(found.failures.values())
    yield f"{len(found.explained):,} of {count(of, 'failure')} of {visible(found.run)}, some of each attack"
    asked = sum(one.requests for one in found.explained)
    each = f"{asked / len(found.explained):.1f} askings each" if found.explained else "no askings"
    yield f"{each}; {count(found.requests, 'request')} in all"
    yield "Intervals are 95 %, as if the failures that were asked about were drawn from all."

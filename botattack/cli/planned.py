"""How much a run may come to ask, before it asks."""

from __future__ import annotations

from math import prod
from typing import Any

from botattack.cli.wiring import Job
from botattack.recordings.suite import Suite
from botattack.report.figures.expected import Expected


def most_of(attack: Any) -> int | None:
    """How many requests of one question an attack makes at most; None where its options do not say."""
    if getattr(attack, "search", "none") != "none":
        return int(attack.queries)
    links = getattr(attack, "attacks", ())
    if links and getattr(links[-1], "search", "none") != "none":
        return most_of(links[-1])
    if links:
        each = [most_of(link) for link in links]
        return None if None in each else prod(filter(None, each))
    most = getattr(attack, "per_question", None) or getattr(attack, "times", None)
    return most if isinstance(most, int) else None


def requests_each(options: Any) -> tuple[int, bool]:
    """How many requests one asking of a kind of bot takes, and whether that is all."""
    return getattr(options, "requests_each", 1), getattr(options, "poll", None) is None


def expected_of(job: Job) -> Expected:
    """What the progress of a run is told against; a suite is known to the last request."""
    if isinstance(job.suite, Suite):
        originals = sum(job.plan.askings(gold=bool(question.answers)) for question, _ in job.suite)
        return Expected(known=originals + job.suite.variants, budget=job.plan.budget.requests)
    most = {label: most_of(attack) for label, attack in job.plan.attacks.items()}
    return Expected(most, budget=job.plan.budget.requests)

"""How much a run may come to ask, before it asks."""

from __future__ import annotations

from botattack.cli.wiring import Job
from botattack.protocols import Attack, TargetKind
from botattack.recordings.suite import Suite
from botattack.report.figures.expected import Expected


def most_of(attack: Attack) -> int | None:
    """How many requests of one question an attack makes at most; None where its options do not say."""
    return attack.search_limits.requests if attack.search_limits else attack.per_question


def requests_each(options: TargetKind) -> tuple[int, bool]:
    """How many requests one asking of a kind of bot takes, and whether that is all."""
    return options.requests_each, not options.polls


def expected_of(job: Job) -> Expected:
    """What the progress of a run is told against; a suite is known to the last request."""
    if isinstance(job.suite, Suite):
        originals = sum(job.plan.askings(gold=bool(question.answers)) for question, _ in job.suite)
        return Expected(known=originals + job.suite.variants, budget=job.plan.budget.requests)
    most = {label: most_of(attack) for label, attack in job.plan.attacks.items()}
    return Expected(most, budget=job.plan.budget.requests)

"""`--dry-run`: what would be asked of whom, without asking anything."""

from __future__ import annotations

from collections.abc import Iterator

from botattack.cli.wiring import Parts, load_parts, load_questions
from botattack.config.campaign import CampaignConfig
from botattack.config.target import TargetConfig
from botattack.engine.plan import ASKED_OF_ITSELF
from botattack.protocols import Attack, BadRecord


def describe(campaign: CampaignConfig) -> str:
    """Reads the questions and checks the language parts, as the run itself would."""
    parts = load_parts(campaign)
    bad: list[BadRecord] = []
    with load_questions(campaign, bad) as questions:
        own = any(attack.expect == "different" for _, attack in campaign.attacks)
        askings = max(campaign.repeat, ASKED_OF_ITSELF if own else 1)
        originals = sum(askings if question.answers else ASKED_OF_ITSELF for question, _ in questions)
        asked = [*_target(campaign.target), *_services(parts)]
        lines = [*asked, *_requests(campaign, len(questions), originals)]
        if bad:
            lines.append(f"skipped    {len(bad)} bad records, the first at line {bad[0].line}: {bad[0].why}")
    return "\n".join([*lines, "nothing was asked: this is a dry run"])


def _services(parts: Parts) -> Iterator[str]:
    """The translators and models that attacks ask, beside the bot."""
    for kind, handler in parts.handlers.items():
        service = getattr(handler, "service", None)
        if service is not None:
            first, *others = _target(service.config)
            yield f"{kind:<10} {first[11:]}"
            yield from (f"  {line}" for line in others)


def _target(target: TargetConfig) -> Iterator[str]:
    hosts = ", ".join(sorted(target.hosts)) or "no host: it runs in this process"
    limits = target.limits
    pace = "unlimited" if limits.unlimited else "learned" if limits.rate is None else f"{limits.rate:g}/s"
    yield f"target     {target.name} ({target.path})"
    yield f"asks       {hosts}"
    yield f"pace       {pace}, {limits.concurrency} at a time"
    for name, places in target.env_places.items():
        yield f"secret     {name} goes into {', '.join(places)}"


def _requests(campaign: CampaignConfig, questions: int, originals: int) -> Iterator[str]:
    yield f"questions  {questions} from {campaign.questions.file}: {originals} requests"
    most = originals
    for label, attack in campaign.attacks:
        each = _most(attack)
        known = f"at most {each * questions}" if each else "as many as it finds"
        most += (each or 0) * questions
        yield f"attack     {label}: {known} requests, of the questions the bot answers rightly"
    total = f"at most {most}" + ("" if all(_most(attack) for _, attack in campaign.attacks) else " and more")
    budget = f", never over {campaign.budget.requests}" if campaign.budget.requests else ""
    yield f"requests   {total}, and retries{budget}"


def _most(attack: Attack) -> int | None:
    """How many variants of one question it makes at most, where its options say."""
    most = getattr(attack, "per_question", None) or getattr(attack, "times", None)
    return most if isinstance(most, int) else None

"""What a run is: a checked campaign, the plan made of it, and the recording that it begins or continues."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from botattack.addresses import addresses, is_loopback
from botattack.attacks.building.settling import usual_of
from botattack.audit.connection import connection_of
from botattack.audit.judged import boilerplate_of, judged_by
from botattack.audit.language_parts import Parts, load_parts
from botattack.audit.secrets import redactor_of
from botattack.config.campaign import CampaignConfig
from botattack.config.target import TargetConfig
from botattack.doors import carriers_of
from botattack.engine.plan import Plan, Questions
from botattack.environment import inherited
from botattack.errors import BotattackError, RecordingError
from botattack.files import write_whole
from botattack.matchers.judge import Judge
from botattack.matchers.own import OwnReference
from botattack.matchers.weights import Weights
from botattack.model import Carrier, Question, content_id
from botattack.net.hosts import in_parts
from botattack.protocols import BadRecord, Target
from botattack.questions.order import QuestionSet
from botattack.recordings import manifest
from botattack.recordings.again import without_errors
from botattack.recordings.locks import Address
from botattack.recordings.manifest import Manifest
from botattack.recordings.masking import MASK
from botattack.recordings.redaction import Redactor
from botattack.recordings.suite import Suite
from botattack.report.figures.expected import Expected
from botattack.report.figures.gates import held
from botattack.version import __version__

_READ = frozenset({"filter", "match", manifest.CONNECTION})
"""Settings that are read when a run is continued, or digests."""

Shard = tuple[int, int]
"""The i-th of n parts of a run, from 1."""
WHOLE: Shard = (1, 1)


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """How a campaign is run: `recordings` is the folder of its recording, or `resume` the recording that it continues,
    with `retry_errors` also where it ended in errors. `command` made the recording."""

    recordings: Path = Path("recordings")
    resume: Path | None = None
    retry_errors: bool = False
    command: tuple[str, ...] = ()
    fail_fast: bool = False
    shard: Shard = WHOLE


@dataclass(frozen=True)
class SharedFiles:
    """Files in which the workers of one run share its pace and what it has spent."""

    pace: Path
    spent: Path


@dataclass(frozen=True)
class Handed:
    """Records of questions that another process read, and what it found of the whole file."""

    questions: tuple[Question, ...]
    bad: tuple[BadRecord, ...]
    samples: tuple[Question, ...]
    has_gold: bool

    def read(self, path: Path) -> Iterator[Question | BadRecord]:
        """As a `QuestionReader`."""
        del path
        return chain(self.bad, self.questions)


@dataclass(frozen=True)
class Bot:
    """A bot that is open, and what masks its secrets."""

    target: Target
    redactor: Redactor


@dataclass(frozen=True)
class Job:
    """A run about to begin, or, where it `resumes`, to continue the recording in `folder`."""

    campaign: CampaignConfig
    plan: Plan
    folder: Path
    manifest: Manifest
    resumes: bool
    shard: Shard = WHOLE
    suite: Questions | None = None
    """Asked in place of the campaign's questions."""
    shared: SharedFiles | None = None
    """None unless other workers of the run ask the bot at the same time."""
    handed: Handed | None = None
    """A worker's questions, which it does not read from the file."""
    bot: Bot | None = None
    """A bot that stays open after the run."""
    retried: int = 0
    """How many askings ended in an error and were taken out of the recording, to be asked again."""

    @cached_property
    def address(self) -> Address | None:
        return address_of(self.campaign.target)


def address_of(target: TargetConfig) -> Address | None:
    """Where the bot is; None if it is in this process."""
    if not (url := target.options.address(target.env)):
        return None
    # The rest of a URL may contain a secret.
    return Address(content_id("address", url), urlsplit(url).netloc.rpartition("@")[2], _place(url))


def _place(url: str) -> str:
    """The same for every spelling of a URL, whatever name of the machine is in it."""
    try:
        secure, host, *rest = in_parts(url)
        found = addresses(host)
    except (OSError, ValueError):
        return content_id("place", url)  # asking it reports why that cannot be
    return content_id("place", secure, ("loopback",) if is_loopback(found) else found, *rest)


def prepare(
    campaign: CampaignConfig, settings: RunSettings, *, shared: SharedFiles | None = None, parts: Parts | None = None
) -> Job:
    """Raises RecordingError if the recording to resume is another run than this one, or cannot be written. `parts` are
    the campaign's language parts, if they are loaded already."""
    shard, resume = settings.shard, settings.resume
    if shard != WHOLE and "document" in campaign.carrier:
        raise BotattackError(
            "--shard and carrier: document do not go together: shards would find each other's documents"
        )
    if shard != WHOLE and campaign.stop_when_sure:
        raise BotattackError(
            "--shard and stop_when_sure do not go together: a shard cannot be sure for all; leave one out"
        )
    campaign = campaign if shared else _share(campaign, shard)
    parts = parts or load_parts(campaign)
    old = manifest.read(resume) if resume else None
    made = begun(
        campaign.target,
        campaign.seed,
        old,
        settings={**_settings(campaign), "shard": list(shard)},
        digests=parts.digests,
        command=list(settings.command),
        gates=held(campaign.gates),
        max_errors=campaign.max_errors,
        lost_answers=campaign.alarm.lost_answers,
        judge=judged_by(campaign.match),
    )
    redactor = redactor_of(campaign.target)
    made = masked(made, redactor)
    if old:
        manifest.refuse_difference(masked(old, redactor), made)
    learned = manifest.known_ceiling(settings.recordings, made.target, made.address)
    plan = plan_of(campaign, parts, old or made, fail_fast=settings.fail_fast, learned=learned)
    folder = resume or settings.recordings / made.run
    retries = old is not None and settings.retry_errors
    retried = without_errors(folder, idempotent=campaign.target.limits.idempotent) if retries else 0
    return Job(campaign, plan, folder, old or made, old is not None, shard, shared=shared, retried=retried)


def begun(target: TargetConfig, seed: int, old: Manifest | None = None, **more: Any) -> Manifest:
    """The manifest of a run that begins now, or of the `old` one that continues."""
    now, address = datetime.now(UTC), address_of(target)
    return Manifest(
        run=old.run if old else f"{now:%Y%m%dT%H%M%SZ}-{target.name}-{secrets.token_hex(4)}",
        target=target.name,
        started=old.started if old else now.isoformat(timespec="seconds"),
        seed=seed,
        botattack=__version__,
        address=address.key if address else "",
        target_file=str(target.path),
        **more,
    )


def make_folder(folder: Path, made: Manifest, weights: Weights | None = None) -> None:
    """Makes the folder of a recording, with what the run is made of. Raises RecordingError if it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        # The manifest comes last: a folder without it is no recording, and nobody resumes half of one.
        if weights:
            write_whole(folder / manifest.WEIGHTS, msgspec.json.encode(weights), private=True)
        manifest.write(folder, made)
    except OSError as error:
        raise RecordingError(f"{folder}: the recording cannot be made: {error.strerror}") from None


def masked(made: Manifest, redactor: Redactor) -> Manifest:
    """A manifest without secrets in what the user wrote; what decides how replies are judged must stay as it is. An
    address on the command line is that of a webhook, and a secret by itself."""
    settings = {name: value if name in _READ else redactor.settings(value) for name, value in made.settings.items()}
    command = [re.sub(r"(\w+://).+", rf"\1{MASK}", redactor.text(word), flags=re.DOTALL) for word in made.command]
    target_file = redactor.text(made.target_file)
    return msgspec.structs.replace(made, settings=settings, command=command, target_file=target_file)


def _settings(campaign: CampaignConfig) -> dict[str, object]:
    target = campaign.target
    words = {"refusals": target.refusals, "boilerplate": target.boilerplate, "learned": target.learned}
    listed = {name: said if said is None else list(said) for name, said in words.items()}
    return {**campaign.settings, **listed, manifest.CONNECTION: connection_of(target)}


def _share(campaign: CampaignConfig, shard: Shard) -> CampaignConfig:
    """A shard asks no faster than its share."""
    limits, parts = campaign.target.limits, shard[1]
    if parts == 1 or limits.rate is None:
        return campaign
    share = replace(limits, rate=limits.rate / parts, burst=max(1, limits.burst // parts))
    return replace(campaign, target=replace(campaign.target, limits=share))


def plan_of(campaign: CampaignConfig, parts: Parts, made: Manifest, *, fail_fast: bool, learned: float | None) -> Plan:
    return Plan(
        **campaign.run_keys,
        run=made.run,
        target=made.target,
        campaign=str(campaign.path or ""),
        flags=inherited(made.command),
        started=made.started,
        attacks=dict(campaign.attacks),
        judge=Judge(campaign.match, campaign.target.refusals),
        own=OwnReference(refusals=campaign.target.refusals),
        boilerplate=boilerplate_of(campaign.target),
        judged_by=judged_by(campaign.match),
        limits=campaign.target.limits,
        fail_fast=fail_fast,
        parts=parts.data,
        handlers=parts.handlers,
        learned_rate=learned,
        carried=campaign.carried,
        tools=campaign.target.options.tools or (),
        holds_passages=campaign.target.options.holds_passages,
        conversing=campaign.conversing,
        reuses_conversations=campaign.target.options.reuses_conversations,
        where=lambda place: f"{campaign.target.where(place)}: {place}",
    )


@dataclass(frozen=True)
class InEachWay:
    """Questions, each once for each carrier that it is asked through, one after the other. Iterates like a question
    set."""

    questions: Questions
    carriers: tuple[Carrier, ...]

    def __len__(self) -> int:
        return self._size

    @cached_property
    def _size(self) -> int:
        return sum(len(carriers_of(question, self.carriers)) for question, _ in self.questions)

    def __iter__(self) -> Iterator[tuple[Question, int]]:
        for question, duplicates in self.questions:
            for number, carrier in enumerate(carriers_of(question, self.carriers)):
                yield msgspec.structs.replace(question, carrier=carrier), 0 if number else duplicates

    def lacks(self, ids: Iterable[str]) -> int:
        """How many of these ids are of none of its questions."""
        wanted = set(ids)
        return len(wanted.difference(question.id for question, _ in self)) if wanted else 0


def load_questions(campaign: CampaignConfig, bad: list[BadRecord], shard: Shard = WHOLE) -> QuestionSet:
    asked = campaign.questions
    return QuestionSet.load(asked.file, asked.reader(), campaign.seed, asked.limit, on_bad=bad.append, shard=shard)


def questions_of(job: Job, bad: list[BadRecord]) -> QuestionSet:
    """The questions that a job asks of its campaign; `bad` receives the records that cannot be read."""
    if (handed := job.handed) is None:
        return load_questions(job.campaign, bad, job.shard)
    file, seed = job.campaign.questions.file, job.campaign.seed
    found = QuestionSet.load(file, handed.read, seed, on_bad=bad.append)
    found.samples, found.has_gold = handed.samples, handed.has_gold
    return found


def suite_askings(plan: Plan, suite: Suite) -> int:
    """How many askings a suite comes to."""
    return suite.variants + sum(plan.askings(gold=question.has_gold) for question, _ in suite)


def expected_of(job: Job) -> Expected:
    """What the progress of a run is measured by; a suite is known to the last request."""
    limits, budget = job.plan.limits, job.plan.budget.requests
    rate = None if limits.unlimited else limits.rate
    if isinstance(job.suite, Suite):
        return Expected(known=job.plan.known, budget=budget, rate=rate)
    usual = {label: usual_of(attack, control=job.plan.has_control) for label, attack in job.plan.attacks.items()}
    return Expected(usual, budget=budget, rate=rate)

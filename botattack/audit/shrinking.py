"""What `botattack shrink` does: takes findings of a recorded run and asks the bot smaller versions of their edits."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from botattack.attacks.combined.shrink import ASKINGS, Broke, Shrink
from botattack.audit.given import campaign
from botattack.audit.job import Job, RunSettings, prepare
from botattack.audit.replays.replaying import kept_weights
from botattack.cases import QuestionCase, VariantCase, cases
from botattack.config.campaign import CampaignConfig
from botattack.config.flags import with_flags
from botattack.config.plugs import matcher_from, with_weights
from botattack.config.run_keys import Changes
from botattack.config.target import load_target
from botattack.engine.boilerplate import learned
from botattack.errors import RecordingError
from botattack.events import Shrinks
from botattack.model import Question, edited
from botattack.recordings import manifest
from botattack.recordings.manifest import Manifest
from botattack.recordings.reader import events
from botattack.recordings.suite import Recorded, refuse_masked
from botattack.recordings.triage import marked_events
from botattack.report.figures.findings import Finding, Findings, findings_of

LIMIT = 20
"""Findings that are taken up unless somebody says how many."""


@dataclass(frozen=True)
class ShrinkSettings:
    """What is to be shrunk: findings of these `units`, or, without any, the `limit` that its report would show first.
    `askings` is how many in a row must break the bot."""

    recording: Path
    units: tuple[str, ...] = ()
    limit: int = LIMIT
    askings: int = ASKINGS
    target: Path | None = None
    allow_code: bool = False


class _Found(NamedTuple):
    question: Question
    attack: str
    broke: Broke


def job_of(what: ShrinkSettings, settings: RunSettings, changes: Changes) -> Job:
    """Raises RecordingError if the recording has no such finding, or if the bot is not asked as it was then."""
    made = manifest.read(what.recording)
    found = _findings(what)
    refuse_masked(each.question for each in found)
    labels = dict.fromkeys(each.attack for each in found)
    attacks = tuple((label, _shrink(label, made.run, found, what)) for label in labels)
    config = campaign_of(what.recording, made, what.target, allow_code=what.allow_code, repeat=what.askings)
    config = replace(with_flags(config, changes), attacks=attacks)
    shrinks = Shrinks(made.run, len(found), what.askings)
    return job_about(made, config, settings, (each.question for each in found), "shrink the findings", shrinks=shrinks)


def job_about(
    made: Manifest, config: CampaignConfig, settings: RunSettings, of: Iterable[Question], doing: str, **plan: Any
) -> Job:
    """Asks further about questions of an earlier run. Raises RecordingError if the bot is not asked as it was then."""
    job, questions = prepare(config, settings), {each.id: each for each in of}
    manifest.refuse_connection(made, job.manifest, f"cannot {doing} of {made.run}")
    return replace(job, plan=replace(job.plan, **plan), suite=Recorded(made.run, tuple(questions.values())))


def campaign_of(
    recording: Path, made: Manifest, file: Path | None, *, allow_code: bool, repeat: int = 1
) -> CampaignConfig:
    """The campaign of a recording, as it tells it, over the target file of today."""
    path = file or Path(made.target_file)
    if not path.is_file():
        raise RecordingError(f"the target file {path} is not there; name it with --target FILE")
    target = load_target(path, allow_code=allow_code)
    if target.name != made.target:
        raise RecordingError(
            f"{path}: its name is {target.name!r}, but {recording} is of a bot named {made.target!r}; give the target "
            f"file of that bot with --target, or write `name: {made.target}` in {path} if it is the same bot"
        )
    if target.boilerplate is None:
        target = replace(target, learned=learned(events(recording)))
    keys = {name: made.settings[name] for name in ("match", "carrier") if made.settings.get(name)}
    found = campaign(target, recording, ["unchanged"], seed=made.seed, repeat=repeat, **keys)
    known = kept_weights(recording)
    match = with_weights(matcher_from(made.settings.get("match")), known)
    return replace(found, match=match, weights=known)


def _shrink(label: str, run: str, found: Iterable[_Found], what: ShrinkSettings) -> Shrink:
    of_question: dict[str, list[Broke]] = {}
    for question, attack, broke in found:
        if attack == label:
            of_question.setdefault(question.id, []).append(broke)
    return Shrink.of(label, run, of_question, what.askings)


def _findings(what: ShrinkSettings) -> list[_Found]:
    """In the order in which the report shows them."""
    wanted = _wanted(what)
    found = {
        (case.question.id, variant.judged.unit, variant.judged.attack): _of(case, variant)
        for case in cases(marked_events(what.recording))
        for variant in case.variants
        if (case.question.id, variant.judged.unit, variant.judged.attack) in wanted
    }
    shrinkable = [each for key in wanted if (each := found[key]) is not None]
    if not shrinkable:
        why = "what its turns were hangs on the bot's replies, or another answer was right for them"
        raise RecordingError(f"{what.recording}: nothing to shrink: {why if wanted else 'nothing broke the bot'}")
    return shrinkable


def _wanted(what: ShrinkSettings) -> dict[tuple[str, str, str], None]:
    """Question, unit and attack of the findings that were named, or that the report shows first."""
    shown, named = Findings(what.limit), list[Finding]()
    for case in cases(marked_events(what.recording)):
        if what.units:
            named += (one for one in findings_of(case) if one.unit in what.units)
        else:
            shown.add(case)
    if missing := set(what.units).difference(one.unit for one in named):
        raise RecordingError(
            f"{what.recording} has no finding {sorted(missing)[0]!r}: name a unit that its report shows as broken"
        )
    return dict.fromkeys((one.question_id, one.unit, one.attack) for one in named or shown.value())


def _of(case: QuestionCase, variant: VariantCase) -> _Found | None:
    """None for what cannot be shrunk: a part of an edit that changes what is right may not change it."""
    judged, question = variant.judged, case.question
    with suppress(ValueError):
        as_edited = edited(question.turns, judged.edits) == variant.alteration.sent
        if as_edited and judged.play is None and judged.expect == "same" and judged.reference == "gold":
            return _Found(question, judged.attack, Broke(judged.unit, judged.edits, judged.decoy))
    return None

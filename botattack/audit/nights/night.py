"""One night: the suite is asked, compared with the baseline and reported."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from botattack.audit import conclusion
from botattack.audit.asked_again import asked_again
from botattack.audit.asking_further import reasons
from botattack.audit.beforehand.dryrun import NOTHING, asked_bot, describe
from botattack.audit.conclusion import Against
from botattack.audit.conduct import conduct
from botattack.audit.file_changes import changed
from botattack.audit.job import Job, RunSettings, prepare
from botattack.audit.nights import summary
from botattack.audit.nights.history import tracked
from botattack.audit.nights.pinning import pin
from botattack.audit.replays.replaying import as_judged_by
from botattack.audit.result import Result
from botattack.audit.stage import Stage
from botattack.config.campaign import CampaignConfig, load_campaign
from botattack.engine.boilerplate import learned
from botattack.engine.ending import Ending
from botattack.engine.plan import BASELINE_ASKINGS
from botattack.errors import BotattackError, RecordingError, TrustRefused, our_fault
from botattack.model import CONTROL
from botattack.recordings import baseline as baselines
from botattack.recordings import manifest, sealing
from botattack.recordings.baseline import Baseline
from botattack.recordings.locks import alone
from botattack.recordings.reader import events
from botattack.report.comparison.diff import RunComparison, compare
from botattack.report.comparison.lost import right_askings
from botattack.report.comparison.sides import Side
from botattack.report.comparison.trend import Bisect
from botattack.report.escape import visible
from botattack.report.figures.figure_values import Figures, QuestionFigures
from botattack.report.figures.metrics import Metrics
from botattack.report.numbers import count
from botattack.report.stories.asked import why_lost
from botattack.report.stories.comparison import is_sure, right_again, since
from botattack.report.story.blocks import Story
from botattack.report.wording import diagnoses
from botattack.report.wording.commands import command
from botattack.report.writers.comparison_files import FILES
from botattack.report.writers.material import Material, write_report
from botattack.report.writers.terminal import Terminal

REPORTS = ("report.html", "report.md", "report.json")
COMPARISONS = ("diff.xml", "diff.md", "diff.json")


@dataclass(frozen=True, kw_only=True)
class NightSettings:
    """How a night of a campaign is run, and who hears of it. `baseline` is its name, empty for that of the target;
    nights beyond the newest `keep_nights` are deleted. Without a baseline, `pin` makes this
    night it. `resume` is the recording of a night that did not finish, which is continued. Messages go to `webhooks`
    and `apprise`, with links below `base_url`."""

    baseline: str = ""
    recordings: Path = Path("recordings")
    keep_nights: int | None = None
    notify: Literal["failure", "always"] = "failure"
    base_url: str = ""
    pin: bool = False
    allow_code: bool = False
    webhooks: tuple[str, ...] = ()
    apprise: tuple[str, ...] = ()
    resume: Path | None = None


@dataclass(frozen=True)
class Shown:
    """Who shows a night: the view of its run, and what hears sentences."""

    terminal: Callable[[Job], Terminal]
    say: Callable[[str], None]


@dataclass(frozen=True)
class Night:
    """How a night ended: exit status and why, and what there is to show of it. `pinned` is the name of the baseline
    that it became; `reasons` are those of lost answers, by their questions, and `back` the questions that the night
    before had lost. `edited` says how the question file differs from the baseline."""

    name: str
    exit: int
    why: str
    folder: Path | None = None
    figures: Figures | None = None
    comparison: RunComparison | None = None
    deleted: tuple[str, ...] = ()
    pinned: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)
    back: tuple[str, ...] = ()
    edited: str = ""

    @property
    def resumable(self) -> bool:
        """Whether it stopped at a budget or a signal, or because the bot went away."""
        questions = self.figures.questions if self.figures else QuestionFigures()
        return self.folder is not None and (
            self.exit in (4, 130) or (self.exit == 3 and questions.asked > questions.error)
        )


def run_night(campaign: Path, settings: NightSettings, shown: Shown) -> Night:
    """Runs one night; whatever goes wrong is part of what it gives back."""
    name = campaign.stem
    try:
        lock = settings.recordings / ("." + re.sub(r"[^\w.-]", "_", campaign.name) + ".lock")
        with alone(lock, f"another night of {campaign} is still running; this one was left out"):
            return _night(campaign, settings, shown)
    except BotattackError as error:
        return Night(name, error.exit_status, str(error))
    except Exception as error:
        # Whoever called must still hear of a night that breaks.
        return Night(name, 2, our_fault(error))


def _begun(path: Path, settings: NightSettings) -> tuple[CampaignConfig, Baseline | None]:
    """The campaign of a night and its baseline, if there is one; raises RecordingError if they do not fit."""
    campaign = load_campaign(path, allow_code=settings.allow_code)
    if any(one.teaches_all for _, attack in campaign.attacks for one in (attack, *attack.within)):
        raise TrustRefused(
            f"{path} tells the bot words for everyone (for_everyone), which no night does; leave that out"
        )
    name = settings.baseline or campaign.target.name
    baseline = baselines.read(settings.recordings, name)
    if settings.baseline and baseline is None and not settings.pin:
        raise RecordingError(
            f"there is no baseline {name!r}; set one with "
            + command("nightly", "baseline", "set", "RUN", "--name", name)
        )
    if baseline is not None and baseline.target != campaign.target.name:
        raise RecordingError(
            f"the baseline {name!r} is of {baseline.target}, this campaign asks {campaign.target.name}"
        )
    return campaign, baseline


def _night(path: Path, settings: NightSettings, shown: Shown) -> Night:
    campaign, baseline = _begun(path, settings)
    if baseline is None:
        name = settings.baseline or campaign.target.name
        looked = baselines.path_of(settings.recordings, name).resolve()
        shown.say(
            f"NO BASELINE for {campaign.target.name}: this night is compared with nothing and asks the whole campaign; "
            f"looked for {looked} (--recordings names another folder)"
        )
    if baseline is not None and campaign.target.boilerplate is None:
        around = learned(events(baseline.folder(settings.recordings)))
        campaign = replace(campaign, target=replace(campaign.target, learned=around))
    against = _Against.of(campaign, baseline.folder(settings.recordings)) if baseline else None
    if against and against.again:
        shown.say("the baseline is judged again by the judge of this night, so that both have the same one")
    edited = _edited(campaign, against.folder) if against else ""
    if edited:
        shown.say(edited)
    job = _job(settings, campaign, against)
    job = replace(job, plan=replace(job.plan, is_night=True))
    if job.retried:
        shown.say(f"{count(job.retried, 'asking')} that ended in an error will be asked again")
    with shown.terminal(job) as terminal:
        folds = [against.side.update] if against else []
        stage = Stage(job, [terminal], folds=folds, conclude=against.conclude if against else None)
        ending = conduct(stage)
        result = stage.result()
        found = against.comparison(result, job.folder, edited) if against else None
        found = found if found and is_sure(found, ending.exit) else None
        nights = tracked(settings.recordings, campaign) if found else Bisect()
        back = tuple(right_again(found, nights)) if found else ()
        told = since(found, nights, back) if found else None
        terminal.finish(result.figures, result.findings, told)
    night = Night(path.stem, ending.exit, ending.why, job.folder, result.figures, found, back=back, edited=edited)
    if against is None:
        night = _pinned(night, settings, shown)
    night, told = _explained(night, told, campaign, shown)
    _write_reports(night, replace(result.material, since=told))
    return replace(night, deleted=tuple(_tidy(settings, job.folder, campaign.target.name)))


def _edited(campaign: CampaignConfig, baseline: Path) -> str:
    """How the question file differs from what the baseline asked of it; empty if it does not."""
    made = manifest.read(baseline)
    # The seed and the limit of the baseline chose its questions.
    questions = replace(campaign.questions, limit=made.settings.get("limit"))
    differs = changed(replace(campaign, seed=made.seed, questions=questions), baseline)
    told = f"questions changed since the baseline: {differs}; that has no effect until a new baseline is set"
    return told if differs else ""


def _job(settings: NightSettings, campaign: CampaignConfig, against: _Against | None) -> Job:
    """The whole campaign if there is no baseline yet; else exactly its suite, with its seed and askings."""
    command = (manifest.NIGHTLY, str(campaign.path), *sys.argv[2:])
    # What ended a night early, such as an expired token, must not raise the alarm once it is over.
    how = RunSettings(recordings=settings.recordings, resume=settings.resume, retry_errors=True, command=command)
    if against is None:
        # Every answer of what may become a baseline is compared.
        campaign = replace(campaign, stop_when_sure=False)
        # The control asks what is right once more; without it, whatever is right must be asked twice.
        least = 1 if any(attack.name == CONTROL for _, attack in campaign.attacks) else BASELINE_ASKINGS
        return prepare(replace(campaign, repeat=max(least, campaign.repeat)), how)
    job = asked_again(campaign, against.folder, how)
    before = against.before.questions.items()
    watched = frozenset(question for question, seen in before if right_askings(seen) or seen.standing == "unsure")
    return replace(job, plan=replace(job.plan, watched=watched))


def planned(path: Path, settings: NightSettings) -> str:
    """What a night would ask, and of which baseline; nothing is asked or written."""
    campaign, baseline = _begun(path, settings)
    if baseline is None:
        return f"baseline   none in {settings.recordings}: the night asks the whole campaign\n{describe(campaign)}"
    suite = f"{count(baseline.questions, 'original')} and {count(baseline.variants, 'variant')}"
    asks = f"baseline   {baseline.run}, set {baseline.since}: {suite} are asked again"
    edited = _edited(campaign, baseline.folder(settings.recordings))
    return "\n".join([asks, *filter(None, [edited]), *asked_bot(campaign.target), NOTHING])


class _Against:
    """Compares a night with its baseline, which is judged as the night is, so that its own reports tell of it."""

    def __init__(self, campaign: CampaignConfig, folder: Path, before: Side, figures: Figures, *, again: bool) -> None:
        """`again` says that the baseline was judged again, as the night is."""
        self._campaign = campaign
        self._figures = figures
        self._least = campaign.alarm.lost_answers
        self.folder = folder
        self.again = again
        self.before = before
        self.side = Side()

    @classmethod
    def of(cls, campaign: CampaignConfig, folder: Path) -> _Against:
        before, metrics, judged = Side(), Metrics(), as_judged_by(campaign, folder)
        for event in judged.events():
            before.update(event)
            metrics.update(event)
        before.settle()
        return cls(campaign, folder, before, metrics.value(), again=judged.again)

    def conclude(self, figures: Figures) -> Ending:
        since = Against.of(self.before, self.side, self._least)
        return conclusion.conclude_against(self._campaign, figures, self._figures, since)

    def comparison(self, result: Result, folder: Path, edited: str) -> RunComparison:
        found = compare(self.before, result.events(), self._least)
        gates = tuple(gate.sentence for gate in result.figures.gates if gate.failed)
        notes = (*filter(None, [edited]), *found.notes)
        return replace(found, recording=str(folder), gates=gates, notes=notes)


def _explained(night: Night, told: Story | None, campaign: CampaignConfig, shown: Shown) -> tuple[Night, Story | None]:
    """Why answers were lost, if the campaign wants to know; a night does not end otherwise if that cannot be asked."""
    # A night that stopped has no budget left, or no bot, to ask why.
    lost = night.comparison.lost.confirmed if night.comparison and night.exit in (0, 1) else ()
    if not (told and lost and campaign.why and night.folder and night.comparison and night.figures):
        return night, told
    try:
        figures = reasons(night.folder, campaign, campaign.why.each, lost)
    except BotattackError as error:
        shown.say(f"why answers were lost was not asked: {error}")
        return night, told
    texts = {one.question_id: one.alteration.question for one in night.comparison.originals(lost)}
    found = figures.why.explained if figures.why else ()
    whys = {texts[one.question]: f"{diagnoses.cause_verdict(one)}: {one.told}" for one in found}
    for question, why in whys.items():
        shown.say(f"lost: {visible(question)}: {why}")
    more, all_sent = figures.requests.sent, night.figures.requests.sent + figures.requests.sent
    asked = f"Asking why took {count(more, 'more request')}: the night sent {all_sent:,} in all."
    shown.say(asked)
    return replace(night, reasons=whys), replace(told, blocks=(*told.blocks, *why_lost(figures, asked)))


def _pinned(night: Night, settings: NightSettings, shown: Shown) -> Night:
    """A night that was compared with nothing: the baseline of those to come, if that is wanted."""
    assert night.folder is not None  # noqa: S101  # it was just run
    if not settings.pin or night.exit not in (0, 1):
        set_it = command("nightly", "baseline", "set", str(night.folder))
        pinning = f"; pin this night with {set_it}" if night.exit in (0, 1) else ""
        shown.say(f"not compared: no baseline yet{pinning}")
        return night
    made = pin(night.folder, settings.baseline)
    shown.say(
        f"not compared: this night is the baseline {made.name} from now on: "
        f"{made.baseline.questions:,} originals and {made.baseline.variants:,} variants"
    )
    for sentence in made.warnings():
        shown.say(sentence)
    return replace(night, pinned=made.name)


def _write_reports(night: Night, source: Material) -> None:
    assert night.folder is not None  # noqa: S101  # it was just run
    for report in REPORTS:
        write_report(night.folder / report, source)
    if night.comparison is not None:
        for report in COMPARISONS:
            FILES.write(night.folder / report, night.comparison)
    with suppress(OSError):
        summary.write(night.folder, source.figures)
    sealing.add(night.folder)


def _tidy(settings: NightSettings, current: Path, target: str) -> Iterator[str]:
    """Deletes old nights of this target; never a baseline's, the current one, or what no night made."""
    if settings.keep_nights is None:
        return
    pinned = baselines.pinned(settings.recordings)
    kept = {current.resolve(), *(baseline.folder(settings.recordings).resolve() for baseline in pinned)}
    every = reversed(manifest.recorded_in(settings.recordings))
    nights = [each for each in every if each[1].is_night and each[1].target == target and not each[0].is_symlink()]
    for folder, _ in nights[settings.keep_nights :]:
        if folder.resolve() not in kept:
            shutil.rmtree(folder, ignore_errors=True)
            yield folder.name

"""Audits a bot, has it retrained on one half of the questions, and audits the other half again.

Each step leaves what it did in the folder of the hardening: one that is continued repeats nothing that was done.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

import msgspec

from botattack.audit.asked_again import asked_again
from botattack.audit.conduct import Waiting, conduct
from botattack.audit.hardening.folder import HardenFolder, Progress, opened, resumed
from botattack.audit.hardening.retraining import RetrainingFailed, check_program, retrain
from botattack.audit.job import Job, RunSettings, load_questions, prepare
from botattack.audit.replays.replaying import by_one_judge
from botattack.audit.secrets import redactor_of
from botattack.audit.stage import Stage, View
from botattack.cases import cases
from botattack.config.campaign import CampaignConfig
from botattack.config.run_keys import HardenKeys
from botattack.engine.boilerplate import learned
from botattack.engine.ending import Ending
from botattack.errors import BotattackError, Unreachable
from botattack.events import Asked, QuestionOpened, RunEnded
from botattack.protocols import BadRecord
from botattack.questions.order import bad_places
from botattack.recordings import manifest
from botattack.recordings.again import without_errors
from botattack.recordings.reader import events
from botattack.recordings.triage import marked_events
from botattack.report.comparison.hardened import Hardened, Training, hardened
from botattack.report.numbers import count
from botattack.report.statistics.intervals import MIN_QUESTIONS
from botattack.report.training_sets.examples import Halves, plain_answers
from botattack.report.training_sets.exporting import export, order_of


@dataclass(frozen=True)
class Shown:
    """How a hardening is shown: the view of each audit, a line for each step, and one if the run waits while another
    process asks the bot."""

    view: Callable[[Job], AbstractContextManager[View]]
    say: Callable[[str], None]
    waiting: Waiting | None = None


@dataclass(frozen=True)
class Hardening:
    """How a hardening ended. `found` is None if it stopped on the way; then it can be continued in `folder`."""

    folder: Path
    ending: Ending
    found: Hardened | None = None


def harden(campaign: CampaignConfig, settings: RunSettings, shown: Shown) -> Hardening:
    """Does what is not done yet. Raises BotattackError if it cannot begin, or if there is nothing to train on."""
    keys = campaign.harden
    if keys is None:
        raise BotattackError(
            f"{campaign.path} does not say how the bot is retrained; add harden: {{retrain: …, for: …}}"
        )
    assert campaign.path is not None  # noqa: S101  # it has a part `harden`
    check_program(keys.retrain.words[0], campaign.path.parent, campaign.target.env)
    folder = opened(campaign, keys, _questions(campaign, shown.say), settings.recordings, settings.resume)
    shown.say(f"hardening  {folder.path}")
    with folder.locked():
        return _Steps(campaign, keys, folder, settings, shown).all()


def _questions(campaign: CampaignConfig, say: Callable[[str], None]) -> str:
    """How many there are, and their digest. Raises BotattackError if a bot cannot be taught any of them."""
    bad: list[BadRecord] = []
    with load_questions(campaign, bad) as questions:
        if bad:
            say(f"skipped    {bad_places(questions.bad_records, bad)}")
        halves = Halves(question for question, _ in questions)
        if not any(plain_answers(question) and halves(question) == "train" for question, _ in questions):
            raise BotattackError(
                f"{campaign.questions.file}: no question of the half for training has an answer in plain text, "
                "which the bot could be taught; add answers, or more questions"
            )
        test = sum(halves(question) == "test" for question, _ in questions)
        if test < MIN_QUESTIONS:
            say(
                f"warning: {count(test, 'question')} of {len(questions):,} can be asked again after retraining, and at "
                f"least {MIN_QUESTIONS} are needed to tell whether it helped; add questions"
            )
        return f"{len(questions)} {questions.digest}"


@dataclass(frozen=True)
class _Steps:
    campaign: CampaignConfig
    keys: HardenKeys
    folder: HardenFolder
    settings: RunSettings
    """`resume` is a folder of a hardening here, and each audit has its own."""
    shown: Shown

    def all(self) -> Hardening:
        if ending := self._audited("before", self.folder.before, self._before()):
            return Hardening(self.folder.path, ending)
        progress = self._exported(self.folder.read())
        try:
            progress = self._retrained(progress)
        except RetrainingFailed as error:
            return Hardening(self.folder.path, Ending(error.exit_status, str(error)))
        except KeyboardInterrupt:
            return Hardening(self.folder.path, Ending(130, "interrupted"))
        if ending := self._audited("after", self.folder.after, self._after()):
            return Hardening(self.folder.path, self._unless_away(progress, ending))
        before, after = by_one_judge(self.folder.before, self.folder.after)
        assert progress.training and progress.seconds is not None  # noqa: S101, PT018  # both were just made sure of
        found = hardened(
            before.events(),
            after.events(),
            self._halves,
            training=progress.training,
            seconds=progress.seconds,
            searched=self._searched,
        )
        return Hardening(self.folder.path, Ending(0, found.verdict), found)

    def _before(self) -> Job:
        """All questions with all attacks. Every answer is compared: nothing may end the audit early."""
        campaign = replace(self.campaign, gates=(), stop_when_sure=False)
        return prepare(campaign, replace(self.settings, resume=resumed(self.folder.before)))

    def _after(self) -> Job:
        """What was asked of the test half, once more."""
        campaign = replace(self.campaign, gates=())
        if campaign.target.boilerplate is None:
            around = learned(events(self.folder.before))
            campaign = replace(campaign, target=replace(campaign.target, learned=around))
        return asked_again(
            campaign,
            self.folder.before,
            replace(self.settings, resume=resumed(self.folder.after)),
            wanted=lambda question: self._halves(question) == "test",
            live=self._searched,
        )

    @cached_property
    def _halves(self) -> Halves:
        asked = events(self.folder.before)
        return Halves(event.question for event in asked if isinstance(event, QuestionOpened))

    @property
    def _searched(self) -> tuple[str, ...]:
        """Attacks whose variants depend on replies: what they found against one bot is too easy for another."""
        return tuple(label for label, attack in self.campaign.attacks if attack.counts_questions)

    def _unless_away(self, progress: Progress, ending: Ending) -> Ending:
        """If the bot has not answered since it was retrained, retraining is repeated next time."""
        if ending.exit != Unreachable.exit_status or _answered(self.folder.after):
            return ending
        self.folder.write(msgspec.structs.replace(progress, seconds=None))
        told = (
            "harden.retrain ended with status 0, but the bot does not answer; fix the command: --resume runs it again"
        )
        return Ending(ending.exit, f"{told} ({ending.why})")

    def _audited(self, which: str, recording: Path, job: Job) -> Ending | None:
        """None once the audit is complete, else why it stopped."""
        if _complete(recording):
            return None
        if resumed(recording):
            # A bot that was not there, or broke, may be repaired by now.
            without_errors(recording, idempotent=self.campaign.target.limits.idempotent)
        self.shown.say(f"audit {which} retraining")
        job = replace(job, folder=recording)
        with self.shown.view(job) as view:
            ending = conduct(Stage(job, [view]), waiting=self.shown.waiting)
        return ending if ending.exit else None

    def _exported(self, progress: Progress) -> Progress:
        """The training set of the train half."""
        if progress.training is not None and self.folder.training_set.is_file():
            return progress
        keys, before = self.keys, self.folder.before
        order = order_of(
            keys.for_,
            share=keys.share,
            seed=self.campaign.seed,
            per_attack=keys.per_attack,
            originals=keys.originals,
            lang=keys.lang or "",
        )
        run = manifest.read(before).run
        made = export(run, lambda: cases(marked_events(before)), keys.for_, order, self.folder.training_set)
        attacks = {name or "unchanged": number for name, number in sorted(made.attacks.items())}
        training = Training(keys.for_, made.rows, made.questions, attacks, dict(made.left_out))
        self.shown.say(f"training set of {made.rows:,} rows: {self.folder.training_set}")
        return self.folder.write(msgspec.structs.replace(progress, training=training, seconds=None))

    def _retrained(self, progress: Progress) -> Progress:
        if progress.seconds is not None:
            return progress
        target, path = self.campaign.target, self.campaign.path
        assert path is not None  # noqa: S101  # it has a part `harden`
        words = self.keys.command(self.folder.training_set)
        self.shown.say(f"retraining with {words[0]}")
        mask = redactor_of(target).mask
        shown = partial(mask.excerpt, last=True)
        seconds = retrain(words, path.parent, target.env, self.keys.timeout, shown)
        return self.folder.write(msgspec.structs.replace(progress, seconds=seconds))


def _answered(recording: Path) -> bool:
    """Whether the bot gave a reply."""
    return resumed(recording) is not None and any(
        isinstance(event, Asked) and event.failure is None for event in events(recording)
    )


def _complete(recording: Path) -> bool:
    """Whether an audit came to its end."""
    if resumed(recording) is None:
        return False
    endings = [event.exit for event in events(recording) if isinstance(event, RunEnded)]
    return bool(endings) and endings[-1] == 0

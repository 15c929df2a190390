"""A recording judged again today, offline.

For `--reextract` the target file is read; nothing of it is asked or looked up, and nothing run but a function of its
own that finds answers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from botattack.audit.judged import boilerplate_of, judged_by
from botattack.audit.replays.shares import MOST, ReplaySettings, judged_in_shares
from botattack.config.campaign import CampaignConfig
from botattack.config.plugs import matcher_from, with_weights
from botattack.config.target import TargetConfig, load_target
from botattack.engine.judging import Judging
from botattack.errors import BotattackError, RecordingError, TargetError
from botattack.events import AnyEvent, BoilerplateKnown, Event, JudgedBy, OriginalJudged, decode
from botattack.matchers.judge import Judge
from botattack.matchers.own import OwnReference
from botattack.matchers.weights import BadWeights, Weights, read_weights
from botattack.model import Reply
from botattack.protocols import Matcher
from botattack.recordings import manifest
from botattack.recordings.manifest import Manifest
from botattack.recordings.reader import events, lines
from botattack.recordings.rejudge import reextracted, rejudged
from botattack.recordings.triage import beside, marked_events, with_marks
from botattack.text.boilerplate import Boilerplate

LOOPBACK = "127.0.0.1"


class Today(NamedTuple):
    """`again` makes of recorded events what they are today, one for each; `check` raises RecordingError in the end
    where no reply could be read."""

    again: Callable[[Iterable[AnyEvent]], Iterator[AnyEvent]]
    check: Callable[[], None]
    by: JudgedBy


def today(recording: Path, settings: ReplaySettings, learnt: Collection[str] = ()) -> Today:
    """Judging as the run was set up and as it is understood today, after extraction if that is wanted.

    `learnt` is boilerplate beside that of the recording. With more than one job, `again` takes the events of this
    recording and no others, from the first one on. Raises RecordingError, and BadWeights for a file of weights.
    """
    if not 1 <= settings.jobs <= MOST:
        raise BotattackError(f"jobs is {settings.jobs}; use a number from 1 to {MOST}")
    made, target = manifest.read(recording), settings.target
    config = target_of(made, target, allow_code=settings.allow_code) if settings.reextract or target else None
    refusals = config.refusals if config else made.refusals
    known = read_weights(settings.judge) if settings.judge else kept_weights(recording)
    matcher = with_weights(matcher_from(made.settings.get("match")), known)
    around = boilerplate_of(config, made.learned or ()) if config else boilerplate_of(made)
    judging, by = _judging(matcher, refusals, around.knowing(learnt))

    def judged(found: Iterable[AnyEvent]) -> Iterator[AnyEvent]:
        if settings.jobs == 1:
            return rejudged(found, judging, by)
        return judged_in_shares(found, recording, settings, by)

    if not settings.reextract or config is None:
        return Today(judged, lambda: None, by)
    extract = Extractor(config)
    return Today(lambda found: judged(reextracted(found, extract)), extract.check, by)


class Judged(NamedTuple):
    """A recording to compare: `events` gives its events without the verdicts that somebody marked, and `again` says
    whether its verdicts were made again."""

    events: Callable[[], Iterator[Event]]
    again: bool


def by_one_judge(*recordings: Path) -> tuple[Judged, ...]:
    """Recordings with the verdicts of the judge that would judge the last of them today.

    What another judge decided, with another version of its weights or at another operating point, is judged again, so
    that two sides of a comparison differ only if replies do. What any of them learnt of boilerplate holds for all.
    Raises RecordingError.
    """
    made = manifest.read(recordings[-1])
    each = [_learnt(recording) for recording in recordings]
    learnt = frozenset().union(*each) if boilerplate_of(made).learns else frozenset()
    as_of, words = today(recordings[-1], ReplaySettings(), learnt), _words(made, made.settings.get("match"), learnt)
    return tuple(_judged(recording, as_of, words, own) for recording, own in zip(recordings, each, strict=True))


def by_one_matcher(*recordings: Path) -> tuple[Judged, ...]:
    """Recordings of several bots with the verdicts of the matcher that would judge the last of them today. How a bot
    refuses is its own: each is judged with the refusals of its own target file. Raises RecordingError."""
    last = manifest.read(recordings[-1]).settings.get("match")
    matcher = with_weights(matcher_from(last), kept_weights(recordings[-1]))
    return tuple(_by(matcher, last, recording) for recording in recordings)


def _by(matcher: Matcher, match: object, recording: Path) -> Judged:
    made = manifest.read(recording)
    judging, by = _judging(matcher, made.refusals, boilerplate_of(made))
    as_of = Today(partial(rejudged, judging=judging, by=by), lambda: None, by)
    own = _learnt(recording)
    return _judged(recording, as_of, _words(made, match, own), own)


def as_judged_by(campaign: CampaignConfig, recording: Path) -> Judged:
    """A recording with the verdicts of the judge that a campaign has: that of a run about to begin."""
    target = campaign.target
    around = boilerplate_of(target)
    judging, by = _judging(campaign.match, target.refusals, around)
    as_of = Today(partial(rejudged, judging=judging, by=by), lambda: None, by)
    own = _learnt(recording)
    known = {*around.known, *(own if around.learns else ())}
    return _judged(recording, as_of, (campaign.match_tree, target.refusals, known), own)


def _judging(matcher: Matcher, refusals: tuple[str, ...], around: Boilerplate) -> tuple[Judging, JudgedBy]:
    return Judging(Judge(matcher, refusals), OwnReference(refusals=refusals), around), judged_by(matcher)


def _judged(recording: Path, as_of: Today, words: tuple[object, ...], learnt: Collection[str]) -> Judged:
    made = manifest.read(recording)
    had = _words(made, made.settings.get("match"), learnt)
    if _decides(made.judge) == _decides(as_of.by) and had == words:
        return Judged(partial(marked_events, recording), again=False)
    triage = beside(recording)
    return Judged(lambda: with_marks(as_of.again(events(recording)), triage), again=True)


def _words(made: Manifest, match: object, learnt: Collection[str]) -> tuple[object, ...]:
    """What decides beside the judge: the matcher, how the bot refuses, and what it says around its answers."""
    return match, made.refusals, {*(made.boilerplate or ()), *(made.learned or ()), *learnt}


_TELLING = (b'{"event":"boilerplate', b'{"event":"original')
"""How lines begin of which the first says what a run learnt of boilerplate, or that it learnt nothing."""


def _learnt(recording: Path) -> tuple[str, ...]:
    """What a run learnt of boilerplate, which it did before it judged anything; nothing where that cannot be read, as
    whoever reads the rest says so."""
    if not boilerplate_of(manifest.read(recording)).learns:
        return ()
    with suppress(RecordingError):
        for event in lines(recording, decode, only=_TELLING):
            if isinstance(event, BoilerplateKnown) and event.learnt_from:
                return event.sentences
            if isinstance(event, OriginalJudged):
                break
    return ()


def _decides(by: JudgedBy) -> tuple[object, ...]:
    """A version of botattack may read replies in another way with the same weights."""
    return by.botattack, by.matcher, by.digest, by.correct, by.unsure


def kept_weights(recording: Path) -> Weights | None:
    """The weights that the campaign named; None are those of the package. Raises RecordingError."""
    kept = recording / manifest.WEIGHTS
    try:
        return read_weights(kept) if kept.is_file() else None
    except BadWeights as error:
        raise RecordingError(f"{error}, and name the new ones with --judge FILE") from None


class _Unset(dict[str, str]):
    """An environment in which every name is set: no secret is needed to read recorded replies."""

    def get(self, name: str, default: object = None) -> str:
        del name, default
        return "x"

    def __missing__(self, name: str) -> str:
        return "x"


def target_of(made: Manifest, given: Path | None, *, allow_code: bool) -> TargetConfig:
    """The target file as it is today. Raises RecordingError if nobody says which it is, or it is another bot's, and
    what `load_target` raises."""
    path = given or (Path(made.target_file) if made.target_file else None)
    if path is None or not path.is_file():
        where = f"{path} is not there" if path else "this recording does not say which target file it was made with"
        raise RecordingError(f"{where}: name it with --target FILE")
    target = load_target(path, environ=_Unset(), allow_code=allow_code, resolve=lambda _: [LOOPBACK])
    if target.name != made.target:
        raise RecordingError(
            f"{path} is {target.name!r}, and this recording is of {made.target!r}; "
            f"name the file of that bot with --target, or add name: {made.target} to this one"
        )
    return target


class Extractor:
    """Reads raw replies as the target file says, and notes whether that ever succeeds.

    Raises RecordingError for a kind of bot that keeps none.
    """

    def __init__(self, target: TargetConfig) -> None:
        extract = target.options.extractor(target.path.parent)
        if extract is None:
            raise RecordingError(f"replies of a {target.kind} bot cannot be extracted again")
        self._target = target
        self._extract: Callable[[str], Reply] = extract
        self._read = False
        self._failure: BotattackError | None = None

    def __call__(self, raw: str) -> Reply:
        try:
            reply = self._extract(raw)
        except BotattackError as error:
            self._failure = error
            raise
        self._read = True
        return reply

    def check(self) -> None:
        """Raises RecordingError, with the place in the target file, where no reply could be read."""
        if self._failure is None or self._read:
            return
        place = self._failure.place if isinstance(self._failure, TargetError) else ""
        where = f"{self._target.where(place)}: {place}" if place else str(self._target.path)
        raise RecordingError(f"no reply of this recording can be read as {where} says; the last: {self._failure}")

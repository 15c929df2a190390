"""What `botattack shrink` and `why` do: take what a run found, or a night lost, and ask the bot further about it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import compress, count, groupby, islice
from pathlib import Path
from typing import Any, NamedTuple

from botattack.attacks.building.diagnosing import MOST
from botattack.attacks.combined.failures import NOBODY, Easy, Failure
from botattack.attacks.combined.shrink import ASKINGS, Broke, Shrink
from botattack.attacks.combined.why import Why
from botattack.attacks.passages.distractor import Pool, is_free
from botattack.attacks.passages.reading import golds_of
from botattack.audit.conduct import conduct
from botattack.audit.given import campaign
from botattack.audit.job import Job, RunSettings, prepare
from botattack.audit.replays.replaying import kept_weights
from botattack.audit.stage import Stage
from botattack.cases import QuestionCase, VariantCase, cases
from botattack.config.campaign import CampaignConfig
from botattack.config.flags import with_flags
from botattack.config.plugs import matcher_from, with_weights
from botattack.config.run_keys import Changes
from botattack.config.target import TargetConfig, load_target
from botattack.engine.boilerplate import learned
from botattack.errors import RecordingError
from botattack.events import Asked, RunEnded, Shrinks, Unexplained, Whys
from botattack.limits import Budget
from botattack.model import CONTROL, Question, Variant, edited, says_decoy
from botattack.recordings import manifest
from botattack.recordings.manifest import Manifest
from botattack.recordings.reader import events
from botattack.recordings.suite import Recorded, refuse_masked
from botattack.recordings.triage import marked_events
from botattack.report.figures.chance import CHANCE
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.findings import Finding, Findings, findings_of
from botattack.report.statistics.intervals import wilson
from botattack.report.statistics.significance import fisher
from botattack.report.writers.material import write_report
from botattack.text.tokens import words

LIMIT = 20
"""Findings that are taken up unless somebody says how many."""
ORIGINAL = "original"
"""What failures of unchanged questions are called."""
NOISY = 0.05
"""The share of repeated questions that may break (95 % interval) from which on a single failure may be chance."""
BURST = 3
"""Conversations in a row that get one wrong reply if the bot is down: of two, one may be chance."""
OTHERS = 2
"""Passages that are sent beside the supporting one: most bots read about three."""
EASY = 12
"""Easy questions that a failure knows of: what is put in beside a question is hardly longer than so many."""
_SHORT = 6
"""Words that the answer to an easy question has at most: a reply is searched for them."""


@dataclass(frozen=True, kw_only=True)
class FurtherSettings:
    """The run that is asked about, and the target file of its bot if that has moved."""

    recording: Path
    target: Path | None = None
    allow_code: bool = False


@dataclass(frozen=True, kw_only=True)
class ShrinkSettings(FurtherSettings):
    """What is to be shrunk: findings of these `units`, or, without any, the `limit` that its report would show first.
    `askings` is how many in a row must break the bot."""

    units: tuple[str, ...] = ()
    limit: int = LIMIT
    askings: int = ASKINGS


class _Found(NamedTuple):
    question: Question
    attack: str
    broke: Broke


def shrink_job(what: ShrinkSettings, settings: RunSettings, changes: Changes) -> Job:
    """Raises RecordingError if the recording has no such finding, or if the bot is not asked as it was then."""
    wanted, of = _wanted(what)
    found = _findings(what, wanted)
    labels = dict.fromkeys(each.attack for each in found)
    made, config = _campaign(what, changes, repeat=what.askings)
    config = replace(config, attacks=tuple((label, _shrink(label, made.run, found, what)) for label in labels))
    shrinks = Shrinks(made.run, len(found), what.askings, of)
    return _job(made, config, settings, (each.question for each in found), "shrink the findings", shrinks=shrinks)


def _job(
    made: Manifest, config: CampaignConfig, settings: RunSettings, of: Iterable[Question], doing: str, **plan: Any
) -> Job:
    """Asks further about questions of an earlier run. Raises RecordingError if the bot is not asked as it was then."""
    questions = {each.id: each for each in of}
    refuse_masked(questions.values())
    job = prepare(config, settings)
    manifest.refuse_connection(made, job.manifest, f"cannot {doing} of {made.run}")
    return replace(job, plan=replace(job.plan, **plan), suite=Recorded(made.run, tuple(questions.values())))


def _campaign(what: FurtherSettings, changes: Changes, repeat: int = 1) -> tuple[Manifest, CampaignConfig]:
    """The campaign of a recording, as it tells it, over the target file of today."""
    recording, made = what.recording, manifest.read(what.recording)
    path = what.target or Path(made.target_file)
    if not path.is_file():
        raise RecordingError(f"the target file {path} is not there; name it with --target FILE")
    target = load_target(path, allow_code=what.allow_code)
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
    return made, with_flags(replace(found, match=match, weights=known), changes)


def _shrink(label: str, run: str, found: Iterable[_Found], what: ShrinkSettings) -> Shrink:
    of_question: dict[str, list[Broke]] = {}
    for question, attack, broke in found:
        if attack == label:
            of_question.setdefault(question.id, []).append(broke)
    return Shrink.of(label, run, of_question, what.askings)


def _findings(what: ShrinkSettings, wanted: Mapping[tuple[str, str, str], None]) -> list[_Found]:
    """In the order in which the report shows them."""
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


def _wanted(what: ShrinkSettings) -> tuple[dict[tuple[str, str, str], None], int]:
    """Question, unit and attack of the findings that were named, or that the report shows first, of how many."""
    shown, named, of = Findings(what.limit), list[Finding](), 0
    for case in cases(marked_events(what.recording)):
        if what.units:
            named += (one for one in findings_of(case) if one.unit in what.units)
        else:
            shown.add(case)
            of += sum(1 for _ in findings_of(case))
    if missing := set(what.units).difference(one.unit for one in named):
        raise RecordingError(
            f"{what.recording} has no finding {sorted(missing)[0]!r}: name a unit that its report shows as broken"
        )
    return dict.fromkeys((one.question_id, one.unit, one.attack) for one in named or shown.value()), of


def _of(case: QuestionCase, variant: VariantCase) -> _Found | None:
    """None for what cannot be shrunk: a part of an edit that changes what is right may not change it."""
    judged, question = variant.judged, case.question
    with suppress(ValueError):
        as_edited = edited(question.turns, judged.edits) == variant.alteration.sent
        if as_edited and judged.play is None and judged.expect == "same" and judged.reference == "gold":
            return _Found(question, judged.attack, Broke(judged.unit, judged.edits, judged.decoy))
    return None


@dataclass(frozen=True, kw_only=True)
class WhySettings(FurtherSettings):
    """Whose causes are looked for: `each` failures of each attack (0 for all), of the attacks named `only` and of the
    questions with these ids, if any are. `most` is how many askings each takes."""

    each: int
    only: tuple[str, ...] = ()
    questions: Collection[str] = ()
    most: int = MOST


class _Run:
    """What is read of a run. `asks` are the words of each question, in lower case; `words` as they are written."""

    def __init__(self, recording: Path) -> None:
        self.broken = defaultdict[str, list[Failure]](list)
        self.questions, self.easy = dict[str, Question](), list[Easy]()
        self.asks, self.words = dict[str, frozenset[str]](), dict[str, str]()
        self.results = Counter[tuple[str, str]]()
        for case in cases(marked_events(recording)):
            question, said = case.question, [word.text for word in words(case.question.text)]
            # What is written in lower case anywhere is: capitals begin a sentence.
            self.words |= {word.lower(): word for word in said if word.islower() or word.lower() not in self.words}
            self.asks[question.id] = frozenset(map(str.lower, said))
            self.questions[question.id] = question
            self.results.update((one.attack, one.result) for one in case.judged)
            self.results[ORIGINAL, "robust" if case.right else "success"] += case.original is not None
            if case.number >= 0:
                for failure in _failures(case):
                    self.broken[failure.attack].append(failure)
                # It can be asked about another's words: of one turn, with a short answer.
                if case.right and len(question.turns) == 1:
                    short = (text for text in self.said(question.id, case.first) if len(text.split()) <= _SHORT)
                    self.easy += [Easy(question, text) for text in islice(short, 1)]
        self.pool = Pool([text for question in self.questions.values() for text in question.passages])

    def noise(self, failure: Failure) -> Iterable[str]:
        """Whether one failure may be chance: repeated questions broke, or its attack broke not clearly more. A bot that
        errs by chance seldom gives the old answer where another one is right."""
        broke, held = (self.results[failure.attack, result] for result in ("success", "robust"))
        noise, same = (self.results[CONTROL, result] for result in ("success", "robust"))
        often = noise > 0 and wilson(noise, noise + same)[1] > NOISY
        rare = noise + same > 0 and fisher(broke, broke + held, noise, noise + same) >= CHANCE
        return compress(("noisy", "again twice"), (often, rare)) if failure.variant.expect == "same" else ()

    def said(self, question: str, asked: Asked | None) -> list[str]:
        """The gold answers of a question that a reply says."""
        answers = golds_of(self.questions[question]) if question in self.questions else ()
        return [one for one in answers if asked and asked.replies and says_decoy(one, asked.replies[-1])]


def why_job(what: WhySettings, settings: RunSettings, changes: Changes) -> Job:
    """Raises RecordingError if nothing failed in the recording, or if the bot is not asked as it was then."""
    read = _Run(what.recording)
    chosen, known = list(_chosen(what, read)), ", ".join(sorted(read.broken)) or "none"
    if not chosen or set(what.only) - read.broken.keys():
        raise RecordingError(f"{what.recording}: nothing to explain; these attacks broke the bot: {known}")
    # One at a time: what a conversation leaves to another would be taken for what was asked.
    made, config = _campaign(what, replace(changes, concurrency=1))
    beside = dict(_beside(what.recording, read))
    found = [_known(each, read, config.target, beside.get(each.variant.parent, ())) for each in chosen]
    why = Why(made.run, what.each, what.only, what.most, found)
    config = replace(config, window=1, attacks=((why.name, why),))
    told = tuple(Unexplained(one.question.id, one.variant.parent, one.attack, one.has(), one.got) for one in found)
    whys = Whys(made.run, what.most, told, {one.attack: len(read.broken[one.attack]) for one in found})
    questions, pinned = [one.question for one in found], frozenset(one.question.id for one in found)
    return _job(made, config, settings, questions, "explain the failures", whys=whys, pinned=pinned)


def _beside(recording: Path, read: _Run) -> Iterator[tuple[str, list[str]]]:
    """Of each asking, what the conversations that ended before and after it show."""
    asked = (event for event in events(recording) if isinstance(event, Asked))
    before = ""
    for _, alike in groupby(asked, lambda one: one.reply):
        row = list(alike)
        # One reply in a row, which does not answer all that were asked.
        burst = len(row) >= BURST and bool(row[0].reply) and not all(read.said(one.question, one) for one in row)
        for one in row:
            leaked = before != one.question and read.said(before, one)
            yield one.unit, list(compress(("burst", "leaked"), (burst, leaked)))
            before = one.question


def _failures(case: QuestionCase) -> Iterator[Failure]:
    question, original = case.question, case.original
    if original and original.standing in ("wrong", "refused"):
        asked = Variant(question.turns, Why.name, parent=case.unit)
        yield Failure(question, ORIGINAL, asked, frozenset([original.standing]), got=case.reply)
    judged = {(one.unit, one.attack): one for one in case.judged}
    for found in findings_of(case):
        one = judged[found.unit, found.attack]
        if sent := found.alteration.sent:
            kept = {name: getattr(one, name) for name in ("edits", "expect", "distance", "decoy", "right")}
            asked = Variant(sent, Why.name, parent=one.unit, **kept)
            yield Failure(question, one.attack, asked, frozenset(["was right", one.verdict.kind]), got=found.got)


def _chosen(what: WhySettings, read: _Run) -> Iterator[Failure]:
    """Some of each attack, of different questions first. Unit ids are hashes, so that their order is a random one."""
    for label, found in read.broken.items():
        wanted = (one for one in found if not what.questions or one.question.id in what.questions)
        if not what.only or label in what.only:
            nth = defaultdict[str, Iterator[int]](count)
            by_unit = sorted(wanted, key=lambda one: one.variant.parent)
            yield from sorted(by_unit, key=lambda one: next(nth[one.question.id]))[: what.each or None]


def _known(failure: Failure, read: _Run, target: TargetConfig, beside: Iterable[str]) -> Failure:
    """A failure with all that its probes are made of."""
    question, mine = failure.question, read.asks[failure.question.id]
    right = {answer.text.casefold() for answer in question.answers}
    easy = (one for one in read.easy if one.answer.casefold() not in right)
    unlike = sorted(easy, key=lambda one: (len(mine & read.asks[one.question.id]), one.question.text))[:EASY]
    unlike += [NOBODY] * (2 - len(unlike))
    near = (read.pool.texts[number] for number in read.pool.nearest(failure.variant.prompt.text))
    carried = question.carrier in ("message", "turn") or (question.carrier == "request" and "passage" in target.carries)
    others = islice((text for text in near if is_free(text, question)), 0 if carried else OTHERS)
    held = ["held"] * (question.carrier == "document" and target.options.holds_passages)
    seen = failure.seen.union(read.noise(failure), beside, held)
    given = carried and bool(question.passages)
    return replace(failure, seen=seen, words=read.words, given=given, unlike=tuple(unlike), others=tuple(others))


def reasons(folder: Path, campaign: CampaignConfig, each: int, lost: Collection[str]) -> Figures:
    """Asks about `each` of the lost answers, and writes `why.html` and `why.json` into the folder of the night. Raises
    RecordingError if nothing is left of the budget."""
    what = WhySettings(recording=folder, each=each, only=(ORIGINAL,), questions=lost, allow_code=campaign.allow_code)
    settings = RunSettings(recordings=folder / manifest.WHY, command=(manifest.WHY, str(folder)))
    stage = Stage(why_job(what, settings, Changes(budget=_left(folder, campaign.budget))))
    conduct(stage)
    result = stage.result()
    for ending in ("html", "json"):
        write_report(folder / f"why.{ending}", result.material)
    return result.figures


def _left(folder: Path, budget: Budget) -> str:
    """What the night has left of its budget, as a flag says it."""
    *_, ended = (event for event in events(folder) if isinstance(event, RunEnded))
    left = {name: most - getattr(ended, name) for name, most in asdict(budget).items() if most is not None}
    if used := [name for name, more in left.items() if more <= 0]:
        raise RecordingError(f"the night has used up its budget of {used[0]}; raise it in the campaign")
    return ",".join(f"{name}={more}" for name, more in left.items())

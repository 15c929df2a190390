"""What `botattack why` does: takes failures of a recorded run and asks the bot what shows their causes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from heapq import nsmallest
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from botattack.attacks.building.diagnosing import MOST
from botattack.attacks.building.failures import Easy, Failed, Failure
from botattack.attacks.combined.normalising import in_known_words, normalised
from botattack.attacks.combined.why import OWN, Asks, Why
from botattack.audit.job import Job, RunSettings, prepare
from botattack.audit.shrinking import campaign_of
from botattack.cases import QuestionCase, cases
from botattack.config.flags import with_flags
from botattack.config.run_keys import Changes
from botattack.errors import MissingPart, RecordingError
from botattack.events import Asked, Unexplained, Whys
from botattack.model import CONTROL, Question, Turns, says_decoy
from botattack.recordings import manifest
from botattack.recordings.reader import events
from botattack.recordings.suite import Recorded, refuse_masked
from botattack.recordings.triage import marked_events
from botattack.report.figures.findings import findings_of
from botattack.text.parts.speller import Speller, load
from botattack.text.tokens import words

ORIGINAL = "original"
"""What failures of unchanged questions are called."""
EACH = 4
"""Failures of each attack that are taken up unless somebody says how many."""
NOISY = 0.05
"""The share of repeated questions that break from which on a single failure may be chance."""
_SHORT = 6
"""Words that the answer to an easy question has at most: a reply is searched for them."""


@dataclass(frozen=True)
class WhySettings:
    """Whose causes are looked for: `each` failures of each attack (0 for all), of the attacks named `only` and of the
    questions with these ids, if any are. `most` is how many askings each takes."""

    recording: Path
    each: int = EACH
    only: tuple[str, ...] = ()
    questions: frozenset[str] = frozenset()
    most: int = MOST
    target: Path | None = None
    allow_code: bool = False


class _Found(NamedTuple):
    question: Question
    attack: str
    failed: Failed


class _Beside(NamedTuple):
    before: Turns = ()
    leaked: bool = False
    burst: bool = False


@dataclass
class _Read:
    """What is read of a run."""

    broken: dict[str, list[_Found]] = field(default_factory=lambda: defaultdict(list))
    easy: list[tuple[str, Easy]] = field(default_factory=list)
    words: dict[str, None] = field(default_factory=dict)
    control: Counter[str] = field(default_factory=Counter)
    asks: dict[str, frozenset[str]] = field(default_factory=dict)
    answers: dict[str, list[str]] = field(default_factory=dict)

    @cached_property
    def lower(self) -> frozenset[str]:
        return frozenset(word.lower() for word in self.words)

    def answered(self, question: str, asked: Asked) -> bool:
        return bool(asked.replies) and any(says_decoy(one, asked.replies[-1]) for one in self.answers.get(question, ()))

    @property
    def noisy(self) -> bool:
        control = self.control
        return control["success"] > NOISY * (control["success"] + control["robust"])


def job_of(what: WhySettings, settings: RunSettings, changes: Changes) -> Job:
    """Raises RecordingError if nothing failed in the recording, or if the bot is not asked as it was then."""
    made, read = manifest.read(what.recording), _read(what.recording)
    if not (found := list(_chosen(what, read))):
        raise RecordingError(f"{what.recording}: nothing to explain: nothing broke the bot, or not by these attacks")
    refuse_masked(each.question for each in found)
    config = campaign_of(what.recording, made, what.target, allow_code=what.allow_code)
    # One at a time: what a conversation leaves to the next shows only if none is in between.
    limits = replace(config.target.limits, concurrency=1)
    config = replace(config, window=1, target=replace(config.target, limits=limits))
    beside = _beside(what.recording, {each.failed.unit for each in found}, read)
    asks = [(each, _asks(each, read, beside, config.target.carries)) for each in found]
    by_question: defaultdict[str, list[Asks]] = defaultdict(list)
    for one, each in asks:
        by_question[one.question.id].append(each)
    why = Why.of(made.run, by_question, what.most)
    if settings.resume:
        _refuse_others(settings.resume, why)
    job = prepare(replace(with_flags(config, changes), attacks=((why.name, why),)), settings)
    manifest.refuse_connection(made, job.manifest, f"cannot explain the failures of {made.run}")
    questions = {each.question.id: each.question for each in found}
    told = tuple(Unexplained(one.question.id, one.failed.unit, one.attack, each.has) for one, each in asks)
    failures = {one.attack: len(read.broken[one.attack]) for one in found}
    plan = replace(job.plan, whys=Whys(made.run, what.most, told, failures), pinned=frozenset(questions))
    return replace(job, plan=plan, suite=Recorded(made.run, tuple(questions.values())))


def _refuse_others(resumed: Path, why: Why) -> None:
    """Raises RecordingError if another choice of failures is to be continued than was begun."""
    begun = manifest.read(resumed)
    was = begun.settings.get("attacks", {}).get(why.name, {}).get(why.name, {})
    if (was.get("units"), was.get("most")) != ([*why.units], why.most):
        raise RecordingError(
            f"cannot resume {begun.run}: it asks about {len(was.get('units', ()))} failures, with at most "
            f"{was.get('most')} requests each, and this command about {len(why.units)}, with at most {why.most}; give "
            "RUN, --each, --attack and --max-requests as it was started with, or leave --resume out"
        )


def _read(recording: Path) -> _Read:
    read = _Read()
    for case in cases(marked_events(recording)):
        said = [word.text for word in words(case.question.text)]
        read.words |= dict.fromkeys(said)
        read.asks[case.question.id] = frozenset(map(str.lower, said))
        read.answers[case.question.id] = [one.text for one in case.question.answers if not one.regex]
        read.control.update(one.result for one in case.judged if one.attack == CONTROL)
        if case.number < 0:
            continue
        if easy := _easy(case):
            read.easy.append((case.question.id, easy))
        for label, failed in _failures(case):
            read.broken[label].append(_Found(case.question, label, failed))
    return read


def _beside(recording: Path, units: Collection[str], read: _Read) -> Mapping[str, _Beside]:
    """Of each asking, what the conversations that ended before and after it show."""
    found, last, waits = dict[str, _Beside](), None, None
    for event in events(recording):
        if not isinstance(event, Asked):
            continue
        if waits and _same_wrong(waits, event, read):
            found[waits.unit] = found[waits.unit]._replace(burst=True)
        waits = None
        if event.unit in units and event.unit not in found:
            waits = event
            found[event.unit] = _Beside()
            if last:
                leaked, burst = _leaked(last, event, read), _same_wrong(event, last, read)
                found[event.unit] = _Beside(last.turns, leaked, burst and not leaked)
        last = event
    return found


def _same_wrong(asked: Asked, other: Asked, read: _Read) -> bool:
    """Whether another conversation ended with the same reply, which does not answer its question."""
    return bool(asked.reply) and asked.reply == other.reply and not read.answered(other.question, other)


def _leaked(before: Asked, asked: Asked, read: _Read) -> bool:
    """Whether a reply answers the question before, or one of which each word was in that question or in its own."""
    said = {word.text.lower() for turn in before.turns for word in words(turn.text)}
    own = {word.text.lower() for turn in asked.turns for word in words(turn.text)}
    near = (name for name, asks in read.asks.items() if asks <= said | own and asks & said - own)
    names = {before.question, *near} - {asked.question}
    return bool(asked.replies) and any(read.answered(name, asked) for name in names)


def _easy(case: QuestionCase) -> Easy | None:
    """A question that was right and can be asked about another's words: of one turn, with a short answer."""
    if not case.right or len(case.question.turns) > 1:
        return None
    answers = [one.text for one in case.question.answers if not one.regex and len(one.text.split()) <= _SHORT]
    first = case.first
    said = (text for text in answers if first and first.replies and says_decoy(text, first.replies[-1]))
    return next((Easy(case.question.turns, text) for text in said), None)


def _failures(case: QuestionCase) -> Iterator[tuple[str, Failed]]:
    original = case.original
    if original and original.standing in ("wrong", "refused"):
        yield ORIGINAL, Failed(case.unit, case.question.turns, refused=original.standing == "refused", was_right=False)
    judged = {(one.unit, one.attack): one for one in case.judged}
    for found in findings_of(case):
        one, sent = judged[found.unit, found.attack], found.alteration.sent
        if sent:
            refused = one.verdict.kind == "refused"
            yield one.attack, Failed(one.unit, sent, one.expect, one.edits, one.decoy, one.right, one.distance, refused)


def _chosen(what: WhySettings, read: _Read) -> Iterator[_Found]:
    """Some of each attack, of different questions first. Unit ids are hashes, so that their order is a random one."""
    if missing := set(what.only) - read.broken.keys():
        known = ", ".join(sorted(read.broken)) or "none"
        raise RecordingError(
            f"{what.recording}: nothing broke under {sorted(missing)[0]!r}; these attacks broke the bot: {known}"
        )
    for label, found in read.broken.items():
        if what.only and label not in what.only:
            continue
        seen, ranked = Counter[str](), list[tuple[int, _Found]]()
        wanted = (one for one in found if not what.questions or one.question.id in what.questions)
        for one in sorted(wanted, key=lambda one: one.failed.unit):
            ranked.append((seen[one.question.id], one))
            seen[one.question.id] += 1
        yield from (one for _, one in sorted(ranked, key=itemgetter(0))[: what.each or None])


def _asks(found: _Found, read: _Read, beside: Mapping[str, _Beside], carries: Collection[str]) -> Asks:
    question, failed = found.question, found.failed
    speller = _speller() if question.language == "en" else None
    # As a speller would that knows the words of the knowledge base.
    undone = tuple(normalised(turn.text, read.words, speller) for turn in failed.turns)
    easy, other = _easy_for(question, read)
    failed = failed._replace(easy=easy, other=other, undone=undone)
    failed = failed._replace(**beside.get(failed.unit, _Beside())._asdict())
    counts = speller.counts if speller else {}
    given = question.carrier in ("message", "turn") or (question.carrier == "request" and "passage" in carries)
    failure = Failure(question, failed, lambda word: word in read.lower or word in counts, given=given)
    own, written, unchanged = in_known_words(failed.turns[-1].text, read.words), failed.turns[-1].text, question.text
    told = {
        "own words alike": own == undone[-1],
        "own words restored": own == unchanged != written,
        OWN: own not in (undone, written, unchanged),
    }
    return Asks(failure, (*failure.has(noisy=read.noisy), *(name for name, holds in told.items() if holds)), own)


def _easy_for(question: Question, read: _Read) -> tuple[Easy, Easy]:
    """The two easy questions that have the fewest words in common with this one, and another answer."""
    mine = {word.text.lower() for word in words(question.text)}
    right = {answer.text.casefold() for answer in question.answers}

    def shared(easy: Easy) -> tuple[int, str]:
        text = easy.turns[-1].text
        return len(mine.intersection(word.text.lower() for word in words(text))), text

    others = (easy for name, easy in read.easy if name != question.id and easy.answer.casefold() not in right)
    first, second, *_ = (*nsmallest(2, others, key=shared), Easy(), Easy())
    return first, second


@cache
def _speller() -> Speller | None:
    """Without the list of words, words are compared with those of the questions alone."""
    try:
        return load()
    except MissingPart:
        return None

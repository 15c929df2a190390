"""What `botattack why` does: takes failures of a recorded run, or lost answers of a night, and asks the bot what shows
their causes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from heapq import nsmallest
from itertools import compress, count, groupby, islice
from pathlib import Path

from botattack.attacks.building.diagnosing import MOST
from botattack.attacks.combined.failures import NOBODY, Easy, Failure
from botattack.attacks.combined.why import Why
from botattack.attacks.passages.distractor import Pool, is_free
from botattack.attacks.passages.reading import golds_of
from botattack.audit.conduct import conduct
from botattack.audit.job import Job, RunSettings
from botattack.audit.shrinking import campaign_of, job_about
from botattack.audit.stage import Stage
from botattack.cases import QuestionCase, cases
from botattack.config.campaign import CampaignConfig
from botattack.config.flags import with_flags
from botattack.config.run_keys import Changes
from botattack.errors import RecordingError
from botattack.events import Asked, RunEnded, Unexplained, Whys
from botattack.limits import Budget
from botattack.model import CONTROL, Question, Variant, says_decoy
from botattack.recordings import manifest
from botattack.recordings.reader import events
from botattack.recordings.suite import refuse_masked
from botattack.recordings.triage import marked_events
from botattack.report.figures.chance import CHANCE
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.findings import findings_of
from botattack.report.statistics.intervals import wilson
from botattack.report.statistics.significance import fisher
from botattack.report.writers.material import write_report
from botattack.text.tokens import words

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


@dataclass(frozen=True)
class WhySettings:
    """Whose causes are looked for: `each` failures of each attack (0 for all), of the attacks named `only` and of the
    questions with these ids, if any are. `most` is how many askings each takes."""

    recording: Path
    each: int
    only: tuple[str, ...] = ()
    questions: frozenset[str] = frozenset()
    most: int = MOST
    target: Path | None = None
    allow_code: bool = False


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
                self.easy += _easy(case)
                for failure in _failures(case):
                    self.broken[failure.attack].append(failure)

    @cached_property
    def pool(self) -> Pool:
        return Pool([text for question in self.questions.values() for text in question.passages])

    def noise(self, failure: Failure) -> Iterator[str]:
        """Whether one failure may be chance: repeated questions broke, or its attack broke not clearly more. A bot that
        errs by chance seldom gives the old answer where another one is right."""
        of = ((name, result) for name in (failure.attack, CONTROL) for result in ("success", "robust"))
        broke, held, noise, same = map(self.results.__getitem__, of)
        often = noise > 0 and wilson(noise, noise + same)[1] > NOISY
        rare = noise + same > 0 and fisher(broke, broke + held, noise, noise + same) >= CHANCE
        if failure.variant.expect == "same":
            yield from compress(("noisy", "again twice"), (often, rare))

    def answered(self, question: str, asked: Asked) -> bool:
        answers = golds_of(self.questions[question]) if asked.replies and question in self.questions else ()
        return any(says_decoy(one, asked.replies[-1]) for one in answers)


def job_of(what: WhySettings, settings: RunSettings, changes: Changes) -> Job:
    """Raises RecordingError if nothing failed in the recording, or if the bot is not asked as it was then."""
    made, read = manifest.read(what.recording), _Run(what.recording)
    chosen, known = list(_chosen(what, read)), ", ".join(sorted(read.broken)) or "none"
    if not chosen or set(what.only) - read.broken.keys():
        raise RecordingError(f"{what.recording}: nothing to explain; these attacks broke the bot: {known}")
    refuse_masked(each.question for each in chosen)
    config = with_flags(campaign_of(what.recording, made, what.target, allow_code=what.allow_code), changes)
    beside = _beside(what.recording, read)
    found = [_known(each, read, config.target.carries, beside.get(each.variant.parent, ())) for each in chosen]
    why = Why(made.run, what.each, what.only, what.most, found)
    # One at a time: what a conversation leaves to another would be taken for what was asked.
    target = replace(config.target, limits=replace(config.target.limits, concurrency=1))
    config = replace(config, window=1, target=target, attacks=((why.name, why),))
    told = tuple(Unexplained(one.question.id, one.variant.parent, one.attack, one.has()) for one in found)
    whys = Whys(made.run, what.most, told, {one.attack: len(read.broken[one.attack]) for one in found})
    questions, pinned = [one.question for one in found], frozenset(one.question.id for one in found)
    return job_about(made, config, settings, questions, "explain the failures", whys=whys, pinned=pinned)


def _beside(recording: Path, read: _Run) -> Mapping[str, list[str]]:
    """Of each asking, what the conversations that ended before and after it show."""
    found = dict[str, list[str]]()
    asked = (event for event in events(recording) if isinstance(event, Asked))
    before = ""
    for _, alike in groupby(asked, lambda one: one.reply):
        row = list(alike)
        # One reply in a row, which does not answer all that were asked.
        burst = len(row) >= BURST and bool(row[0].reply) and not all(read.answered(one.question, one) for one in row)
        for one in row:
            leaked = before not in ("", one.question) and read.answered(before, one)
            found.setdefault(one.unit, list(compress(("burst", "leaked"), (burst, leaked))))
            before = one.question
    return found


def _easy(case: QuestionCase) -> Iterator[Easy]:
    """A question that was right and can be asked about another's words: of one turn, with a short answer."""
    if case.right and len(case.question.turns) == 1 and case.first and case.first.replies:
        short = (text for text in golds_of(case.question) if len(text.split()) <= _SHORT)
        yield from [Easy(case.question, text) for text in short if says_decoy(text, case.first.replies[-1])][:1]


def _failures(case: QuestionCase) -> Iterator[Failure]:
    question, original = case.question, case.original
    if original and original.standing in ("wrong", "refused"):
        asked = Variant(question.turns, Why.name, parent=case.unit, probe=True)
        yield Failure(question, ORIGINAL, asked, frozenset([original.standing]))
    judged = {(one.unit, one.attack): one for one in case.judged}
    for found in findings_of(case):
        one = judged[found.unit, found.attack]
        if sent := found.alteration.sent:
            kept = {name: getattr(one, name) for name in ("edits", "expect", "distance", "decoy", "right")}
            asked = Variant(sent, Why.name, parent=one.unit, probe=True, **kept)
            yield Failure(question, one.attack, asked, frozenset(["was right", one.verdict.kind]))


def _chosen(what: WhySettings, read: _Run) -> Iterator[Failure]:
    """Some of each attack, of different questions first. Unit ids are hashes, so that their order is a random one."""
    for label, found in read.broken.items():
        wanted = (one for one in found if not what.questions or one.question.id in what.questions)
        if not what.only or label in what.only:
            nth = defaultdict[str, Iterator[int]](count)
            by_unit = sorted(wanted, key=lambda one: one.variant.parent)
            yield from sorted(by_unit, key=lambda one: next(nth[one.question.id]))[: what.each or None]


def _known(failure: Failure, read: _Run, carries: Collection[str], beside: Iterable[str]) -> Failure:
    """A failure with all that its probes are made of."""
    question = failure.question
    mine, right = read.asks[question.id], {answer.text.casefold() for answer in question.answers}
    others = (one for one in read.easy if one.answer.casefold() not in right)
    unlike = nsmallest(EASY, others, key=lambda one: (len(mine & read.asks[one.question.id]), one.question.text))
    carried = question.carrier in ("message", "turn") or (question.carrier == "request" and "passage" in carries)
    near = (read.pool.texts[number] for number in read.pool.nearest(failure.last.text))
    return replace(
        failure,
        seen=failure.seen.union(read.noise(failure), beside),
        others=() if carried else tuple(islice((text for text in near if is_free(text, question)), OTHERS)),
        words=read.words,
        given=carried and bool(question.passages),
        unlike=(*unlike, *(NOBODY,) * (2 - len(unlike))),
    )


def reasons(folder: Path, campaign: CampaignConfig, each: int, lost: Collection[str]) -> Figures:
    """Asks about `each` of the lost answers, and writes `why.html` and `why.json` into the folder of the night. Raises
    RecordingError if nothing is left of the budget."""
    what = WhySettings(folder, each, (ORIGINAL,), frozenset(lost), allow_code=campaign.allow_code)
    settings = RunSettings(recordings=folder / manifest.WHY, command=(manifest.WHY, str(folder)))
    stage = Stage(job_of(what, settings, Changes(budget=_left(folder, campaign.budget))))
    conduct([stage])
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

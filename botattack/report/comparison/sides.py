"""One side of a comparison: a run, as far as comparing it with another needs it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Literal, NamedTuple, get_args

import msgspec

from botattack.cases import OpenCases, QuestionCase, VariantCase, cases
from botattack.events import Asked, BoilerplateKnown, Event, OriginalJudged, RunEnded, RunStarted, VariantJudged
from botattack.model import CONTROL, Expect
from botattack.report.figures.broken import BrokenFigures
from botattack.report.figures.citations import WRONG, sources_of, wrong
from botattack.report.figures.figure_values import OF_OWN, RunFigures
from botattack.report.figures.marks import MarkFold
from botattack.report.figures.obeyed import instructed
from botattack.report.figures.remembered import facts
from botattack.report.numbers import count, percent
from botattack.report.wording import verdict_words
from botattack.report.wording.verdict_words import judge_named

Key = tuple[str, str]
"""Row and unit; of a search, which ends with another variant in each run, there is one for a question."""
MARKED = "marked"
"""The standing, or the result, of what somebody marked and no figure counts."""


Misdeed = Literal["instructions obeyed", "facts known elsewhere", "sources that do not say it"]
MISDEEDS: tuple[Misdeed, ...] = get_args(Misdeed)
"""Rows of what a bot did that no rate counts. None is an answer, broken or not."""
KNOWN: Misdeed = "facts known elsewhere"
"""The row of facts, which have nothing to do with the questions: it counts them whatever the bot answers."""
SILENT = "silent"
"""The result of a reply that names no source, and so none that does not say it."""
SLOWER, LONGER = 2.0, 0.5
"""A bot is called slower if its median answer takes so many times as long, and so many seconds more."""
OFTEN = 0.05
"""The least share of requests sent again that a note is worth, if it is also SLOWER times that of before."""
_DID: dict[bool | None, str] = {True: "success", False: "robust", None: SILENT}


@dataclass(slots=True)
class Seen:
    """A question in one run: its standing, how often the original was asked, and the result of each unit by row,
    those of MISDEEDS among them. Where the original was right, or the judge was unsure, `replies` are what the bot said
    to the unchanged question in each asking."""

    standing: str = ""
    results: dict[Key, str] = field(default_factory=dict)
    askings: int = 1
    base: str = ""
    """The question whatever its carrier: what came of it through several doors is no evidence of several questions."""
    replies: tuple[str, ...] = ()
    own: bool = False
    """Whether nothing but the bot's own reply says what is right."""


class Side:
    """One run, as far as comparing needs it; `update` is for a run that is still going."""

    def __init__(self) -> None:
        self.run = RunFigures()
        self._broken: dict[str, BrokenFigures] = {}
        """By question, through whatever doors."""
        self.attacks: dict[str, Expect] = {}
        """What each attack expects."""
        self.tried: set[str] = set()
        """Attacks that made a variant."""
        self.questions: dict[str, Seen] = {}
        self.ended: RunEnded | None = None
        self.took: list[float] = []
        """Seconds of each reply to an unchanged question."""
        self.proven: set[str] = set()
        """Of MISDEEDS, those of which the text of some reply is proof."""
        self.marks = MarkFold()
        self._open = OpenCases()

    def update(self, event: Event) -> None:
        self.note(event)
        if (closed := self._open.update(event)) is not None:
            self.add(closed)

    def settle(self) -> None:
        """Takes in the questions that are still open, as far as they came."""
        for case in self._open:
            self.add(case)

    def note(self, event: Event) -> None:
        """An event of the run itself."""
        self.marks.update(event)
        if isinstance(event, RunStarted):
            run = (event.run, event.target, event.started, 0.0, event.seed, event.filter)
            self.run = RunFigures(*run, judge=event.judge, campaign=event.campaign, flags=event.flags)
            self.attacks = event.attacks
        elif isinstance(event, BoilerplateKnown):
            self.run = replace(self.run, boilerplate=(*self.run.boilerplate, *event.sentences))
        elif isinstance(event, RunEnded):
            self.ended = event

    def add(self, case: QuestionCase) -> Seen:
        results = {key_of(one): str(one.result) for one in case.judged if one.claimed and one.is_outcome}
        self.tried.update(one.attack for one in case.judged)
        self.marks.opened(case.question.text)
        original, standing, askings = case.original, "", 0
        if original is not None:
            standing, askings = original.standing, len(original.units)
            asked = filter(None, map(case.asked.get, original.units))
            self.took += [reply.latency for one in asked for reply in one.replies]
        held: list[VariantJudged] = []
        for marked in case.marked:
            self.marks.update(marked)
            if isinstance(marked.judged, OriginalJudged):
                standing = MARKED if marked.left_out else standing
                continue
            held += [marked.judged] * (marked.holds and not marked.settled)
            if marked.left_out and marked.judged.claimed and marked.judged.is_outcome:
                results[key_of(marked.judged)] = MARKED
        replies = tuple(unchanged_replies(case)) if standing in ("kept", "unsure") else ()
        misdeeds = [*misdeeds_of(case)]
        results |= {one.key: _DID[one.did] for one in misdeeds}
        self.proven.update(one.key[0] for one in misdeeds if one.proven)
        if held:
            unmarked = msgspec.structs.replace(case, judged=held, marked=[], _variants=None)
            results |= {one.key: MARKED for one in misdeeds_of(unmarked)}
        own = original is not None and original.reference == "own"
        seen = Seen(standing, results, askings, case.question.base, replies, own)
        self.questions[case.question.id] = seen
        self._broken[case.question.base] = self._broken.get(case.question.base, BrokenFigures()).add(case)
        return seen

    @property
    def broken(self) -> BrokenFigures:
        """What broke; a question that was asked through several doors counts once."""
        every = [(min(1, one.attacked), min(1, one.questions), one.rated, one.answers) for one in self._broken.values()]
        return BrokenFigures(*map(sum, zip(*every, strict=True)))


class Possible(NamedTuple):
    """A reply that might have obeyed, told a fact of another conversation or cited wrongly, and whether it did; None if
    it names no source. It is `proven` where its text alone shows that, as it says a word that was made up."""

    key: Key
    one: VariantCase
    did: bool | None
    proven: bool = False


def misdeeds_of(case: QuestionCase) -> Iterator[Possible]:
    """Each reply that might have done what no rate counts."""
    obeyed, _, cited = MISDEEDS
    for one in instructed(case):
        if one.one.asked and one.one.asked.replies:
            yield Possible((obeyed, one.one.judged.unit), one.one, one.obeys, one.proven)
    for fact in facts(case):
        if fact.check == "other conversation" and fact.said:
            yield Possible((KNOWN, fact.one.judged.unit), fact.one, fact.leaks, fact.leaks)
    for variant in case.variants:
        if found := sources_of(case, variant):
            did = None if found.keys().isdisjoint(WRONG) else wrong(found) is not None
            yield Possible((cited, variant.judged.unit), variant, did)


def unchanged_replies(case: QuestionCase) -> Iterator[str]:
    """What the bot said to the unchanged question, each time it answered; the control asks it, too."""
    sent = case.unit.partition(".")[0]
    for unit, asked in case.asked.items():
        if asked.replies and unit.partition(".")[0] == sent:
            yield said(asked)


def said(asked: Asked) -> str:
    """All that the bot said in one asking."""
    return "\n".join(reply.text for reply in asked.replies)


def side_of(events: Iterable[Event]) -> Side:
    """A whole recording."""
    side = Side()
    for case in cases(events, besides=side.note):
        side.add(case)
    return side


def notes_of(before: Side, after: Side) -> Iterable[str]:
    """What a reader must know before trusting the rows."""
    if before.run.target != after.run.target:
        yield f"these are runs of two targets: {before.run.target} and {after.run.target}"
    if before.run.seed != after.run.seed:
        yield f"the seeds differ ({before.run.seed} and {after.run.seed}), so that few units may be the same"
    judges = judge_named(before.run.judge), judge_named(after.run.judge)
    if judges[0] != judges[1]:
        yield f"two judges graded, so verdicts may differ although replies do not: {judges[0]}; {judges[1]}"
    yield from note_of_own(seen for question, seen in after.questions.items() if question in before.questions)
    for side, which in ((before, "older"), (after, "newer")):
        if side.ended is None or side.ended.exit not in (0, 1):
            yield f"the {which} run did not finish"
    yield from note_of_untried((before, after))
    yield from verdict_words.mark_lines(after.marks.value(), after.run.flags, "the newer run")


def slower_of(before: Side, after: Side) -> Iterator[str]:
    """Whether the bot takes longer, or fails more often before it answers: no verdict shows either."""
    if before.took and after.took:
        was, now = median(before.took), median(after.took)
        if now >= SLOWER * was and now >= was + LONGER:
            yield f"the bot takes {now:.1f} s for an answer (median), and took {was:.1f} s in the older run"
    if before.ended and after.ended:
        shares = [side.retried / max(side.requests, 1) for side in (before.ended, after.ended)]
        if shares[1] >= OFTEN and shares[1] >= SLOWER * shares[0]:
            yield f"{percent(shares[1])} of the requests had to be sent again, {percent(shares[0])} in the older run"


def note_of_untried(sides: Sequence[Side]) -> Iterator[str]:
    """Which attacks have no row, though every run lists them."""
    listed = set.intersection(*({*side.attacks} for side in sides))
    if untried := sorted(listed.difference(*(side.tried for side in sides))):
        yield f"{', '.join(untried)} made no variant in any run, so nothing of it is compared"


def note_of_own(questions: Iterable[Seen]) -> Iterator[str]:
    """What a comparison does not say of questions without a known answer."""
    if own := len({seen.base for seen in questions if seen.own}):
        yield (
            f"{count(own, 'question')} without a known answer: “right” means there that the bot agreed with itself "
            "in the same run; whether it says the same in both runs, or is right, is not compared"
        )


def key_of(event: VariantJudged) -> Key:
    return row_of(event), "" if event.search == "outcome" else event.unit


def row_of(event: VariantJudged) -> str:
    """Gold and own reference are never blended."""
    return event.attack if event.reference == "gold" else f"{event.attack}{OF_OWN}"


def of_answers(row: str) -> bool:
    """Whether what a row counts are altered questions that broke: not the control's, and no misdeeds."""
    return not is_control(row) and row not in MISDEEDS


def is_control(row: str) -> bool:
    """Whether a row is of the control, which asks what is asked already: the bot's own noise."""
    return row.removesuffix(OF_OWN) == CONTROL

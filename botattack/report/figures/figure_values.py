"""What the figures of a run are: frozen values that every report shows and none computes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from botattack.events import NOBODY, AskedOf, JudgedBy, MemoryProbed, RecordSkipped
from botattack.model import CONTROL, Expect
from botattack.outage import Outage
from botattack.report.figures.assistant import AssistantFigures
from botattack.report.figures.broken import BrokenFigures, Left
from botattack.report.figures.causes import Cause
from botattack.report.figures.coverage import Coverage
from botattack.report.figures.diagnoses import ShrinkFigures, WhyFigures
from botattack.report.figures.marks import MarkFigures
from botattack.report.figures.turns import TurnFigures
from botattack.report.statistics.agreement import Coefficient, Same
from botattack.report.statistics.intervals import Interval

OF_OWN = " (own reference)"
"""Ends the name of a rate that was judged against the bot's own reply."""
SPLITS = (
    *("kind", "place", "distance to the answer", "distance", "relation", "part of speech", "question kind", "language"),
    "door",
)
"""What figures are split by: of the edits (in passages, their place and how far they are from the answer), the variant,
the edited words, the question, and how its passages reached the bot."""


@dataclass(frozen=True)
class RunFigures:
    """The run itself. `seconds` is wall time over all its processes; `exit` is None while it has not ended; `weaker`
    tells what of it is weaker than it might be, `judge` what decided the verdicts; `boilerplate` is what was left out
    of judging, learnt from so many replies if these are not 0. `campaign` is the path of its file, as it was given,
    `flags` those of its command that later ones need, too."""

    id: str = ""
    target: str = ""
    started: str = ""
    seconds: float = 0.0
    seed: int = 0
    filter: Literal["right", "all"] = "right"
    exit: int | None = None
    why: str = ""
    weaker: tuple[str, ...] = ()
    judge: JudgedBy = NOBODY
    boilerplate: tuple[str, ...] = ()
    learnt_from: int = 0
    campaign: str = ""
    flags: tuple[str, ...] = ()

    @property
    def stopped(self) -> bool:
        """Whether a budget, a quota, a signal or a bot that went away ended it, so that it can be continued."""
        return self.exit in (3, 4, 130)


@dataclass(frozen=True)
class QuestionFigures:
    """`total` distinct questions were to be asked; `asked` = correct + wrong + refused + error + unsure + unstable +
    marked, of which somebody marked the verdict, so that it does not count.

    Of the correct ones, `own` have no known right answer: the bot answered alike each time. `kept` are those attacked.
    A question counts once for each door that it is asked through. Bad records and
    duplicates are records of the file beyond `total`. `gone` of those asked are not among the `total` any more: the
    file was another when the run was resumed. `follow_ups` of those asked follow earlier turns; of these,
    `follow_ups_failed` were wrong or refused. `doors` has of each door, if there are several, how many questions with
    passages were asked through it, and how many of these were right. `left` counts why right ones have no judged
    variant. `first` of the wrong, refused and unsure ones is that with the lowest unit, and its text.
    """

    total: int = 0
    asked: int = 0
    correct: int = 0
    own: int = 0
    wrong: int = 0
    refused: int = 0
    error: int = 0
    unsure: int = 0
    unstable: int = 0
    kept: int = 0
    bad_records: int = 0
    duplicates: int = 0
    gone: int = 0
    marked: int = 0
    follow_ups: int = 0
    follow_ups_failed: int = 0
    doors: dict[str, tuple[int, int]] = field(default_factory=dict)
    left: dict[Left, int] = field(default_factory=dict)
    first: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def right(self) -> int:
        """Those that gave an answer known to be right."""
        return self.correct - self.own


@dataclass(frozen=True)
class Row:
    """One line of figures; `asked` = robust + success + unsure + error + marked, `refused` is how many replies
    declined; `marked` outcomes are left out of all else, as somebody marked them or their original.

    `questions` have at least one outcome here. `existing` ≥ `variants` ≥ `asked`: under the attack's constraints,
    emitted, with an outcome. `success_rate` is success / (success + robust); it and its 95 % `interval` are None where
    too few questions carry them, and `note` says so. `requests` were spent on these outcomes, and on the `probes` and
    attempts that are none, counted as if the attack had run alone; `difference` is the rate less that of the control,
    where both have one. `broken_questions` have a success. `first_success` is the median of the requests, probes among
    them, that a search took until it broke a question; None for others. `decoys` are the replies to variants in which
    a fake answer was planted; `took_decoy` of them say it, of which `broken_by_decoy` are successes.
    Of the `unsure`, `other` gave neither the old answer nor the one that is known to be right now. The control was
    rated `unchanged` times on the questions with rated outcomes here, and `unchanged_broken` times it broke.
    """

    questions: int = 0
    existing: int = 0
    variants: int = 0
    asked: int = 0
    success: int = 0
    refused: int = 0
    robust: int = 0
    error: int = 0
    unsure: int = 0
    marked: int = 0
    success_rate: float | None = None
    interval: Interval | None = None
    note: str = ""
    requests: int = 0
    probes: int = 0
    difference: float | None = None
    difference_interval: Interval | None = None
    broken_questions: int = 0
    first_success: float | None = None
    decoys: int = 0
    took_decoy: int = 0
    broken_by_decoy: int = 0
    other: int = 0
    unchanged: int = 0
    unchanged_broken: int = 0

    @property
    def rated(self) -> int:
        """The outcomes that enter the rate."""
        return self.success + self.robust


@dataclass(frozen=True)
class Measure:
    """A figure over `n` things, from 0 to 1, with its 95 % `interval`; None if it cannot be given, and `note` says
    why. `x` is what it counts, where it is a share of counts."""

    value: float | None = None
    n: int = 0
    interval: Interval | None = None
    note: str = ""
    x: int | None = None


@dataclass(frozen=True)
class Corrected:
    """A success rate with the judge's errors taken out by so many `labels`, replies that people graded, and its 95 %
    interval (`powered.powered`)."""

    rate: float
    interval: Interval
    labels: int


@dataclass(frozen=True)
class ReadFigures:
    """What people said when asked one thing of `items`. `labels` counts their readings, each item once a reader.

    `rates` are the share of readings that understood the variant (meaning: called it the same question;
    comprehension: gave its right answer), by the readers' group, "" for all of them. `kappa` and `alpha` are Fleiss'
    and Krippendorff's (ordinal for a scale); `pairs` of readers and readers with themselves (`repeats`) say how often
    two readings of an item are the same. `disagreed` are the items on which readers differ. `known` says of each reader
    how many items with a known answer she got right, `judge` how many replies judge and readers surely grade alike.
    """

    items: int
    readers: int
    labels: dict[str, int]
    rates: dict[str, Measure]
    kappa: Coefficient
    alpha: Coefficient
    pairs: tuple[Same, ...]
    repeats: tuple[Same, ...]
    disagreed: tuple[str, ...]
    known: tuple[Same, ...]
    judge: Same


@dataclass(frozen=True)
class LeftVariant:
    """A variant that left every rate: most of those who read it say `why`."""

    unit: str
    attack: str
    sent: str
    why: str


@dataclass(frozen=True)
class ReaderFigures:
    """What people who read the run said, by what they were asked; nothing if nobody read it.

    `left` variants are in no figure but those of requests. `corrected` is the success rate over all attacks together
    that readers' labels give, and `judged` what the judge says of the same variants; the control is in neither.
    """

    asked: dict[AskedOf, ReadFigures] = field(default_factory=dict)
    left: tuple[LeftVariant, ...] = ()
    corrected: Corrected | None = None
    judged: Measure = Measure()


@dataclass(frozen=True)
class AttackFigures:
    """One attack. `gold` counts gold reference and meaning as claimed, and is what the attack is judged by.

    `unsure` counts gold reference where the meaning is unsure, `own` the bot's own reference with the meaning as
    claimed. `splits` take `gold` apart by each of SPLITS; what has several of a thing is `mixed`.
    `measures` are the figures of the literature (`measures.py`). `p` is that of the rate being no higher than the
    control's, `q` the same adjusted for the number of attacks (Benjamini-Hochberg); None if nothing was compared.
    `corrected` is the rate without the judge's errors, if readers gave enough labels to tell it. `coverage` says how
    many questions it had variants for. An attack with more judged `turns` than the control is not compared with it:
    more replies can go wrong. An attack that tries until the bot breaks has one outcome for each question, so that its
    rates are `by_question`; its `control` are the originals, repeated as often as it asked.
    """

    expect: Expect
    gold: Row = Row()
    unsure: Row = Row()
    own: Row = Row()
    splits: dict[str, dict[str | int, Row]] = field(default_factory=dict)
    measures: dict[str, Measure] = field(default_factory=dict)
    p: float | None = None
    q: float | None = None
    corrected: Corrected | None = None
    coverage: Coverage = field(default_factory=Coverage)
    turns: TurnFigures = field(default_factory=TurnFigures)
    by_question: bool = False
    control: Row = Row()


@dataclass(frozen=True)
class RequestFigures:
    """`sent` counts everything that left; `retried` and `rate_limited` are parts of it, and so is what went to
    `services` beside the bot: translators, paraphrasers, judges. `learned_rate` is what the bot was found to bear, in
    requests a second, where the target file does not say. `cut_off` conversations of several turns began and have no
    end: the run was stopped, or goes on."""

    sent: int = 0
    retried: int = 0
    rate_limited: int = 0
    services: int = 0
    cut_off: int = 0
    learned_rate: float | None = None


@dataclass(frozen=True)
class FaultFigures:
    """Code that failed and was skipped: `times` of `part` by `reason`, an exception and its place. The judge: verdicts
    that are unsure for it. An attack, named by `attack`: questions it did not come to the end of. The measures:
    questions that are left out of EM, F1, rankings and likeness."""

    part: Literal["judge", "attack", "measures"]
    attack: str | None
    reason: str
    times: int


@dataclass(frozen=True)
class Unanswered:
    """Askings that brought no answer, and so enter no rate: `altered` of `of_altered` variants, and `unchanged` of
    `of_unchanged` askings of the control (of the originals, if the control was not run). Failures that have nothing to
    do with the question, such as an unreachable bot, are left out. `p` is how likely the variants fail so much more
    often by chance alone (Fisher, one-sided). If that is so unlikely that errors rise with the attacks (`rises`), the
    bot may go silent under attack, and then looks robust."""

    altered: int = 0
    of_altered: int = 0
    unchanged: int = 0
    of_unchanged: int = 0
    p: float = 1.0
    rises: bool = False


@dataclass(frozen=True)
class GateFigures:
    """A bound that the run was checked against; `value` and, for a drop, that of the baseline `before` are None if
    they cannot be given, which holds no gate. `sentence` says it all. A gate is `undecided` if there is no figure
    because its attack has variants for too few of the questions, whatever the bot says."""

    metric: str
    attack: str | None
    bound: Literal["at_least", "at_most", "drop_at_most"]
    limit: float
    value: float | None
    before: float | None
    held: bool
    sentence: str
    undecided: bool = False

    @property
    def failed(self) -> bool:
        """Whether it fails the run. An undecided gate does not: only other questions could decide it."""
        return not (self.held or self.undecided)


@dataclass(frozen=True)
class EarlyStop:
    """Where a run that stops when it is sure stopped: `after` so many of the `total` questions of its plan, on which
    all figures are. The whole plan would have taken about `planned` requests, by those of the questions that count, and
    about `saved` of them were not sent."""

    after: int
    total: int
    planned: int
    saved: int


@dataclass(frozen=True)
class HotWord:
    """A word of a question: how many answers it had when edited, and how many of them broke."""

    text: str
    broken: int
    rated: int


@dataclass(frozen=True)
class Figures:
    """All figures of a run; attacks are in the order of the campaign, `measures` are those over all of them."""

    run: RunFigures = RunFigures()
    questions: QuestionFigures = QuestionFigures()
    attacks: dict[str, AttackFigures] = field(default_factory=dict)
    requests: RequestFigures = RequestFigures()
    measures: dict[str, Measure] = field(default_factory=dict)
    broken: BrokenFigures = field(default_factory=BrokenFigures)
    failures: dict[str, int] = field(default_factory=dict)
    askings: int = 0
    """Units that were asked; `failures` are those given up, by reason, the most frequent first."""
    unanswered: Unanswered = Unanswered()
    gates: tuple[GateFigures, ...] = ()
    """The bounds of the gates that were checked at the end of the run."""
    faults: tuple[FaultFigures, ...] = ()
    """What failed in botattack or a plug-in and cost no more than an answer: by part, the most frequent first."""
    skipped: tuple[RecordSkipped, ...] = ()
    """The first bad records of the question file."""
    causes: tuple[Cause, ...] = ()
    early: EarlyStop | None = None
    """Where the run stopped because it was sure."""
    outage: Outage | None = None
    """That the bot stopped answering, but went on replying: nothing of what broke is then laid to an attack."""
    marks: tuple[MarkFigures, ...] = ()
    """What people marked of this bot: what holds is in no other figure but those of requests."""
    shrunk: ShrinkFigures | None = None
    """What came of the findings of another run, if this one shrinks them."""
    why: WhyFigures | None = None
    """Why failures of another run came about, if this one asks that."""
    assistant: AssistantFigures = field(default_factory=AssistantFigures)
    """What the bot obeyed, cited and remembered."""
    readers: ReaderFigures = ReaderFigures()
    """What people who read the run said of it."""
    memory: MemoryProbed | None = None
    """What was found out of the bot's memory, if an attack needs it."""

    @property
    def control(self) -> Row | None:
        """The bot's own noise, where the control was run; beside its own replies where nothing else is known."""
        control = self.attacks.get(CONTROL)
        return (control.gold if control.gold.rated else control.own) if control else None

    @property
    def errors(self) -> int:
        """Variants that brought no answer, in any row."""
        return sum(row.error for attack in self.attacks.values() for row in (attack.gold, attack.unsure, attack.own))

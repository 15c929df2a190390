"""Events of the run itself, and what it does to the knowledge base of a bot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from botattack.events.base import Event
from botattack.model import Carrier, Expect, Value


class JudgedBy(Value, frozen=True, omit_defaults=True):
    """What decided which replies are correct: a version of botattack, a matcher, and, if that learned, the version and
    the digest of its weights.

    A reply is correct from `correct` on if it must not be `unsure`, which it is from the first to the second of these
    probabilities. On `left_out` systems and collections that it was not trained on, the shares of wrong replies that it
    called correct, and of correct ones that it called wrong, were between these; None where that was not measured.
    """

    botattack: str
    matcher: str
    weights: str = ""
    digest: str = ""
    correct: float | None = None
    unsure: tuple[float, float] | None = None
    left_out: int = 0
    wrong_as_correct: tuple[float, float] | None = None
    correct_as_wrong: tuple[float, float] | None = None


NOBODY = JudgedBy("", "")
"""Who judges games, and figures of no run."""


class HeldGate(Value, frozen=True):
    """A gate that was checked at the end of the run; `before` is the figure of the baseline, if there is one."""

    metric: str
    attack: str | None = None
    at_least: float | None = None
    at_most: float | None = None
    drop_at_most: float | None = None
    compared: bool = False
    before: float | None = None


class StopRule(Value, frozen=True, omit_defaults=True):
    """When a run stops before its plan: once all `gates` are decided. With a `half_width`, which older recordings may
    have, it went on until every rate was known to within so much. `most` says how many outcomes of one question each
    attack can have."""

    gates: tuple[HeldGate, ...] = ()
    half_width: float | None = None
    most: Mapping[str, int] = {}


class Shrinks(Value, frozen=True, omit_defaults=True):
    """That a run asks for smaller versions of what broke the bot in the `run` of this name: how many findings it takes
    up, `of` how many (0 if each was named), and how many `askings` in a row must break the bot."""

    run: str
    findings: int
    askings: int
    of: int = 0


class Unexplained(Value, frozen=True, omit_defaults=True):
    """A failure whose cause is looked for: the asking that failed, what its diagnosis has to know of it, as names
    (`attacks.combined.failures`), and what the bot said."""

    question: str
    unit: str
    attack: str
    has: tuple[str, ...] = ()
    got: str = ""


class Whys(Value, frozen=True, omit_defaults=True):
    """That a run asks why failures of the `run` of this name came about: at most `most` askings for each of `findings`,
    of `failures` that each attack had."""

    run: str
    most: int
    findings: tuple[Unexplained, ...] = ()
    failures: Mapping[str, int] = {}


class RunStarted(Event, frozen=True, tag="run started"):
    """A run begins, or is resumed: without this, nothing may follow its end.

    `total` counts distinct questions to be asked, `gone` those that were asked before a resume and are not among
    them any more; `attacks` maps each name to what it expects; `weaker` says, a sentence each, what of the run is
    weaker than it might be, and how to fix it; `judge` is what decided the verdicts. Each question is asked through
    each of the `carriers`, which counts as so many questions. `stops` is the rule by which the run may stop early; its
    intervals are then those of a confidence sequence. `shrinks` is there if the run asks for smaller versions of
    another's findings, `whys` if it asks why these came about. `campaign` is the path of its file, as it was given;
    empty if it has none. `flags` are those of its command that later commands about the same bot need, too."""

    BEGINS = True
    run: str
    target: str
    started: str
    seed: int
    filter: Literal["right", "all"]
    total: int
    attacks: dict[str, Expect]
    judge: JudgedBy
    gone: int = 0
    weaker: tuple[str, ...] = ()
    carriers: tuple[Carrier, ...] = ("request",)
    stops: StopRule | None = None
    shrinks: Shrinks | None = None
    whys: Whys | None = None
    campaign: str = ""
    flags: tuple[str, ...] = ()


class BoilerplateKnown(Event, frozen=True, tag="boilerplate known"):
    """What the bot says around its answers, which is left out of judging: `learnt_from` so many replies before anything
    was judged, or, where these are 0, named by the target file or taken from a baseline. In a merged recording, it is
    what the questions that follow were judged by."""

    sentences: tuple[str, ...] = ()
    learnt_from: int = 0

    @property
    def key(self) -> str:
        return "boilerplate"


class MemoryProbed(Event, frozen=True, tag="memory probed"):
    """Whether the bot remembers what is said in a conversation, found out before any question is asked, for the
    `attacks` that mean nothing to a bot that does not.

    It was told a made-up word in one conversation, asked for it there, and asked for it in another; `replies` are those
    to the three messages, none if it gave no answer. Where it was told the word, it knew it (`kept`) or only repeated
    it (`lost`); it never said it (`unseen`); or it knew it in the other conversation (`leaks`). `possible` is whether
    anything that was sent or set could tell it which conversation goes on.
    """

    KEY = "memory"
    attacks: tuple[str, ...]
    seen: Literal["kept", "lost", "unseen", "leaks"]
    replies: tuple[str, ...] = ()
    possible: bool = True
    requests: int = 0


class RecordSkipped(Event, frozen=True, tag="record skipped"):
    """A record of the question file that could not be read; `line` counts from 1."""

    KEY = "skipped {0.line} {0.why}"
    line: int
    why: str


class ServiceAsked(Event, frozen=True, tag="service asked"):
    """A service was asked to meet Needs of a kind: the requests that left since this was last reported, and their cost
    in the currency of its own target file's price. A result that another question used before costs nothing."""

    kind: str
    service: str
    requests: int
    cost: float = 0.0


class Paced(Event, frozen=True, tag="paced"):
    """The pace changed: `rate` in requests a second (None: unlimited), `wait` in seconds that nobody is asked.

    `ceiling` is the rate that the bot is known to bear, if it was learned.
    """

    why: str
    rate: float | None = None
    wait: float = 0.0
    ceiling: float | None = None


class RunEnded(Event, frozen=True, tag="run ended"):
    """`requests` counts everything that left in this process, `seconds` its wall time, `exit` is the status.

    `cost` is in the currency of the target file's price. `first_success` is whether the run was to stop at the first
    success of an attack, and did. `headline` is the first sentence of its report, for lists of runs.
    """

    exit: int
    why: str
    seconds: float
    requests: int
    retried: int
    rate_limited: int
    cost: float = 0.0
    gates: tuple[HeldGate, ...] = ()
    first_success: bool = False
    headline: str = ""


class DocumentAdding(Event, frozen=True, tag="document adding"):
    """A document is about to be added to the bot's knowledge base; `name` is what we call it. From here on it may be
    there, until it is removed."""

    name: str


class DocumentAdded(Event, frozen=True, tag="document added"):
    """The bot took a document; `fields` are the values of its reply that removing it may need, such as an id. Here and
    below `requests` are those that changed the knowledge base, or waited for it, since the last event that told any."""

    name: str
    fields: Mapping[str, Any] = {}
    requests: int = 0


class DocumentRemoved(Event, frozen=True, tag="document removed"):
    """A document of ours is in the bot's knowledge base no more. `left_by` is the run that had left it there, if this
    one did not add it."""

    name: str
    requests: int = 0
    left_by: str = ""

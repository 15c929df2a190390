"""What happens in a run, in order. Recording, figures, terminal and reports are all folds over these values.

`at` is seconds since the run began. Every event belongs to one question, but for those of the run itself;
`key` names it within the run, so that a resumed run emits nothing twice.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from botattack.model import (
    CLAIMED,
    Attempt,
    Carrier,
    Edit,
    Expect,
    Failure,
    Meaning,
    Played,
    Prompt,
    Question,
    QuestionId,
    Reference,
    Reply,
    Result,
    TurnVerdict,
    Value,
    Verdict,
    result_of,
)
from botattack.places import read_place, write_place

FORMAT = 1
"""Version of the recording format; older ones load for ever."""

Standing = Literal["kept", "wrong", "refused", "error", "unsure", "unstable"]
"""What became of a question once its original was asked; only `kept` ones are right."""


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event"):
    at: float = 0.0

    @property
    def key(self) -> str:
        return ""


class QuestionEvent(Event, frozen=True):
    """An event of a question, given by its id, that was opened before."""

    question: QuestionId


class JudgedBy(Value, frozen=True, omit_defaults=True):
    """What decided which replies are correct: a version of botattack, a matcher, and, if that learned, the version and
    the digest of its weights.

    A reply is correct from `correct` on if it must not be `unsure`, which it is from the first to the second of these
    probabilities. Of wrong replies the share `wrong_called_correct` is expected, and so on (`Rates` of the weights);
    None where that is not known. They were measured on `rows` replies of `source`, of which `wrong_rows` were wrong; of
    these it was unsure of the share `unsure_of_wrong`, and of the others of `unsure_of_right`.
    """

    botattack: str
    matcher: str
    weights: str = ""
    digest: str = ""
    correct: float | None = None
    unsure: tuple[float, float] | None = None
    wrong_called_correct: float | None = None
    correct_called_wrong: float | None = None
    share_unsure: float = 0.0
    rows: int = 0
    source: str = ""
    wrong_rows: int = 0
    unsure_of_wrong: float | None = None
    unsure_of_right: float | None = None


class RunStarted(Event, frozen=True, tag="run started"):
    """`total` counts distinct questions to be asked, `gone` those that were asked before a resume and are not among
    them any more; `attacks` maps each name to what it expects; `weaker` says, a sentence each, what of the run is
    weaker than it might be, and how to fix it; `judge` is what decided the verdicts, and `until_success` names
    the attacks that end at their first success with a question; None in recordings of a botattack that did not write
    it down. Each question is asked through each of the `carriers`, which counts as so many questions."""

    run: str
    target: str
    started: str
    seed: int
    filter: Literal["right", "all"]
    total: int
    attacks: dict[str, Expect]
    format: int = FORMAT
    gone: int = 0
    weaker: tuple[str, ...] = ()
    judge: JudgedBy | None = None
    until_success: tuple[str, ...] | None = None
    carriers: tuple[Carrier, ...] = ("request",)

    @property
    def key(self) -> str:
        """A question file or a judge that has changed is reported again."""
        gone, judge = (
            f" {self.gone}" if self.gone else "",
            f" {self.judge.digest}" if self.judge and self.judge.digest else "",
        )
        return f"run {self.total}{gone}{judge}"


class RecordSkipped(Event, frozen=True, tag="record skipped"):
    """A record of the question file that could not be read; `line` counts from 1."""

    line: int
    why: str

    @property
    def key(self) -> str:
        return f"skipped {self.line} {self.why}"


class QuestionOpened(Event, frozen=True, tag="question opened"):
    """`duplicates` more records of the file asked the same; their answers are joined in `question`."""

    question: Question
    duplicates: int = 0

    @property
    def key(self) -> str:
        return f"opened {self.question.id}"


class NeedMet(QuestionEvent, frozen=True, tag="need met"):
    """A result that a generator asked for, kept so that resume and replay need no model."""

    need: str
    kind: str
    payload: Any
    result: msgspec.Raw

    @property
    def key(self) -> str:
        return f"need {self.question} {self.need}"


class Left(QuestionEvent, frozen=True, tag="left"):
    """A unit is about to leave that must not be asked twice (`idempotent: false`)."""

    unit: str

    @property
    def key(self) -> str:
        return f"left {self.question} {self.unit}"


class ConversationBegun(QuestionEvent, frozen=True, tag="conversation begun"):
    """The first of several turns is about to leave. `conversation` counts those of its unit, from 0: one that breaks
    off begins again, in another session."""

    unit: str
    conversation: int = 0

    @property
    def key(self) -> str:
        return f"begun {self.question} {self.unit} {self.conversation}"


class TurnSaid(QuestionEvent, frozen=True, tag="turn said"):
    """A turn of a conversation was answered, and the next is about to leave. What the conversation comes to is in the
    `Asked` of its unit: this shows and counts what was said where it never came to an end. `requests` are those of this
    turn."""

    unit: str
    turn: int
    said: str
    reply: str
    requests: int = 0
    conversation: int = 0

    @property
    def key(self) -> str:
        return f"said {self.question} {self.unit} {self.conversation} {self.turn}"


class Asked(QuestionEvent, frozen=True, tag="asked"):
    """A unit came to its end: one reply a turn, of which there is one at least, or a failure. `turns` are what was
    said, or, after a failure, what was to be said as far as that is known."""

    unit: str
    turns: Annotated[tuple[Prompt, ...], msgspec.Meta(min_length=1)]
    replies: tuple[Reply, ...] = ()
    failure: Failure | None = None
    attempts: tuple[Attempt, ...] = ()

    @property
    def reply(self) -> str:
        """The text of the last reply; empty if there is none."""
        return self.replies[-1].text if self.replies else ""

    @property
    def requests(self) -> int:
        return sum([attempt.requests for attempt in self.attempts])

    @property
    def key(self) -> str:
        return f"asked {self.question} {self.unit}"


class OriginalJudged(QuestionEvent, frozen=True, tag="original judged"):
    """What the bot makes of the unchanged question. `units` are its askings, oldest first; `turns` are the verdicts on
    the turns of the first of them, if more than the last may be judged."""

    units: tuple[str, ...]
    standing: Standing
    verdict: Verdict
    reference: Reference = "gold"
    attacked: bool = False
    turns: tuple[TurnVerdict, ...] = ()

    @property
    def key(self) -> str:
        return f"original {self.question}"


class VariantJudged(QuestionEvent, frozen=True, tag="variant judged"):
    """What the bot makes of a variant. Its text is in the `Asked` of the same unit. A `probe` is a request of a
    search and nothing else: it enters no figure but those of requests. `decoy` is the fake answer that the attack
    planted, `took_decoy` whether the reply says it. `turns` are the verdicts of which `verdict` is made, if more than
    the last turn may be judged; `play` is what made the turns, if one did."""

    unit: str
    attack: str
    verdict: Verdict
    expect: Expect = "same"
    edits: tuple[Edit, ...] = ()
    distance: int = 0
    meaning: Meaning = "kept"
    why: str = ""
    parent: str = ""
    reference: Reference = "gold"
    probe: bool = False
    decoy: str = ""
    took_decoy: bool = False
    turns: tuple[TurnVerdict, ...] = ()
    play: Played | None = None

    @property
    def claimed(self) -> bool:
        """Whether the meaning is as the attack claims."""
        return self.meaning == CLAIMED[self.expect]

    @property
    def counted(self) -> bool:
        """Whether it is an outcome that rates count: judged against gold, the meaning as claimed."""
        return self.reference == "gold" and not self.probe and self.claimed

    @property
    def result(self) -> Result:
        return result_of(self.expect, self.verdict.kind)

    @property
    def key(self) -> str:
        return f"variant {self.question} {self.attack} {self.unit}" + " probe" * self.probe


class AttackEnded(QuestionEvent, frozen=True, tag="attack ended"):
    """An attack has no more variants of a question: `existing` under its constraints, `variants` emitted,
    `skipped` emitted but not asked because of what they do to the meaning.

    Where an exception ended it before it was done, `failed` and `why` are `kind` and `why` of that `Fault`. A question
    in a language that it does not work in is `foreign` to it.
    """

    attack: str
    existing: int
    variants: int
    skipped: int = 0
    failed: str = ""
    why: str = ""
    foreign: bool = False

    @property
    def key(self) -> str:
        return f"ended {self.question} {self.attack}"


class QuestionClosed(QuestionEvent, frozen=True, tag="question closed"):
    """Nothing more will come of this question."""

    @property
    def key(self) -> str:
        return f"closed {self.question}"


class ServiceAsked(Event, frozen=True, tag="service asked"):
    """A service was asked to meet Needs of a kind: the requests that left since this was last reported, and their cost
    in the currency of its own target file's price. A result that another question used before costs nothing."""

    kind: str
    service: str
    requests: int
    cost: float = 0.0


class DocumentAdding(Event, frozen=True, tag="document adding"):
    """A document is about to be added to the bot's knowledge base; `name` is what we call it. From here on it may be
    there, until it is removed."""

    name: str


class DocumentAdded(Event, frozen=True, tag="document added"):
    """The bot took a document; `fields` are the values of its reply that removing it may need, such as an id."""

    name: str
    fields: dict[str, Any] = {}
    requests: int = 0


class DocumentRemoved(Event, frozen=True, tag="document removed"):
    """A document of ours is in the bot's knowledge base no more."""

    name: str
    requests: int = 0


class Paced(Event, frozen=True, tag="paced"):
    """The pace changed: `rate` in requests a second (None: unlimited), `wait` in seconds that nobody is asked.

    `ceiling` is the rate that the bot is known to bear, if it was learned.
    """

    why: str
    rate: float | None = None
    wait: float = 0.0
    ceiling: float | None = None


class HeldGate(Value, frozen=True):
    """A gate that was checked at the end of the run; `before` is the figure of the baseline, if there is one."""

    metric: str
    attack: str | None = None
    at_least: float | None = None
    at_most: float | None = None
    drop_at_most: float | None = None
    compared: bool = False
    before: float | None = None


class RunEnded(Event, frozen=True, tag="run ended"):
    """`requests` counts everything that left in this process, `seconds` its wall time, `exit` is the status.

    `cost` is in the currency of the target file's price. `first_success` is whether the run was to stop at the first
    success of an attack, and did.
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


AnyEvent = (
    RunStarted
    | RecordSkipped
    | QuestionOpened
    | NeedMet
    | Left
    | ConversationBegun
    | TurnSaid
    | Asked
    | OriginalJudged
    | VariantJudged
    | AttackEnded
    | QuestionClosed
    | ServiceAsked
    | DocumentAdding
    | DocumentAdded
    | DocumentRemoved
    | Paced
    | RunEnded
)


def question_of(event: Event) -> str:
    """The id of the question an event belongs to; empty for events of the run itself."""
    if isinstance(event, QuestionOpened):
        return event.question.id
    return event.question if isinstance(event, QuestionEvent) else ""


encode = msgspec.json.Encoder(enc_hook=write_place).encode
"""An event as a line of a recording, without its end."""
_decode = msgspec.json.Decoder(AnyEvent, dec_hook=read_place).decode


def decode(line: bytes) -> AnyEvent:
    """The event of a line; raises msgspec.MsgspecError, or UnicodeDecodeError, if it is none."""
    try:
        event: AnyEvent = _decode(line)
        return event
    except RecursionError:
        raise msgspec.ValidationError("it is nested too deeply") from None

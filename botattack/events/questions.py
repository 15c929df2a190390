"""What becomes of a question, from its opening to its end."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from botattack.events.base import Event, QuestionEvent
from botattack.model import (
    CLAIMED,
    CONTROL,
    Attempt,
    Edit,
    Expect,
    Failure,
    GoldAnswer,
    Meaning,
    Played,
    Prompt,
    Question,
    Reference,
    Reply,
    Result,
    Searched,
    TurnVerdict,
    Verdict,
    result_of,
)

Standing = Literal["kept", "wrong", "refused", "error", "unsure", "unstable"]
"""What became of a question once its original was asked; only `kept` ones are right."""


class QuestionOpened(Event, frozen=True, tag="question opened"):
    """`duplicates` more records of the file asked the same; their answers are joined in `question`."""

    KEY = "opened {0.question.id}"
    question: Question
    duplicates: int = 0


class NeedMet(QuestionEvent, frozen=True, tag="need met"):
    """A result that a generator asked for, kept so that resume and replay need no model."""

    KEY = "need {0.question} {0.need}"
    need: str
    kind: str
    payload: Any
    result: msgspec.Raw


class Left(QuestionEvent, frozen=True, tag="left"):
    """A unit is about to leave that must not be asked twice (`idempotent: false`)."""

    KEY = "left {0.question} {0.unit}"
    unit: str


class ConversationBegun(QuestionEvent, frozen=True, tag="conversation begun"):
    """The first of several turns is about to leave. `conversation` counts those of its unit, from 0: one that breaks
    off begins again, in another session."""

    KEY = "begun {0.question} {0.unit} {0.conversation}"
    unit: str
    conversation: int = 0


class TurnSaid(QuestionEvent, frozen=True, tag="turn said"):
    """A turn of a conversation was answered, and the next is about to leave. What the conversation comes to is in the
    `Asked` of its unit: this shows and counts what was said where it never came to an end. `requests` are those of this
    turn."""

    KEY = "said {0.question} {0.unit} {0.conversation} {0.turn}"
    unit: str
    turn: int
    said: str
    reply: str
    requests: int = 0
    conversation: int = 0


class Asked(QuestionEvent, frozen=True, tag="asked"):
    """A unit came to its end: one reply a turn, of which there is one at least, or a failure. `turns` are what was
    said, or, after a failure, what was to be said as far as that is known."""

    KEY = "asked {0.question} {0.unit}"
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


class OriginalJudged(QuestionEvent, frozen=True, tag="original judged"):
    """What the bot makes of the unchanged question. `units` are its askings, oldest first; `turns` are the verdicts on
    the turns of the first of them, if more than the last may be judged."""

    KEY = "original {0.question}"
    units: tuple[str, ...]
    standing: Standing
    verdict: Verdict
    reference: Reference = "gold"
    attacked: bool = False
    turns: tuple[TurnVerdict, ...] = ()


class VariantJudged(QuestionEvent, frozen=True, tag="variant judged"):
    """What the bot makes of a variant. Its text is in the `Asked` of the same unit. A `probe` is a request of a
    diagnosis and nothing else: it enters no figure but those of requests. `decoy` is the fake answer that the attack
    planted, `took_decoy` whether the reply says it. `turns` are the verdicts of which `verdict` is made, if more than
    the last turn may be judged; `play` is what made the turns, if one did. `search` says what the asking was for, where
    an attack counts questions. `right` are the answers that are right now, where it is known that others are."""

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
    search: Searched = ""
    right: tuple[GoldAnswer, ...] = ()

    @property
    def claimed(self) -> bool:
        """Whether the meaning is as the attack claims."""
        return self.meaning == CLAIMED[self.expect]

    @property
    def counted(self) -> bool:
        """Whether it is an outcome that rates count: judged against gold, the meaning as claimed."""
        return self.reference == "gold" and self.is_outcome and self.claimed

    @property
    def altered(self) -> bool:
        """Whether it is what came of an altered version whose meaning is as claimed. The control alters nothing."""
        return self.attack != CONTROL and self.is_outcome and self.claimed

    @property
    def is_outcome(self) -> bool:
        """Whether it is an outcome at all: no probe, and of a search the one thing that came of the question."""
        return not self.probe and self.search in ("", "outcome")

    @property
    def asks_fact(self) -> bool:
        """Whether it asks for a made-up fact: no outcome, but a finding all the same if the bot leaks it."""
        return self.probe and self.decoy != "" and not self.parent

    @property
    def result(self) -> Result:
        return result_of(self.expect, self.verdict.kind)

    @property
    def key(self) -> str:
        return (
            f"variant {self.question} {self.attack} {self.unit}"
            + " probe" * self.probe
            + f" {self.search}" * bool(self.search)
        )


class AttackEnded(QuestionEvent, frozen=True, tag="attack ended"):
    """An attack has no more variants of a question: `existing` under its constraints, `variants` emitted,
    `skipped` emitted but not asked because of what they do to the meaning.

    Where an exception ended it before it was done, `failed` and `why` are `kind` and `why` of that `Fault`. A question
    in a language that it does not work in is `foreign` to it.
    """

    KEY = "ended {0.question} {0.attack}"
    attack: str
    existing: int
    variants: int
    skipped: int = 0
    failed: str = ""
    why: str = ""
    foreign: bool = False


class QuestionClosed(QuestionEvent, frozen=True, tag="question closed"):
    """Nothing more will come of this question."""

    KEY = "closed {0.question}"

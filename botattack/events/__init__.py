"""What happens in a run, in order. Recording, figures, terminal and reports are all folds over these values.

`at` is seconds since the run began. Every event belongs to one question, but for those of the run itself;
`key` names it within the run, so that a resumed run emits nothing twice."""

from __future__ import annotations

from botattack.events.base import FORMAT, Event, QuestionEvent
from botattack.events.lines import AnyEvent, decode, encode, question_of
from botattack.events.questions import (
    Asked,
    AttackEnded,
    ConversationBegun,
    Left,
    NeedMet,
    OriginalJudged,
    QuestionClosed,
    QuestionOpened,
    Standing,
    TurnSaid,
    VariantJudged,
)
from botattack.events.readings import LABELS, TRAITS, AskedOf, KnownRead, Label, Reading
from botattack.events.run import (
    NOBODY,
    BoilerplateKnown,
    DocumentAdded,
    DocumentAdding,
    DocumentRemoved,
    HeldGate,
    JudgedBy,
    MemoryProbed,
    Paced,
    RecordSkipped,
    RunEnded,
    RunStarted,
    ServiceAsked,
    Shrinks,
    StopRule,
    Unexplained,
    Whys,
)
from botattack.events.triage import Mark, Marked, MarkKind, TriageRead

"""What became of each question: the one fold that joins the events of a question until it closes.

Figures, findings, comparisons, reports, suites and judging again all read questions from here. Events of different
questions may come in any order. Only questions that are open take memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import msgspec

from botattack.doors import DOORS
from botattack.events import (
    Asked,
    AttackEnded,
    Event,
    Marked,
    MemoryProbed,
    NeedMet,
    OriginalJudged,
    QuestionClosed,
    QuestionEvent,
    QuestionOpened,
    RunStarted,
    TurnSaid,
    VariantJudged,
)
from botattack.model import TOOLS, Edit, Question, Reference, Reply, Result, Turns, TurnVerdict, called, result_of

REPLY_LIMIT = 2000
"""Characters of either end of a reply that figures and reports look at: a long reply names its sources, and does what a
passage tells it to, at its end."""
RANKED_LIMIT = 100
"""Ranked candidates of a reply that figures look at."""
SOURCES = "sources"
"""The field of a reply in which a bot names what it read: numbers of passages from 0, their titles, or texts out of
them."""
Keep = Callable[[Event], Event | None]
"""What to remember of an event; None for nothing."""


def shortened(event: Event) -> Event | None:
    """What figures and reports need: replies are cut; their raw forms, their fields but for `sources` and `tools`, and
    the results of Needs are dropped."""
    if isinstance(event, Asked) and event.replies:
        replies = tuple([_shortened(reply) for reply in event.replies])
        return msgspec.structs.replace(event, replies=replies)
    if isinstance(event, TurnSaid):
        return msgspec.structs.replace(event, reply=_ends(event.reply))
    return None if isinstance(event, NeedMet) else event


def _ends(text: str) -> str:
    """A reply without the middle that is over the limit."""
    return text if len(text) <= 2 * REPLY_LIMIT else f"{text[:REPLY_LIMIT]}\n…\n{text[-REPLY_LIMIT:]}"


def _shortened(reply: Reply) -> Reply:
    named = reply.fields.get(SOURCES)
    sources = named if isinstance(named, list | tuple) else () if named is None else (named,)
    kept = [one[:REPLY_LIMIT] if isinstance(one, str) else one for one in sources if isinstance(one, str | int)]
    fields: dict[str, Any] = {SOURCES: kept[:RANKED_LIMIT]} if kept else {}
    if calls := called(reply.fields.get(TOOLS)):
        fields[TOOLS] = [{"name": call.name, "arguments": call.arguments[:REPLY_LIMIT]} for call in calls]
    return Reply(_ends(reply.text), reply.ranked[:RANKED_LIMIT], fields, latency=reply.latency, refused=reply.refused)


def whole(event: Event) -> Event:
    """The event itself."""
    return event


@dataclass(frozen=True, slots=True)
class Alteration:
    """What was sent in place of what, the reply to each turn, and the verdicts on the turns of a conversation of which
    several may be judged. A conversation that failed is there as far as it went."""

    original: Turns
    edits: tuple[Edit, ...] = ()
    sent: Turns = ()
    replies: tuple[str, ...] = ()
    verdicts: tuple[TurnVerdict, ...] = ()
    door: str = ""
    """How the passages reached the bot, where that was not in its own request."""
    rights: tuple[tuple[str, ...], ...] = ()
    """What was right in each turn that has a verdict."""
    broke: int | None = None
    """The first turn whose reply breaks the bot, where several were judged."""

    @property
    def question(self) -> str:
        """The unchanged question."""
        return self.original[-1].text

    @property
    def text(self) -> str:
        """The question as it was sent; empty if the recording has lost it."""
        return self.sent[-1].text if self.sent else ""


class VariantCase(NamedTuple):
    """A judged variant with what was sent and said."""

    judged: VariantJudged
    asked: Asked | None
    alteration: Alteration

    @property
    def result(self) -> Result | Literal["probe"]:
        """What a search asked on its way is no outcome."""
        return self.judged.result if self.judged.is_outcome else "probe"

    @property
    def reply(self) -> str:
        return self.asked.reply if self.asked else ""

    @property
    def claimed(self) -> bool:
        return self.judged.claimed


class QuestionCase(msgspec.Struct):
    """A question with all that became of it, variants in the order of judgement.

    `number` counts from 0 in the order of opening; it is -1 where a damaged recording has lost the question, which
    then has no text.
    """

    question: Question
    number: int = -1
    duplicates: int = 0
    original: OriginalJudged | None = None
    asked: dict[str, Asked] = {}
    """By unit."""
    said: dict[str, list[TurnSaid]] = {}
    """The turns of the last conversation of each unit of which nothing, or a failure, came."""
    judged: list[VariantJudged] = []
    marked: list[Marked] = []
    """Verdicts on what somebody marked: those that `hold` are not among the others."""
    ended: dict[str, AttackEnded] = {}
    """By attack."""
    library: bool = False
    """Whether the bot may read what nobody here sent: the run adds documents to its own, or never sends passages in the
    field of its request that is there for them."""
    _variants: list[VariantCase] | None = None

    @property
    def right(self) -> bool:
        return self.original is not None and self.original.standing == "kept"

    @property
    def door(self) -> str:
        """How the passages reached the bot: "as a document"."""
        return DOORS[self.question.carrier].shown

    @property
    def unit(self) -> str:
        """The first asking of the original; empty if there is none."""
        return self.original.units[0] if self.original and self.original.units else ""

    @property
    def first(self) -> Asked | None:
        return self.asked.get(self.unit)

    @property
    def reply(self) -> str:
        """The reply to the original."""
        first = self.first
        return first.reply if first else ""

    @property
    def left_out(self) -> OriginalJudged | None:
        """The verdict on the original, if somebody marked it, so that it does not count."""
        return next(
            (one.judged for one in self.marked if one.left_out and isinstance(one.judged, OriginalJudged)), None
        )

    @property
    def accepted(self) -> frozenset[str]:
        """The units whose replies somebody accepted, whatever they did beside answering."""
        return frozenset([one.unit for one in self.marked if one.holds and one.mark.mark == "accepted"])

    @property
    def counted(self) -> list[VariantJudged]:
        """The outcomes that rates count."""
        return [one for one in self.judged if one.counted]

    @property
    def variants(self) -> list[VariantCase]:
        """Made once: a dozen figures and reports read them."""
        if self._variants is None:
            self._variants = [self.variant(judged) for judged in self.judged]
        return self._variants

    @property
    def rated(self) -> list[VariantCase]:
        """The altered versions that every count of what broke is of: decided, and of a question that is right."""
        if not self.right:
            return []
        return [one for one in self.variants if one.judged.altered and one.result in ("success", "robust")]

    def variant(self, judged: VariantJudged) -> VariantCase:
        broken = [one.turn for one in judged.turns if result_of(judged.expect, one.verdict.kind) == "success"]
        shown = self.alteration(judged.unit, judged.edits, judged.turns)
        return VariantCase(judged, self.asked.get(judged.unit), replace(shown, broke=min(broken, default=None)))

    def alteration(self, unit: str, edits: tuple[Edit, ...] = (), verdicts: tuple[TurnVerdict, ...] = ()) -> Alteration:
        asked, original = self.asked.get(unit), self.question.turns
        carried = any(turn.passages for turn in (asked.turns if asked else original))
        door = self.door if carried and self.question.carrier != "request" else ""
        if asked is None:
            return Alteration(original, edits, door=door)
        replies = [reply.text for reply in asked.replies] or [one.reply for one in self.said.get(unit, ())]
        rights = tuple([self._right_at(asked.turns, each.turn) for each in verdicts])
        return Alteration(original, edits, asked.turns, tuple(replies), verdicts, door, rights)

    def _right_at(self, sent: Turns, turn: int) -> tuple[str, ...]:
        """What is right in a turn of what was sent; empty if nothing is known."""
        asks = sent[turn].asks if turn < len(sent) else None
        return right_in(self.question if asks is None else self.question.at(asks))

    def requests(self, unit: str) -> int:
        """How many an asking took."""
        asked = self.asked.get(unit)
        return asked.requests if asked else 0

    def expected(self, reference: Reference) -> tuple[str, ...]:
        """What counts as right: the gold answers and what else a reply must do, or the bot's own reply."""
        if reference == "own":
            return (self.reply,) if self.first else ()
        return right_in(self.question)

    def add(self, event: Event) -> None:
        self._variants = None
        match event:
            case Asked():
                self.asked[event.unit] = event
                if not event.failure:
                    self.said.pop(event.unit, None)
            case TurnSaid():
                before = [one for one in self.said.get(event.unit, ()) if one.conversation == event.conversation]
                self.said[event.unit] = [*before, event]
            case VariantJudged():
                self.judged.append(event)
            case OriginalJudged():
                self.original = event
            case Marked():
                self.marked.append(event)
            case AttackEnded():
                self.ended[event.attack] = event


def right_in(question: Question) -> tuple[str, ...]:
    """What is right in one turn, in words."""
    return tuple([answer.text for answer in question.answers] + list(map(str, question.requires)))


class OpenCases:
    """The questions that are open, each with what has become of it so far; `keep` says what of an event is needed."""

    def __init__(self, keep: Keep = shortened) -> None:
        self._keep = keep
        self._open: dict[str, QuestionCase] = {}
        self._opened = 0
        self._library = False
        self._forgets: tuple[str, ...] = ()
        """Attacks that mean nothing to the bot where an earlier turn matters, as it forgets these."""

    def __iter__(self) -> Iterator[QuestionCase]:
        return iter(self._open.values())

    def get(self, question: str) -> QuestionCase | None:
        return self._open.get(question)

    def update(self, event: Event) -> QuestionCase | None:
        """Gives the question that this event closes."""
        if isinstance(event, RunStarted):
            self._library = "document" in event.carriers or "request" not in event.carriers
        if isinstance(event, MemoryProbed) and event.seen == "lost":
            self._forgets = event.attacks
        if isinstance(event, QuestionClosed):
            return self.close(event.question)
        if isinstance(event, QuestionOpened):
            case = self._of(event.question.id)
            case.question, case.duplicates, case.number = event.question, event.duplicates, self._opened
            case.library = self._library
            self._opened += 1
        elif isinstance(event, QuestionEvent) and (kept := self._keep(event)) is not None:
            case = self._of(event.question)
            if isinstance(kept, VariantJudged) and kept.attack in self._forgets:
                # With a turn that the bot has forgotten, it is no outcome, and so in no rate or count.
                hangs = case.question.carrier == "turn" or any("turn" in edit.place.kind for edit in kept.edits)
                kept = msgspec.structs.replace(kept, probe=kept.probe or hangs)
            case.add(kept)
        return None

    def close(self, question: str) -> QuestionCase | None:
        return self._open.pop(question, None)

    def _of(self, question: str) -> QuestionCase:
        found = self._open.get(question)
        if found is None:
            found = self._open[question] = QuestionCase(Question("", lang="", masked=question))
        return found


def _nothing(event: object) -> None:
    del event


def cases(
    events: Iterable[Event], keep: Keep = shortened, besides: Callable[[Any], None] = _nothing
) -> Iterator[QuestionCase]:
    """The questions of a recording, closed ones as they close, the others last.

    `besides` is handed the events that belong to no question.
    """
    opened = OpenCases(keep)
    for event in events:
        if not isinstance(event, QuestionEvent | QuestionOpened):
            besides(event)
        if (closed := opened.update(event)) is not None:
            yield closed
    yield from opened

"""What searches learn from question to question: the same whatever the concurrency, and after a kill.

Questions are numbered as they are opened, which is in seeded order. A search of question k knows what came of all
questions up to k - LAG and of no other, so that it waits for those to close. A fold over the events of a run, of a
past part of it too.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from botattack.attacks.building.roles import Edits, Roles, sureness_of, taught
from botattack.events import AnyEvent, Asked, OriginalJudged, QuestionClosed, QuestionOpened, VariantJudged
from botattack.model import Result

LAG = 16
"""Questions whose searches may be under way at once: what they find out, none of them knows."""


@dataclass
class _Tried:
    """What an attack asked of a question."""

    outcomes: list[tuple[Edits, Result]] = field(default_factory=list)
    probes: int = 0


@dataclass
class _Question:
    number: int
    sureness: dict[str, float | None] = field(default_factory=dict)
    """By unit."""
    original: str = ""
    tried: dict[str, _Tried] = field(default_factory=lambda: defaultdict(_Tried))


class Lessons:
    """`labels` are the attacks that search. Memory is bounded by the questions that are open, and LAG."""

    def __init__(self, labels: Collection[str] = ()) -> None:
        self.labels = tuple(labels)
        self._open: dict[str, _Question] = {}
        self._opened = 0
        self._closed: dict[int, _Question] = {}
        """Closed before one with a lower number."""
        self._known = 0
        """All questions below this number are closed."""
        self._roles: dict[int, Mapping[str, Roles]] = {0: {label: Roles() for label in labels}}
        """What was known after so many questions."""
        self._away: set[str] = set()
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []

    def update(self, event: AnyEvent) -> None:
        if not self.labels:
            return
        match event:
            case QuestionOpened():
                self._open[event.question.id] = _Question(self._opened)
                self._opened += 1
            case Asked(replies=replies) if replies and (question := self._open.get(event.question)):
                if not question.original:
                    question.sureness[event.unit] = sureness_of(replies[-1].fields)
            case OriginalJudged() if (question := self._open.get(event.question)) and event.units:
                question.original = next((unit for unit in event.units if unit in question.sureness), "")
            case VariantJudged() if event.attack in self.labels and (question := self._open.get(event.question)):
                _add(question.tried[event.attack], event)
            case QuestionClosed():
                self._close(event.question)

    def interrupted(self) -> None:
        """The events so far are those of a process that ended: its open questions may not come again."""
        self._away = set(self._open)

    def comes(self, question: str) -> None:
        """Told before each question is opened, in order: what was open and should have come before it is gone."""
        if not self._away:
            return
        self._away.discard(question)
        known = self._open.get(question)
        self._gone([one for one in self._away if not known or self._open[one].number < known.number])

    def all_came(self) -> None:
        self._gone(list(self._away))

    def _gone(self, questions: list[str]) -> None:
        self._away.difference_update(questions)
        for question in questions:
            self._close(question)

    async def before(self, label: str, question: str) -> Roles:
        """What a search of the question may know."""
        found = self._open.get(question)
        needed = max(0, found.number - LAG + 1) if found else self._known
        if self._known < needed:
            waits = asyncio.get_running_loop().create_future()
            self._waiting.append((needed, waits))
            await waits
        return self._roles[needed][label]

    def _close(self, question: str) -> None:
        closed = self._open.pop(question, None)
        if closed is None:
            return
        self._closed[closed.number] = closed
        while (following := self._closed.pop(self._known, None)) is not None:
            before = self._roles[self._known]
            self._known += 1
            self._roles[self._known] = {label: _learnt(roles, label, following) for label, roles in before.items()}
        oldest = min((one.number for one in self._open.values()), default=self._opened)
        for number in [number for number in self._roles if number < min(self._known, oldest - LAG + 1)]:
            del self._roles[number]
        self._wake()

    def _wake(self) -> None:
        still = []
        for needed, waits in self._waiting:
            if needed > self._known:
                still.append((needed, waits))
            elif not waits.done():
                waits.set_result(None)
        self._waiting = still


def _add(tried: _Tried, event: VariantJudged) -> None:
    if event.probe:
        tried.probes += 1
    else:
        tried.outcomes.append((event.edits, taught(event.result, claimed=event.claimed)))


def _learnt(roles: Roles, label: str, question: _Question) -> Roles:
    tried = question.tried.get(label)
    if tried is None:
        return roles
    return roles.with_(tried.outcomes, question.sureness.get(question.original), tried.probes)

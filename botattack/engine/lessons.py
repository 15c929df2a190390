"""What a run learns from question to question: the same whatever the concurrency, and after a kill.

Questions are numbered as they are opened, which is in seeded order. A search that asks question k knows what came of
all questions up to k - LAG and of no other, and waits for those to close. A fold over the events of a run, of a past
part of it too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping

import msgspec

from botattack.attacks.building.roles import Roles, sureness_of, taught
from botattack.cases import OpenCases, QuestionCase
from botattack.events import AnyEvent, Asked, Event, OriginalJudged, VariantJudged
from botattack.model import Reply

LAG = 16
"""Questions that may be under way at once: what they find out, none of them knows."""
LEARNT = 6
"""What a search asked of a question that teaches later ones: no more, or a longer search would go other ways from the
beginning and might break other questions, not more."""


Known = Mapping[str, Roles]
"""What some questions taught each search."""


class Lessons:
    """`labels` are the attacks that search. Memory is bounded by the questions that are open, and LAG."""

    def __init__(self, labels: Collection[str] = ()) -> None:
        self.labels = tuple(labels)
        self._open = OpenCases(self._needed)
        self._closed: dict[int, QuestionCase] = {}
        """Closed before one with a lower number."""
        self._known = 0
        """All questions below this number are closed."""
        self._after: dict[int, Known] = {0: {label: Roles() for label in labels}}
        """What was known after so many questions."""
        self._away: set[str] = set()
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []

    def update(self, event: AnyEvent) -> None:
        if self.labels and (closed := self._open.update(event)) is not None:
            self._learn(closed)

    def _needed(self, event: Event) -> Event | None:
        """Of replies the fields alone, which may say how sure the bot was; of variants those that teach."""
        if isinstance(event, Asked):
            return msgspec.structs.replace(
                event, replies=tuple([Reply("", fields=one.fields) for one in event.replies])
            )
        teaches = isinstance(event, VariantJudged) and event.attack in self.labels
        return event if teaches or isinstance(event, OriginalJudged) else None

    def interrupted(self) -> None:
        """The events so far are those of a process that ended: its open questions may not come again."""
        self._away = {case.question.id for case in self._open}

    def comes(self, question: str) -> None:
        """Told before each question is opened, in order: what was open and should have come before it is gone."""
        if not self._away:
            return
        self._away.discard(question)
        known = self._open.get(question)
        away = [case for one in self._away if (case := self._open.get(one))]
        self._gone([case.question.id for case in away if not known or case.number < known.number])

    def all_came(self) -> None:
        self._gone(list(self._away))

    def _gone(self, questions: list[str]) -> None:
        self._away.difference_update(questions)
        for question in questions:
            if (case := self._open.close(question)) is not None:
                self._learn(case)

    async def before(self, question: str) -> Known:
        """What may be known when the question is attacked."""
        found = self._open.get(question)
        needed = max(0, found.number - LAG + 1) if found else self._known
        if self._known < needed:
            waits = asyncio.get_running_loop().create_future()
            self._waiting.append((needed, waits))
            await waits
        return self._after[needed]

    def _learn(self, closed: QuestionCase) -> None:
        if closed.number < 0:
            return
        self._closed[closed.number] = closed
        while (following := self._closed.pop(self._known, None)) is not None:
            before = self._after[self._known]
            self._known += 1
            roles = {label: _learnt(roles, label, following) for label, roles in before.items()}
            self._after[self._known] = roles
        oldest = min((case.number for case in self._open if case.number >= 0), default=self._open.opened)
        for number in [number for number in self._after if number < min(self._known, oldest - LAG + 1)]:
            del self._after[number]
        self._wake()

    def _wake(self) -> None:
        still = []
        for needed, waits in self._waiting:
            if needed > self._known:
                still.append((needed, waits))
            elif not waits.done():
                waits.set_result(None)
        self._waiting = still


def _learnt(roles: Roles, label: str, question: QuestionCase) -> Roles:
    tried = [one for one in question.judged if one.attack == label and one.search in ("", "attempt")][:LEARNT]
    if not tried:
        return roles
    outcomes = [(one.edits, taught(one.result, claimed=one.claimed)) for one in tried if not one.probe]
    return roles.with_(outcomes, _sureness(question), len(tried) - len(outcomes))


def _sureness(question: QuestionCase) -> float | None:
    """How sure the bot was of its first reply to the original."""
    units = question.original.units if question.original else ()
    askings = (question.asked.get(unit) for unit in units)
    return next((sureness_of(asked.replies[-1].fields) for asked in askings if asked and asked.replies), None)

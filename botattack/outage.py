"""Whether a bot stopped answering during a run, but goes on replying: a quota, or a fault behind it, put in words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from botattack.events import Asked, Event, OriginalJudged, QuestionClosed, QuestionOpened, VariantJudged
from botattack.model import CONTROL, Question

ENOUGH = 8
"""Unchanged questions in a row whose right answers all differ."""
_CHANGES = re.compile(
    r"(?<!\d)\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?!\d)|\b(?=[\w-]{0,40}\d)(?:[\da-f]{8,}|[\w-]{16,})\b", re.IGNORECASE
)
"""Clock times and ids: on one page they are others each time."""


@dataclass(frozen=True)
class Outage:
    """From `since` seconds after the beginning of the run to its end, the bot gave one `reply` to all that was judged,
    and to so many (`times`) unchanged questions that it had answered correctly."""

    since: float
    times: int
    reply: str


def fixed(reply: str) -> str:
    """A reply without what changes from one visit to the next."""
    return _CHANGES.sub("#", reply).strip()


def golds_of(question: Question) -> frozenset[str]:
    """What is right, however it is written."""
    return frozenset(answer.text.casefold() for answer in question.answers)


class Outages:
    """A fold over the events of a run."""

    def __init__(self) -> None:
        self._opened: dict[str, Question] = {}
        self._golds: dict[str, frozenset[str]] = {}
        """Of open questions that were answered correctly when they were first asked."""
        self._replies: dict[str, dict[str, str]] = {}
        """Of open questions, by unit."""
        self._since = 0.0
        self._reply = ""
        self._unchanged: set[frozenset[str]] = set()
        """The right answers of the unchanged questions that got this reply, in a row."""

    def update(self, event: Event) -> None:
        match event:
            case VariantJudged():
                self._judge(event)
            case Asked():
                self._replies.setdefault(event.question, {})[event.unit] = event.reply if event.replies else ""
            case OriginalJudged() if event.standing == "kept":
                if opened := self._opened.get(event.question):
                    self._golds[event.question] = golds_of(opened)
                self._answered()
            case QuestionOpened():
                self._opened[event.question.id] = event.question
            case QuestionClosed():
                self._opened.pop(event.question, None)
                self._golds.pop(event.question, None)
                self._replies.pop(event.question, None)

    def _judge(self, judged: VariantJudged) -> None:
        reply = self._replies.get(judged.question, {}).get(judged.unit, "")
        # An asking that failed, or an empty reply, says nothing: that is no one reply to everything, and ends the row.
        if judged.result == "robust" or not reply:
            self._answered()
            return
        if reply != self._reply and fixed(reply) != fixed(self._reply):
            self._answered()
            self._since, self._reply = judged.at, reply
        gold = self._golds.get(judged.question)
        if gold and judged.attack == CONTROL and judged.result == "success":
            self._unchanged.add(gold)

    def _answered(self) -> None:
        self._reply = ""
        self._unchanged.clear()

    def value(self) -> Outage | None:
        """None as long as the bot answers."""
        times = len(self._unchanged)
        return Outage(self._since, times, self._reply) if times >= ENOUGH else None

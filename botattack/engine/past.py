"""What a recording already holds, so that a resumed run asks only what was in flight.

Only questions that were still open need their details: a closed one is never looked at again. Memory is therefore
bounded by the window, whatever the length of the recording, but for eight bytes' worth of id a closed question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count

import msgspec

from botattack.engine.sameness import Sameness
from botattack.events import (
    AnyEvent,
    Asked,
    BoilerplateKnown,
    ConversationBegun,
    DocumentAdded,
    DocumentAdding,
    DocumentRemoved,
    MemoryProbed,
    NeedMet,
    Paced,
    QuestionClosed,
    question_of,
)


class Past:
    """An index of recorded events. Fed with none, it is the past of a run that begins."""

    def __init__(self, events: Iterable[AnyEvent] = ()) -> None:
        self._closed: set[int] = set()
        self._open: dict[str, dict[str, AnyEvent]] = {}
        """The events of each open question, by key."""
        self._run_keys: set[str] = set()
        self.elapsed = 0.0
        self.ceiling: float | None = None
        self.boilerplate: BoilerplateKnown | None = None
        self.memory: MemoryProbed | None = None
        self.documents: dict[str, Mapping[str, object] | None] = {}
        """What may still be in the bot's knowledge base, with what it replied when that was added."""
        self.sameness = Sameness()
        for event in events:
            self._add(event)
            self.sameness.update(event)

    def _add(self, event: AnyEvent) -> None:
        self.elapsed = max(self.elapsed, event.at)
        question = question_of(event)
        if not question:
            self._add_to_run(event)
        elif isinstance(event, QuestionClosed):
            self._open.pop(question, None)
            self._closed.add(int(question, 16))
        else:
            self._open.setdefault(question, {})[event.key] = event

    def _add_to_run(self, event: AnyEvent) -> None:
        if event.key:
            self._run_keys.add(event.key)
        match event:
            case Paced() if event.ceiling is not None:
                self.ceiling = event.ceiling
            case BoilerplateKnown():
                self.boilerplate = event
            case MemoryProbed():
                self.memory = event
            case DocumentAdding():
                self.documents[event.name] = None
            case DocumentAdded():
                self.documents[event.name] = event.fields
            case DocumentRemoved():
                self.documents.pop(event.name, None)

    def judged(self) -> Iterator[str]:
        """The questions whose original was judged."""
        yield from (f"{number:016x}" for number in self._closed)
        yield from (question for question in self._open if self._recorded(question, f"original {question}"))

    def closed(self, question: str) -> bool:
        return bool(self._closed) and int(question, 16) in self._closed

    def has(self, event: AnyEvent) -> bool:
        """Whether an event of this key was recorded."""
        if not self._open and not self._run_keys:
            return False
        question = question_of(event)
        return self._recorded(question, event.key) is not None if question else event.key in self._run_keys

    def _recorded(self, question: str, key: str) -> AnyEvent | None:
        events = self._open.get(question)
        return events.get(key) if events else None

    def asked(self, question: str, unit: str) -> Asked | None:
        found = self._recorded(question, f"asked {question} {unit}")
        return found if isinstance(found, Asked) else None

    def left(self, question: str, unit: str) -> bool:
        """Whether a unit that must not be asked twice had left."""
        return self._recorded(question, f"left {question} {unit}") is not None

    def begun(self, question: str, unit: str) -> int:
        """How many conversations of a unit began."""
        known = self._open.get(question, {})
        return next(
            n for n in count() if ConversationBegun(question=question, unit=unit, conversation=n).key not in known
        )

    def need(self, question: str, need: str) -> msgspec.Raw | None:
        found = self._recorded(question, f"need {question} {need}")
        return found.result if isinstance(found, NeedMet) else None

    def forget(self, question: str) -> None:
        """Drops the details of a question that is closed again."""
        self._open.pop(question, None)

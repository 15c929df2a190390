"""Event streams made by hand, without an engine, for the tests of whatever folds over events."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema

from botattack.events import (
    Asked,
    AttackEnded,
    Event,
    JudgedBy,
    OriginalJudged,
    QuestionClosed,
    QuestionOpened,
    RunEnded,
    RunStarted,
    Standing,
    VariantJudged,
)
from botattack.model import (
    Attempt,
    Carrier,
    Edit,
    Expect,
    Failure,
    GoldAnswer,
    Meaning,
    Prompt,
    Question,
    Reference,
    Reply,
    Searched,
    Verdict,
    VerdictKind,
)
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.gates import AnyGate, checked, held
from botattack.report.stories.unit import story
from botattack.report.story.blocks import Facts
from tests.edits import apply_edits

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "report.schema.json").read_text("utf-8"))
JUDGE = JudgedBy("0.1.0", "contains")
RUN = "20261120T120000Z-alice-0a1b"


def started(total: int, attacks: dict[str, Expect] | None = None, **more: object) -> RunStarted:
    attacks = {"dpaeg": "same", "unchanged": "same"} if attacks is None else attacks
    values = {"run": RUN, "target": "alice", "started": "2026-11-20T12:00:00Z", "seed": 7, "filter": "right"}
    values |= {"judge": JUDGE} | more
    return RunStarted(total=total, attacks=attacks, **values)  # type: ignore[arg-type]


def ended(seconds: float = 12.5, requests: int = 0, **more: object) -> RunEnded:
    values = {"exit": 0, "why": "all questions asked", "retried": 0, "rate_limited": 0} | more
    return RunEnded(seconds=seconds, requests=requests, **values)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Try:
    """One variant of a question and what the bot makes of it."""

    verdict: VerdictKind = "correct"
    edits: tuple[Edit, ...] = ()
    attack: str = "dpaeg"
    reply: str = "Paris"
    expect: Expect = "same"
    meaning: Meaning = "kept"
    distance: int = 0
    requests: int = 1
    probe: bool = False
    search: Searched = ""
    right: tuple[str, ...] = ()


@dataclass(frozen=True)
class Asking:
    """A question with everything that happens to it; `events()` tells it in order."""

    text: str = "what is the capital of france"
    answers: tuple[str, ...] = ("Paris",)
    standing: Standing = "kept"
    tries: tuple[Try, ...] = ()
    reference: Reference = "gold"
    reply: str = "Paris"
    attacked: bool | None = None
    duplicates: int = 0
    existing: dict[str, int] = field(default_factory=dict)
    closed: bool = True
    carrier: Carrier = "request"

    @property
    def question(self) -> Question:
        return Question(self.text, tuple(GoldAnswer(answer) for answer in self.answers), carrier=self.carrier)

    def events(self) -> Iterator[Event]:
        question = self.question
        yield QuestionOpened(question=question, duplicates=self.duplicates)
        yield _asked(question.id, "original.0", self.text, self.reply, "correct", 1)
        verdict = Verdict("correct" if self.standing in {"kept", "unstable"} else self.standing)
        attacked = self.standing == "kept" if self.attacked is None else self.attacked
        yield OriginalJudged(
            question=question.id,
            units=("original.0",),
            standing=self.standing,
            verdict=verdict,
            reference=self.reference,
            attacked=attacked,
        )
        for number, one in enumerate(self.tries):
            yield from self._tried(question, number, one)
        if self.closed:
            yield from self._end(question)

    def _tried(self, question: Question, number: int, one: Try) -> Iterator[Event]:
        unit = f"{question.id[:8]}{number:04x}.0"
        yield _asked(question.id, unit, apply_edits(self.text, one.edits), one.reply, one.verdict, one.requests)
        yield VariantJudged(
            question=question.id,
            unit=unit,
            attack=one.attack,
            verdict=Verdict(one.verdict),
            expect=one.expect,
            edits=one.edits,
            distance=one.distance or sum(max(len(edit.before), len(edit.after)) > 0 for edit in one.edits),
            meaning=one.meaning,
            reference=self.reference,
            probe=one.probe,
            search=one.search,
            right=tuple(map(GoldAnswer, one.right)),
        )

    def _end(self, question: Question) -> Iterator[Event]:
        made = [one for one in self.tries if not one.probe and one.search not in ("again", "repeat", "control")]
        for attack in sorted({one.attack for one in self.tries}):
            asked = sum(one.attack == attack for one in made)
            existing = self.existing.get(attack, asked)
            yield AttackEnded(question=question.id, attack=attack, existing=existing, variants=asked)
        yield QuestionClosed(question=question.id)


def _asked(question: str, unit: str, text: str, reply: str, verdict: str, requests: int) -> Asked:
    failed = Failure("timeout", "no answer within 30 s") if verdict == "error" else None
    limited = Failure("rate limited", "429")
    attempts = (*(Attempt(1, 0.1, limited),) * (requests - 1), Attempt(1, 0.1, failed))
    replies = () if failed else (Reply(reply),)
    return Asked(
        question=question, unit=unit, turns=(Prompt(text),), replies=replies, failure=failed, attempts=attempts
    )


def edit(text: str, before: str, after: str, kind: str = "typo of keyword") -> Edit:
    return Edit(text.index(before), before, after, kind)


def stream(
    askings: Iterable[Asking], attacks: dict[str, Expect] | None = None, end: RunEnded | None = None, **more: object
) -> list[Event]:
    """A whole run; without `end` it was cut off."""
    all_of_them = list(askings)
    events: list[Event] = [started(len(all_of_them), attacks, **more)]
    for asking in all_of_them:
        events += asking.events()
    return [*events, end] if end else events


def fits(command: str, path: Path) -> Any:
    """What a JSON report contains, which is what the schema says of the reports of this command."""
    read = json.loads(path.read_text("utf-8"))
    jsonschema.Draft202012Validator({**SCHEMA, "properties": {}, **SCHEMA["properties"][command]}).validate(read)
    return read


def of_unit(events: Iterable[Event], unit: str) -> str:
    """One asking, a line for each of its facts."""
    (facts,) = story(events, unit).blocks
    assert isinstance(facts, Facts)
    return "\n".join(f"{fact.label:<11}{fact.text}" for fact in facts.rows)


def broken_gates(gates: Sequence[AnyGate], figures: Figures, baseline: Figures | None = None) -> list[str]:
    return [found.sentence for found in checked(held(gates, baseline), figures) if found.failed]

"""Failures that have one cause: the same attack changed the same part of a question, and the bot did the same wrong. A
fold over closed questions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from botattack.cases import QuestionCase, VariantCase
from botattack.model import Edit
from botattack.places import QUESTION
from botattack.report.figures.findings import Finding, finding
from botattack.report.figures.whereabouts import MIXED, common

KEPT = 20
"""Causes that are reported."""
Wrong = Literal["refused", "empty", "planted", "changed", "unnoticed", "answered", "wrong"]
"""What the bot did: no answer, no text, the answer that the attack planted, another reply than its own to the unchanged
question, the same answer although another is right, an answer although none is right, a wrong answer."""


@dataclass(frozen=True, order=True)
class Part:
    """What an attack changed: words of one `relation` (or part of speech, without a parser), a `place` beside the
    question, or, where neither is known, the attack's own `kind` of edit."""

    by: Literal["relation", "part of speech", "place", "kind"]
    name: str


@dataclass(frozen=True)
class Cause:
    """The bot did `wrong` in `broken` of the `rated` replies to variants in which an attack changed the same part, of
    `broken_questions` among `questions`; `example` is the one with the smallest change. The `doubt` is whether that is
    the `cause`, of an attack that breaks the bot, or whether `chance` would explain what the attack broke."""

    attack: str
    part: Part
    wrong: Wrong
    broken: int
    rated: int
    example: Finding
    questions: int
    broken_questions: int
    doubt: Literal["", "cause", "chance"] = ""


class Causes:
    """Counts what enters a success rate, by gold answers or by the bot's own replies."""

    def __init__(self) -> None:
        self._rated: Counter[tuple[str, Part]] = Counter()
        self._broken: Counter[tuple[str, Part, Wrong]] = Counter()
        self._examples: dict[tuple[str, Part, Wrong], Finding] = {}
        self._questions: Counter[tuple[object, ...]] = Counter()
        """Questions that have any of what is counted in `_rated`, or in `_broken`."""

    def add(self, question: QuestionCase) -> None:
        seen: set[tuple[object, ...]] = set()
        for case in question.rated:
            changed = case.judged.attack, part_of(case.judged.edits)
            self._rated[changed] += 1
            seen.add(changed)
            if case.result == "success":
                self._break(cause := (*changed, _wrong(case)), question, case)
                seen.add(cause)
        self._questions.update(seen)

    def _break(self, cause: tuple[str, Part, Wrong], question: QuestionCase, case: VariantCase) -> None:
        self._broken[cause] += 1
        best = self._examples.get(cause)
        if best is None or case.judged.distance <= best.distance:
            found = finding(question, case)
            self._examples[cause] = found if best is None else min(best, found, key=lambda one: one.size)

    def value(self) -> tuple[Cause, ...]:
        """The most frequent first."""
        order = sorted(self._broken, key=lambda cause: (-self._broken[cause], cause))
        return tuple(
            Cause(
                *cause,
                self._broken[cause],
                self._rated[cause[:2]],
                self._examples[cause],
                self._questions[cause[:2]],
                self._questions[cause],
            )
            for cause in order[:KEPT]
        )


def part_of(edits: tuple[Edit, ...]) -> Part:
    """What edits have in common; `mixed` if they stand in several places of the sentence, empty where a play made the
    variant without edits."""
    if not edits:
        return Part("kind", "")
    place = common([edit.place.kind for edit in edits])
    if place not in (QUESTION.kind, MIXED):
        return Part("place", place)
    if (relation := common([edit.relation for edit in edits])) == MIXED:
        return Part("kind", MIXED)  # that they are several may be the cause; a word alone counts by what it is
    if relation:
        return Part("relation", relation)
    if (pos := common([edit.pos for edit in edits])) not in ("", MIXED):
        return Part("part of speech", pos)
    return Part("kind", common([edit.kind for edit in edits]))


def _wrong(case: VariantCase) -> Wrong:
    judged = case.judged
    if judged.expect != "same":
        return "unnoticed" if judged.expect == "different" else "answered"
    if judged.took_decoy:
        return "planted"
    if not case.reply.strip():
        return "empty"
    if judged.verdict.kind == "refused":
        return "refused"
    return "changed" if judged.reference == "own" else "wrong"


def examples(causes: tuple[Cause, ...], findings: tuple[Finding, ...], most: int) -> list[tuple[Cause | None, Finding]]:
    """One example of each cause, then other findings, as long as there is room."""
    shown: list[tuple[Cause | None, Finding]] = [(cause, cause.example) for cause in causes[:most]]
    units = {found.unit for _, found in shown}
    return [*shown, *((None, found) for found in findings if found.unit not in units)][:most]

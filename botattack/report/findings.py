"""The shortest edits that broke the bot, as a fold over the events of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from botattack.events import Event
from botattack.model import Edit, Expect, Reference, VerdictKind
from botattack.report.cases import Case, Join, QuestionCases

KEPT = 10
LONG_WORD = 5
"""Letters of a word whose misspelling is hardly ever another word."""
ORDER = "of equals, surely the same question first"
ORDER_TOLD = "Shortest first; of equally short ones, those that are surely still the same question."
_FILLERS = frozenset(("before", "after"))
_SLIPS = frozenset(("typo", "similar-typo", "swap", "middle", "keyboard", "replace"))
"""Kinds of edits that misspell a word, as their attacks call them."""


@dataclass(frozen=True)
class Finding:
    """An edit that broke the bot: `expected` are the gold answers, or the bot's own reply where none are known."""

    question: str
    edits: tuple[Edit, ...]
    sent: str
    expected: tuple[str, ...]
    got: str
    unit: str
    attack: str
    distance: int
    expect: Expect = "same"
    verdict: VerdictKind = "wrong"
    reference: Reference = "gold"
    question_id: str = ""

    @property
    def size(self) -> tuple[int, int, bool, int, int, str, str, str]:
        """Sorts findings: smallest distance, then fewest edits, of those what surely asks the same, then the shortest
        edits and the shortest text."""
        width = sum(len(edit.before) + len(edit.after) for edit in self.edits)
        doubt = self.expect == "same" and not all(map(plain_slip, self.edits))
        return (self.distance, len(self.edits), doubt, width, len(self.sent), self.sent, self.attack, self.unit)


def plain_slip(edit: Edit) -> bool:
    """Whether an edit surely leaves the question what it was: other case, marks or spaces, something said before or
    after it, or a misspelt long word.

    A short word, an abbreviation or a number that is misspelt may be another one (FTP and FPT, hole and hoe), and a
    word that was taken because it is one (cat and cot) asks something else.
    """
    if _letters(edit.before) == _letters(edit.after) or (not edit.before and edit.kind in _FILLERS):
        return True
    misspelt = _SLIPS.issuperset(edit.kind.split(" + ")) and edit.after.isalpha()
    return misspelt and edit.before.isalpha() and len(edit.before) >= LONG_WORD and not edit.before.isupper()


def _letters(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


class Findings:
    """Keeps the shortest successful edits: one of each question, then second ones, as long as there is room.

    Only what enters a success rate counts: the original was right and the meaning is as the attack claims.
    """

    def __init__(self, keep: int = KEPT) -> None:
        self._keep = keep
        self._join = Join()
        self._best: list[tuple[int, Finding]] = []

    def update(self, event: Event) -> None:
        if (closed := self._join.update(event)) is not None and closed.cases:
            self._best = self._merged(self._best, closed)

    def value(self) -> tuple[Finding, ...]:
        """One of each question first, the shortest first."""
        best = self._best
        for question in self._join.rest():
            best = self._merged(best, question)
        return tuple(finding for _, finding in best)

    def _merged(self, best: list[tuple[int, Finding]], question: QuestionCases) -> list[tuple[int, Finding]]:
        ranked = sorted(_findings(question), key=lambda finding: finding.size)[: self._keep]
        fresh = list(enumerate(ranked))
        if not fresh:
            return best
        return sorted(best + fresh, key=lambda entry: (entry[0], entry[1].size))[: self._keep]


def findings_of(events: Iterable[Event], keep: int = KEPT) -> tuple[Finding, ...]:
    """The findings of a whole recording."""
    findings = Findings(keep)
    for event in events:
        findings.update(event)
    return findings.value()


def finding(question: QuestionCases, case: Case) -> Finding:
    """A case as a finding, whatever its verdict."""
    judged = case.judged
    return Finding(
        question=question.question.text,
        edits=judged.edits,
        sent=case.text,
        expected=_expected(question, judged.reference),
        got=case.reply,
        unit=judged.unit,
        attack=judged.attack,
        distance=judged.distance,
        expect=judged.expect,
        verdict=judged.verdict.kind,
        reference=judged.reference,
        question_id=question.question.id,
    )


def _expected(question: QuestionCases, reference: Reference) -> tuple[str, ...]:
    if reference == "own":
        return (question.said.reply,) if question.said else ()
    return tuple(answer.text for answer in question.question.answers)


def _findings(question: QuestionCases) -> Iterator[Finding]:
    """Each broken unit once, under the name of the first attack in the alphabet that made it."""
    if not question.right:
        return
    units: set[str] = set()
    for case in sorted(question.cases, key=lambda case: case.judged.attack):
        judged = case.judged
        if case.result == "success" and case.claimed and judged.edits and judged.unit not in units:
            units.add(judged.unit)
            yield finding(question, case)

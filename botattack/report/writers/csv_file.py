"""The report as CSV: a row for each original and each variant. No cell is a formula, whatever a bot says."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from botattack.model import Verdict
from botattack.protocols import Report
from botattack.report.escape import visible
from botattack.report.figures.cases import Case, QuestionCases, Said, questions_of
from botattack.report.writers.material import Material
from botattack.report.writers.report_files import whole_file
from botattack.report.writers.words import outcome

COLUMNS = (
    *("question_id", "question", "question_kind", "language", "original", "attack", "unit", "sent", "edits"),
    *("relations", "distance", "expect", "meaning", "reference", "result", "verdict", "score", "matcher", "why"),
    *("expected", "reply", "failure", "outcome"),
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def write(path: Path, source: Material) -> None:
    """Raises ReportError where the file cannot be written."""
    with whole_file(path, newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for question in questions_of(source.events()):
            table.writerows([cell(value) for value in row] for row in rows(question))


def cell(value: object) -> str:
    """Visible text that a spreadsheet takes for text: a cell that could begin a formula gets an apostrophe."""
    if isinstance(value, int | float):
        return str(value)
    text = str(value)
    quoted = text.lstrip(" ").startswith(_FORMULA)
    return ("'" if quoted else "") + visible(text, None)


def rows(question: QuestionCases) -> Iterator[list[object]]:
    """The values of COLUMNS for the original and each variant of a question, as they are."""
    asked = question.question
    standing = question.original.standing if question.original else ""
    head = [asked.id, asked.text, asked.kind, asked.lang, standing]
    expected = " | ".join(answer.text for answer in asked.answers)
    if question.original is not None:
        original = question.original
        unit = original.units[0] if original.units else ""
        verdict = _verdict(original.verdict)
        middle = ["", unit, asked.text, "", "", 0, "same", "", original.reference, ""]
        yield [*head, *middle, *verdict, expected, *_said(question.said), ""]
    for case in question.cases:
        means = outcome(case.judged.expect, case.result)
        yield [*head, *_variant(case), *_verdict(case.judged.verdict), expected, *_said(case.said), means]


def _variant(case: Case) -> list[object]:
    judged = case.judged
    edits = "; ".join(f"{edit.kind}: {edit.before} → {edit.after}" for edit in judged.edits)
    relations = "; ".join(edit.relation for edit in judged.edits)
    where: list[object] = [judged.attack, judged.unit, case.text, edits, relations, judged.distance]
    return [*where, judged.expect, judged.meaning, judged.reference, case.result]


def _verdict(verdict: Verdict) -> list[object]:
    return [verdict.kind, round(verdict.score, 4), verdict.matcher, verdict.why]


def _said(said: Said | None) -> list[object]:
    if said is None:
        return ["", ""]
    return [said.reply, f"{said.failure.kind}: {said.failure.message}" if said.failure else ""]


REPORT = Report((".csv",), write)

"""The report as CSV: a row for each original and each variant. Unless it is for programs, no cell begins a formula,
whatever a bot says."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from botattack.cases import QuestionCase, VariantCase
from botattack.events import Asked, OriginalJudged, VariantJudged
from botattack.model import Edit, Verdict
from botattack.places import QUESTION
from botattack.protocols import Report
from botattack.report.escape import visible
from botattack.report.report_files import whole_file
from botattack.report.wording.alterations import sent_text
from botattack.report.wording.outcomes import FAMILIES, outcome
from botattack.report.writers.material import Material

COLUMNS = (
    *("question_id", "question", "question_kind", "language", "original", "attack", "unit", "sent", "edits"),
    *("relations", "distance", "expect", "meaning", "reference", "result", "verdict", "score", "matcher", "why"),
    *("expected", "reply", "failure", "outcome", "door"),
)
_FORMULA = re.compile("""\\s*["']*\\s*[=+\\-@＝＋－＠]|[\t\r]""")
"""What a cell begins with that a spreadsheet takes for a formula."""


def write(path: Path, source: Material) -> None:
    """Raises ReportError if the file cannot be written."""
    with whole_file(path, newline="") as file:
        file.write("\ufeff" if source.bom else "")
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for question in source.cases():
            table.writerows([(raw if source.raw else cell)(value) for value in row] for row in rows(question))


def cell(value: object) -> str:
    """Visible text, over the lines of the text itself, that a spreadsheet takes for text: what could begin a formula
    gets an apostrophe."""
    if isinstance(value, int | float):
        return str(value)
    text = str(value).replace("\r\n", "\n")
    return "'" * bool(_FORMULA.match(text)) + "\n".join(visible(line, None) for line in text.split("\n"))


def uncelled(text: str) -> str:
    """A text as it was before `cell` wrote it: an apostrophe that begins no formula is the text's own."""
    return text[1:] if text[:1] == "'" and _FORMULA.match(text[1:]) else text


def raw(value: object) -> str:
    """Text as it is, for programs."""
    return str(value).encode(errors="replace").decode()


def rows(question: QuestionCase) -> Iterator[list[object]]:
    """The values of COLUMNS for the original and each variant of a question, as they are."""
    asked, original, left_out = question.question, question.original, ""
    for marked in question.marked:
        if marked.left_out and isinstance(marked.judged, OriginalJudged):
            original, left_out = marked.judged, f"left out: {marked.mark.mark}"
    head = [asked.id, asked.text, asked.kind, asked.lang, original.standing if original else ""]
    expected = " | ".join(question.expected("gold"))
    if original is not None:
        unit = original.units[0] if original.units else ""
        said = _said(question.asked.get(unit))
        middle = ["", unit, asked.text, "", "", 0, "same", "", original.reference, ""]
        yield [*head, *middle, *_verdict(original.verdict), expected, *said, left_out, question.door]
    counted = ((case, outcome(case.judged.expect, case.result)) for case in question.variants)
    for case, means in chain(counted, _left_out(question)):
        yield [
            *head,
            *_variant(case),
            *_verdict(case.judged.verdict),
            _expected(case.judged, expected),
            *_said(case.asked),
            means,
            question.door,
        ]


def _expected(judged: VariantJudged, gold: str) -> str:
    """What the reply should say: the right answers of now where they are known, else what the `gold` ones are now."""
    return " | ".join(answer.text for answer in judged.right) or (gold and FAMILIES[judged.expect].other + gold)


def _left_out(question: QuestionCase) -> Iterator[tuple[VariantCase, str]]:
    """The variants that somebody marked, and what they were marked."""
    for marked in question.marked:
        if marked.left_out and isinstance(marked.judged, VariantJudged):
            yield question.variant(marked.judged), f"left out: {marked.mark.mark}"


def _variant(case: VariantCase) -> list[object]:
    judged = case.judged
    edits = "; ".join(f"{_place(edit)}{edit.kind}: {edit.before} → {edit.after}" for edit in judged.edits)
    relations = "; ".join(edit.relation for edit in judged.edits)
    where: list[object] = [judged.attack, judged.unit, sent_text(case.alteration), edits, relations, judged.distance]
    return [*where, judged.expect, judged.meaning, judged.reference, case.result]


def _place(edit: Edit) -> str:
    return "" if edit.place == QUESTION else f"{edit.place}, "


def _verdict(verdict: Verdict) -> list[object]:
    return [verdict.kind, round(verdict.score, 4), verdict.matcher, verdict.why]


def _said(asked: Asked | None) -> list[object]:
    failure = asked.failure if asked else None
    return [asked.reply if asked else "", f"{failure.kind}: {failure.message}" if failure else ""]


REPORT = Report((".csv",), write)

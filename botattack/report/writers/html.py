"""The report as one HTML file that needs no network and runs no script but its own.

Figures and findings are written as plain HTML; the outcomes, of which there may be a hundred thousand, are data blocks
that the page's script shows a page at a time, as text only. The content security policy names the hashes of that
script and style, so nothing a bot says can run, load or leave.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, Any

import msgspec

from botattack.cases import QuestionCase, VariantCase
from botattack.protocols import Report
from botattack.report.escape import flowing, quoted, visible
from botattack.report.figures.figure_values import CONTROL, SPLITS, Figures, Row
from botattack.report.figures.findings import ORDER_TOLD
from botattack.report.figures.heat import Heat, Troubles
from botattack.report.writers import mark_words, measure_words, words
from botattack.report.writers.alterations import marked
from botattack.report.writers.families import FAMILIES, outcome
from botattack.report.writers.marks import NOTHING, MarkedText, hidden_signs
from botattack.report.writers.material import Material
from botattack.report.writers.page_template import rendered
from botattack.report.writers.report_files import whole_file

BLOCK = 2000
"""Outcomes in one data block."""
SHOWN_TROUBLES = 50
HOTTEST = 8
"""Questions whose words are shown at once."""
_DATA = "<!-- outcomes -->"
_encode = msgspec.json.Encoder().encode


def write(path: Path, source: Material) -> None:
    """Raises ReportError if the file cannot be written."""
    with whole_file(path) as file, ExitStack() as stack:
        data = stack.enter_context(TemporaryFile("w+", encoding="utf-8"))
        outcomes = _Outcomes(data, list(source.figures.attacks))
        for question in source.cases():
            outcomes.add(question)
        outcomes.flush()
        head, tail = _page(source, outcomes).split(_DATA)
        file.write(head)
        data.seek(0)
        copyfileobj(data, file)
        file.write(tail)


class _Outcomes:
    """Writes questions with their outcomes as data blocks, and keeps what the page shows of all of them."""

    def __init__(self, file: IO[str], attacks: list[str]) -> None:
        self.heat = Heat()
        self.troubles = Troubles()
        self._file = file
        self._numbers = {name: number for number, name in enumerate(attacks)}
        self._block: list[Any] = []
        self._size = 0

    def add(self, question: QuestionCase) -> None:
        self.heat.add(question)
        self.troubles.add(question)
        self._block.append(self._plain(question))
        self._size += 1 + len(question.judged)
        if self._size >= BLOCK:
            self.flush()

    def flush(self) -> None:
        if self._block:
            text = _encode(self._block).decode().replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
            self._file.write(f'<script type="application/json" class="outcomes">{text}</script>\n')
            self._block, self._size = [], 0

    def _plain(self, question: QuestionCase) -> list[Any]:
        """id, text, standing, expected, reply, cases: what `page.js` reads."""
        standing = question.original.standing if question.original else "not asked"
        said = flowing(question.reply, 300)
        expected = " or ".join(visible(answer, 100) for answer in question.expected("gold")[:5])
        if said and not expected:
            expected = f"{said} (its own reply)"
        cases = [self._case(question, case) for case in question.variants]
        return [question.question.id, visible(question.question.text, 300), standing, expected, said, cases]

    def _case(self, question: QuestionCase, case: VariantCase) -> list[Any]:
        """attack, result, verdict, pieces, reply, unit, distance, note, names of hidden characters."""
        judged = case.judged
        failure = case.asked.failure if case.asked else None
        reply = visible(failure.message) if failure else flowing(case.reply, 300)
        as_claimed = case.claimed or judged.probe
        notes = ("" if question.right else "original not right", "" if as_claimed else f"meaning {judged.meaning}")
        note = ", ".join(filter(None, (*notes, "own reference" if judged.reference == "own" else "")))
        if case.result == "success" and judged.expect != "same":
            note = f"{outcome(judged.expect, case.result)}{', ' if note else ''}{note}"
        number = self._numbers.setdefault(judged.attack, len(self._numbers))
        shown = [_flat(line) for line in marked(case.alteration)]
        signs = ", ".join(hidden_signs(judged.edits))
        return [number, case.result, judged.verdict.kind, shown, reply, judged.unit, judged.distance, note, signs]

    @property
    def attacks(self) -> list[str]:
        return list(self._numbers)


def _flat(pieces: tuple[MarkedText, ...]) -> list[Any]:
    """A string for untouched text, a pair for an edit, one side of which may be empty, and three for what is said of a
    conversation: its role comes first."""
    flat: list[Any] = []
    for piece in pieces:
        if piece.role in ("user", "bot", "verdict"):
            flat.append([piece.role, piece.text, ""])
        elif piece.role == "after":
            flat[-1] = [flat[-1], "" if piece.text == NOTHING else piece.text]
        else:
            flat.append("" if piece.role == "before" and piece.text == NOTHING else piece.text)
    return flat


def _page(source: Material, outcomes: _Outcomes) -> str:
    attacks = source.figures.attacks
    others = {n: FAMILIES[attacks[name].expect].other for n, name in enumerate(outcomes.attacks) if name in attacks}
    names = {
        "attacks": [visible(name) for name in outcomes.attacks],
        "others": {n: other for n, other in others.items() if other},
        "command": _command(source),
    }
    return rendered(
        "page.html",
        ("page.css",),
        "page.js",
        figures=source.figures,
        findings=source.findings,
        order=ORDER_TOLD,
        recording=source.recording,
        since=source.since,
        words=words,
        marked_lines=marked,
        measured=measure_words,
        marks=mark_words.lines(source.figures.marks),
        visible=visible,
        lines=words.lines(source.figures),
        splits=list(_splits(source.figures)),
        hidden_signs=hidden_signs,
        NOTHING=NOTHING,
        HOTTEST=HOTTEST,
        heat=outcomes.heat.value(),
        troubles=outcomes.troubles.kinds.most_common(SHOWN_TROUBLES),
        records=[f"line {one.line}: {visible(one.why)}" for one in source.figures.skipped],
        names=_encode(names).decode().replace("<", "\\u003c"),
        data=_DATA,
    )


Rows = dict[str | int, Row]


def _splits(figures: Figures) -> Iterator[tuple[str, str, Rows, Rows]]:
    """Attack, split, and its rows with a rate and without one, where a split has several rows, one at least with a
    rate."""
    for name, attack in figures.attacks.items():
        for split in SPLITS:
            rows = attack.splits.get(split, {})
            if name != CONTROL and len(rows) > 1:
                few = {value: row for value, row in rows.items() if row.success_rate is None}
                if len(few) < len(rows):
                    yield visible(name), split, {value: rows[value] for value in rows if value not in few}, few


def _command(source: Material) -> str:
    return f"botattack replay {quoted(source.recording)} --unit "


REPORT = Report((".html", ".htm"), write)

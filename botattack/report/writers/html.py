"""The report as one HTML file that needs no network and runs no script but its own.

The story is plain HTML; the outcomes, at most MOST of them, are data blocks that the page's script
shows a page at a time, as text only. The content security policy names the hashes of that script and style, so nothing
a bot says can run, load or leave.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO

from botattack.cases import QuestionCase, VariantCase
from botattack.protocols import Report
from botattack.report.escape import visible
from botattack.report.report_files import whole_file
from botattack.report.stories.asked import STATES, note_of, reply_of, said
from botattack.report.stories.run import Read, story
from botattack.report.story.blocks import Sentence
from botattack.report.story.in_html import json_inside, page
from botattack.report.wording.alterations import marked
from botattack.report.wording.commands import command
from botattack.report.wording.headlines import plain
from botattack.report.wording.marks import NOTHING, MarkedText, hidden_signs
from botattack.report.wording.outcomes import FAMILIES, reason
from botattack.report.writers.material import Material

BLOCK = 2000
"""Outcomes in one data block."""
MOST = 20_000
"""Outcomes that a page lists: a browser needs 2 kB of memory for each, so 300,000 would take half a gigabyte."""
_DATA = "<!-- outcomes -->"


def write(path: Path, source: Material) -> None:
    """Raises ReportError if the file cannot be written."""
    with whole_file(path) as file, ExitStack() as stack:
        data = stack.enter_context(TemporaryFile("w+", encoding="utf-8"))
        outcomes = _Outcomes(data, list(source.figures.attacks))
        for question in source.cases():
            outcomes.add(question)
        outcomes.flush()
        told = story(source.figures, source.findings, source.recording, source.since, outcomes.read)
        told = replace(told, blocks=(*told.blocks, *outcomes.left_out(source.recording)))
        names = f'<script type="application/json" id="names">{_names(source, outcomes)}</script>\n{_DATA}'
        head, tail = page(told, "page.js", names).split(_DATA)
        file.write(head)
        data.seek(0)
        copyfileobj(data, file)
        file.write(tail)


class _Outcomes:
    """Writes questions with their outcomes as data blocks, and keeps what the page shows of all of them."""

    def __init__(self, file: IO[str], attacks: list[str]) -> None:
        self.read = Read()
        self._file = file
        self._numbers = {name: number for number, name in enumerate(attacks)}
        self._block: list[object] = []
        self._size = self._count = self._listed = 0

    def add(self, question: QuestionCase) -> None:
        self.read.add(question)
        size = 1 + len(question.judged)
        self._count += size
        if self._listed and self._listed + size > MOST:
            return
        self._listed += size
        self._block.append(self._plain(question))
        self._size += size
        if self._size >= BLOCK:
            self.flush()

    def flush(self) -> None:
        if self._block:
            self._file.write(f'<script type="application/json" class="outcomes">{json_inside(self._block)}</script>\n')
            self._block, self._size = [], 0

    def left_out(self, recording: str) -> Iterator[Sentence]:
        if self._listed < self._count:
            text = f"The list below has {self._listed:,} of {self._count:,} outcomes, of the questions asked first."
            yield Sentence(
                f"{text} {command('replay', recording, '--as-recorded', '-o', 'all.csv')} lists all.", "note"
            )

    def _plain(self, question: QuestionCase) -> list[object]:
        """id, text, standing, expected, reply, cases, units of the original: what `page.js` reads."""
        standing = question.original.standing if question.original else "not asked"
        reply = said(question.reply)
        expected = " or ".join(visible(answer, 100) for answer in question.expected("gold")[:5])
        if reply and not expected:
            expected = f"{reply} (its own reply)"
        cases = [self._case(question, case) for case in question.variants]
        units = question.original.units if question.original else ()
        return [question.question.id, visible(question.question.text, 300), standing, expected, reply, cases, units]

    def _case(self, question: QuestionCase, case: VariantCase) -> list[object]:
        """attack, state, verdict, pieces, reply, unit, distance, note, names of hidden characters, reason."""
        judged = case.judged
        number = self._numbers.setdefault(judged.attack, len(self._numbers))
        shown = [_flat(line) for line in marked(case.alteration)]
        signs, state = ", ".join(hidden_signs(judged.edits)), STATES.get(case.result, case.result)
        why = reason(judged.verdict)
        told = reply_of(question, case), judged.unit, judged.distance, note_of(question, case), signs, why
        return [number, state, judged.verdict.kind, shown, *told]

    @property
    def attacks(self) -> list[str]:
        return list(self._numbers)


def _flat(pieces: tuple[MarkedText, ...]) -> list[object]:
    """A string for untouched text, a pair for an edit, one side of which may be empty, and three for what is said of a
    conversation: its role comes first."""
    flat: list[object] = []
    for piece in pieces:
        if piece.role in ("user", "bot", "verdict", "broke"):
            flat.append([piece.role, piece.text, ""])
        elif piece.role == "after":
            flat[-1] = [flat[-1], "" if piece.text == NOTHING else piece.text]
        else:
            flat.append("" if piece.role == "before" and piece.text == NOTHING else piece.text)
    return flat


def _names(source: Material, outcomes: _Outcomes) -> str:
    """What the script needs beside the outcomes, as JSON."""
    attacks = source.figures.attacks
    others = {n: FAMILIES[attacks[name].expect].other for n, name in enumerate(outcomes.attacks) if name in attacks}
    names = {
        "attacks": [visible(name) for name in outcomes.attacks],
        "plain": [plain(name) for name in outcomes.attacks],
        "boilerplate": sorted(map(said, source.figures.run.boilerplate), key=len, reverse=True),
        "others": {n: other for n, other in others.items() if other},
        "command": command("replay", source.recording, "--unit") + " ",
    }
    return json_inside(names)


REPORT = Report((".html", ".htm"), write)

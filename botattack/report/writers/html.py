"""The report as one HTML file that needs no network and runs no script but its own.

Figures and findings are written as plain HTML; the outcomes, of which there may be a hundred thousand, are data blocks
that the page's script shows a page at a time, as text only. The content security policy names the hashes of that
script and style, so nothing a bot says can run, load or leave.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, Any

import msgspec

from botattack.cases import Alteration, QuestionCase, VariantCase
from botattack.protocols import Report
from botattack.report.escape import flowing, quoted, unmarked, visible
from botattack.report.figures.causes import examples
from botattack.report.figures.figure_values import CONTROL, SPLITS, Figures, Row
from botattack.report.figures.findings import KEPT, ORDER_TOLD
from botattack.report.figures.heat import Heat, HotQuestion, Troubles
from botattack.report.numbers import rounded
from botattack.report.statistics.intervals import MIN_QUESTIONS
from botattack.report.wording import (
    causes,
    cautions,
    diagnoses,
    finding_words,
    headlines,
    judge_words,
    mark_words,
    measure_words,
    reader_words,
    words,
)
from botattack.report.wording.advice import advice
from botattack.report.wording.alterations import marked
from botattack.report.wording.families import FAMILIES, failure, outcome
from botattack.report.wording.headlines import plain
from botattack.report.wording.marks import NOTHING, MarkedText, hidden_signs, slip
from botattack.report.writers import first_screen
from botattack.report.writers.material import Material
from botattack.report.writers.page_template import rendered
from botattack.report.writers.report_files import whole_file

BLOCK = 2000
"""Outcomes in one data block."""
SHOWN_TROUBLES = 50
VARIANTS = 12
"""Variants of a fragile question that are shown with it; the list of all outcomes has the others."""
_STATES = {"success": "broken", "robust": "held"}
COLUMNS = ("attack", "broken", "rate", "95 % interval", "", CONTROL)
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
        """id, text, standing, expected, reply, cases, units of the original: what `page.js` reads."""
        standing = question.original.standing if question.original else "not asked"
        said = _read(question.reply)
        expected = " or ".join(visible(answer, 100) for answer in question.expected("gold")[:5])
        if said and not expected:
            expected = f"{said} (its own reply)"
        cases = [self._case(question, case) for case in question.variants]
        units = question.original.units if question.original else ()
        return [question.question.id, visible(question.question.text, 300), standing, expected, said, cases, units]

    def _case(self, question: QuestionCase, case: VariantCase) -> list[Any]:
        """attack, state, verdict, pieces, reply, unit, distance, note, names of hidden characters, reason."""
        judged = case.judged
        number = self._numbers.setdefault(judged.attack, len(self._numbers))
        shown = [_flat(line) for line in marked(case.alteration)]
        signs, state = ", ".join(hidden_signs(judged.edits)), _state(case)
        told = (
            _said(case),
            judged.unit,
            judged.distance,
            _note(question, case),
            signs,
            finding_words.reason(judged.verdict),
        )
        return [number, state, judged.verdict.kind, shown, *told]

    @property
    def attacks(self) -> list[str]:
        return list(self._numbers)


def _read(reply: str) -> str:
    """What a bot said, on one line to read."""
    return flowing(unmarked(reply), 300)


def _boilerplate(figures: Figures) -> tuple[str, ...]:
    """What was left out of judging, as replies are shown; the longest first."""
    return tuple(sorted(map(_read, figures.run.boilerplate), key=len, reverse=True))


def parted(reply: str, known: Sequence[str]) -> tuple[str, str, str]:
    """A reply as the boilerplate before it, what it says, and the boilerplate behind it, which make up the reply."""
    says = reply
    while before := next((one for one in known if says.startswith(f"{one} ")), ""):
        says = says[len(before) + 1 :]
    start = len(reply) - len(says)
    while behind := next((one for one in known if says.endswith(f" {one}")), ""):
        says = says[: -len(behind) - 1]
    end = start + len(says)
    return reply[: max(0, start - 1)], reply[max(0, start - 1) : end + 1], reply[end + 1 :]


def _said(case: VariantCase) -> str:
    failure = case.asked.failure if case.asked else None
    return visible(failure.message) if failure else _read(case.reply)


def _state(case: VariantCase) -> str:
    return _STATES.get(case.result, case.result)


def _note(question: QuestionCase, case: VariantCase) -> str:
    """What sets an outcome apart, such as a meaning that is not as claimed."""
    judged = case.judged
    what = outcome(judged.expect, case.result) if case.result == "success" and judged.expect != "same" else ""
    meaning = "" if case.claimed or judged.probe else f"meaning {judged.meaning}"
    right = "" if question.right else "original not right"
    return ", ".join(filter(None, (what, right, meaning, "own reference" if judged.reference == "own" else "")))


def _flat(pieces: tuple[MarkedText, ...]) -> list[Any]:
    """A string for untouched text, a pair for an edit, one side of which may be empty, and three for what is said of a
    conversation: its role comes first."""
    flat: list[Any] = []
    for piece in pieces:
        if piece.role in ("user", "bot", "verdict", "broke"):
            flat.append([piece.role, piece.text, ""])
        elif piece.role == "after":
            flat[-1] = [flat[-1], "" if piece.text == NOTHING else piece.text]
        else:
            flat.append("" if piece.role == "before" and piece.text == NOTHING else piece.text)
    return flat


@dataclass(frozen=True)
class _Variant:
    """A variant of a fragile question; `first` is whether none before it on the page is of the same unit."""

    unit: str
    first: bool
    attack: str
    state: str
    note: str
    alteration: Alteration
    reply: str | None
    why: str


@dataclass(frozen=True)
class _Fragile:
    """A question that broke, with the variants that broke it first; `more` has it besides."""

    hot: HotQuestion
    right: str
    reply: str
    why: str
    variants: tuple[_Variant, ...]
    more: int


def _fragile(hot: HotQuestion, placed: set[str]) -> _Fragile:
    question = hot.case
    order = {"success": 0, "robust": 1, "unsure": 2, "error": 3}
    cases = sorted(question.variants, key=lambda case: (order.get(case.result, 4), case.judged.distance))
    shown = tuple(_variant(question, case, placed) for case in cases[:VARIANTS])
    why = finding_words.reason(question.original.verdict) if question.original else ""
    right = finding_words.expected_of(question.expected("gold")) if question.question.has_gold else "its own reply"
    return _Fragile(hot, right, _read(question.reply), why, shown, len(cases) - len(shown))


def _variant(question: QuestionCase, case: VariantCase, placed: set[str]) -> _Variant:
    judged = case.judged
    talk = len(case.alteration.sent) > 1 and not (case.asked and case.asked.failure)
    first = judged.unit not in placed
    placed.add(judged.unit)
    said = None if talk else _said(case)
    name = f"{plain(judged.attack)}{'' if judged.expect == 'same' else f' ({FAMILIES[judged.expect].right})'}"
    told = _state(case), _note(question, case), case.alteration, said, finding_words.reason(judged.verdict)
    return _Variant(judged.unit, first, name, *told)


def _page(source: Material, outcomes: _Outcomes) -> str:
    figures = source.figures
    placed: set[str] = set()
    fragile = [_fragile(hot, placed) for hot in outcomes.heat.value()]
    return rendered(
        "page.html",
        ("page.css",),
        "page.js",
        figures=figures,
        examples=examples(figures.causes, source.findings, KEPT),
        order=f"{causes.TOLD} Then come other failures. {ORDER_TOLD}",
        causes=causes,
        recording=source.recording,
        since=source.since,
        finding_words=finding_words,
        judge_words=judge_words,
        words=words,
        headlines=headlines,
        first=first_screen,
        cards=list(first_screen.cards(figures, outcomes.heat)),
        failure=failure,
        slip=slip,
        failures=headlines.failures(figures),
        marked_lines=marked,
        measured=measure_words,
        diagnoses=diagnoses,
        marks=mark_words.lines(source.figures.marks),
        readers=reader_words.lines(figures),
        visible=visible,
        rounded=rounded,
        worst=headlines.ranked(figures),
        rated=any(row.interval for each in figures.attacks.values() for row in (each.gold, each.own)),
        given=lambda attack: any(measure.value is not None for measure in attack.measures.values()),
        alarms=[*words.faults(figures), *words.weaker(figures.run.weaker)],
        cautions=cautions.cautions(figures),
        parted=partial(parted, known=_boilerplate(figures)),
        todo=list(advice(figures, outcomes.heat.broken, source.recording)),
        broken=outcomes.heat.broken,
        fragile=fragile,
        placed=placed,
        lines=words.lines(figures),
        tables=[*words.tables(figures, COLUMNS)],
        splits=list(_splits(figures)),
        hidden_signs=hidden_signs,
        NOTHING=NOTHING,
        MIN_QUESTIONS=MIN_QUESTIONS,
        troubles=outcomes.troubles.kinds.most_common(SHOWN_TROUBLES),
        records=[f"line {one.line}: {visible(one.why)}" for one in figures.skipped],
        names=_names(source, outcomes),
        data=_DATA,
    )


def _names(source: Material, outcomes: _Outcomes) -> str:
    """What the script needs beside the outcomes, as JSON."""
    attacks = source.figures.attacks
    others = {n: FAMILIES[attacks[name].expect].other for n, name in enumerate(outcomes.attacks) if name in attacks}
    names = {
        "attacks": [visible(name) for name in outcomes.attacks],
        "plain": [plain(name) for name in outcomes.attacks],
        "boilerplate": _boilerplate(source.figures),
        "others": {n: other for n, other in others.items() if other},
        "command": _command(source),
    }
    return _encode(names).decode().replace("<", "\\u003c")


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

"""A comparison as a file: JSON, Markdown, or JUnit XML in which only a regression fails."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape

import msgspec

from botattack.places import write_place
from botattack.report.comparison.diff import Change, DiffRow, RunComparison
from botattack.report.report_files import ReportFiles
from botattack.report.stories import comparison_words
from botattack.report.stories.comparison import story
from botattack.report.story.in_html import lines as page_lines
from botattack.report.story.in_markdown import lines as markdown_lines
from botattack.report.writers.junit import attribute, element


def as_json(comparison: RunComparison) -> dict[str, Any]:
    """Plain values in a stable order."""
    return {
        "old": {"id": comparison.old.id, "target": comparison.old.target, "started": comparison.old.started},
        "new": {"id": comparison.new.id, "target": comparison.new.target, "started": comparison.new.started},
        "regression": bool(comparison.regressions),
        "lost": _lost(comparison),
        "rows": rows_json(comparison.rows),
        "unstable": comparison.unstable,
        "notes": list(comparison.notes),
        "changes": [change_json(change) for change in comparison.changes],
    }


def rows_json(rows: Iterable[DiffRow]) -> list[dict[str, Any]]:
    return [msgspec.to_builtins(row) for row in rows]


def _lost(comparison: RunComparison) -> dict[str, Any]:
    """Questions by id; `rings` is whether one lost answer is enough for an alarm."""
    lost = comparison.lost
    return {**msgspec.to_builtins(lost), "quiet": lost.quiet, "rings": lost.ring}


def change_json(change: Change) -> dict[str, Any]:
    """A changed unit with all that is known of it."""
    return {
        "row": change.row,
        "broke": change.broke,
        "question": change.alteration.question,
        "question_id": change.question_id,
        "unit": change.unit,
        "edits": msgspec.to_builtins(change.alteration.edits, enc_hook=write_place),
        "sent": change.alteration.text,
        "expected": list(change.expected),
        "expect": change.expect,
        "before": change.before,
        "got": change.got,
    }


def _json(comparison: RunComparison, recording: str, gates: Sequence[str] = ()) -> Iterator[str]:
    del recording
    yield json.dumps({**as_json(comparison), "gates": list(gates)}, indent=2, ensure_ascii=False)


def markdown(comparison: RunComparison, recording: str, gates: Sequence[str] = ()) -> Iterator[str]:
    """The lines of the comparison."""
    return markdown_lines(story(comparison, recording, gates))


def page(comparison: RunComparison, recording: str, gates: Sequence[str] = ()) -> Iterator[str]:
    """The comparison as one page."""
    return page_lines(story(comparison, recording, gates))


def _junit(comparison: RunComparison, recording: str, gates: Sequence[str] = ()) -> Iterator[str]:
    cases = [*_lost_case(comparison, recording), *(_case(row, comparison, recording) for row in comparison.rows)]
    cases += [element("baseline.gates", gate, f'<failure type="gate" message={attribute(gate)}/>') for gate in gates]
    failures = comparison.lost.ring + len(comparison.regressions) + len(gates)
    skipped = sum(row.tier == "not enough data" for row in comparison.rows)
    counts = f'tests="{len(cases)}" failures="{failures}" errors="0" skipped="{skipped}"'
    name = attribute(f"botattack {comparison.new.target} against its baseline")
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<testsuites name={name} {counts}>"
    yield f"<testsuite name={name} {counts}>"
    yield "".join(cases).rstrip("\n")
    yield "</testsuite>"
    yield "</testsuites>"


def _lost_case(comparison: RunComparison, recording: str) -> list[str]:
    """The lost answers as a test of their own."""
    lost = comparison.originals(comparison.lost.confirmed)
    if not comparison.lost.ring:
        return [element("baseline.lost answers", "lost answers", "")]
    shown = [line for change in lost for line in [*comparison_words.change_lines(change, recording), ""]]
    message = attribute(comparison_words.verdict(comparison))
    failure = f'<failure type="lost answers" message={message}>{escape(chr(10).join(shown))}</failure>'
    return [element("baseline.lost answers", "lost answers", failure)]


def _case(row: DiffRow, comparison: RunComparison, recording: str) -> str:
    if row.tier == "not enough data":
        return element(
            f"baseline.{row.name}", "regression", f"<skipped message={attribute(comparison_words.detail(row))}/>"
        )
    if row.tier != "regression":
        return element(f"baseline.{row.name}", "regression", "")
    broken = [change for change in comparison.changes if change.broke and change.row == row.name]
    shown = [line for change in broken for line in [*comparison_words.change_lines(change, recording), ""]]
    message = ", ".join(comparison_words.cells(row)[1:])
    return element(
        f"baseline.{row.name}",
        "regression",
        f'<failure type="regression" message={attribute(message)}>{escape(chr(10).join(shown))}</failure>',
    )


FILES = ReportFiles("comparison of two runs", {".json": _json, ".md": markdown, ".html": page, ".xml": _junit})

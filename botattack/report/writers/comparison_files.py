"""A comparison as a file: JSON, Markdown, a page, or JUnit XML in which only a regression fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from xml.sax.saxutils import escape

from botattack.report.comparison.diff import ALARMING, Change, DiffRow, RunComparison
from botattack.report.report_files import story_files
from botattack.report.stories.comparison import cells, detail, example, first_line, story
from botattack.report.story.in_markdown import example_lines
from botattack.report.writers.junit import attribute, element


def _junit(comparison: RunComparison) -> Iterator[str]:
    cases = [_lost(comparison), *(_case(row, comparison) for row in comparison.rows)]
    gates = ((gate, f'<failure type="gate" message={attribute(gate)}/>') for gate in comparison.gates)
    cases += [element("baseline.gates", gate, failure) for gate, failure in gates]
    failures = comparison.lost.ring + len(comparison.regressions) + len(comparison.gates)
    skipped = sum(row.tier == "not enough data" for row in comparison.rows)
    counts = f'tests="{len(cases)}" failures="{failures}" errors="0" skipped="{skipped}"'
    name = attribute(f"botattack {comparison.new.target} against its baseline")
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<testsuites name={name} {counts}>"
    yield f"<testsuite name={name} {counts}>"
    yield "".join(cases).rstrip("\n")
    yield "</testsuite>"
    yield "</testsuites>"


def _lost(comparison: RunComparison) -> str:
    """The lost answers as a test of their own."""
    lost = comparison.originals(comparison.lost.confirmed) if comparison.lost.ring else ()
    body = _failure("lost answers", first_line(comparison), lost, comparison) if lost else ""
    return element("baseline.lost answers", "lost answers", body)


def _case(row: DiffRow, comparison: RunComparison) -> str:
    body = ""
    if row.tier == "not enough data":
        body = f"<skipped message={attribute(detail(row))}/>"
    if row.tier in ALARMING:
        broken = (change for change in comparison.changes if change.broke and change.row == row.name)
        body = _failure(row.tier, ", ".join(cells(row)[1:]), broken, comparison)
    return element(f"baseline.{row.name}", "regression", body)


def _failure(kind: str, message: str, changes: Iterable[Change], comparison: RunComparison) -> str:
    shown = (example(change, comparison) for change in changes)
    lines = (line for one in shown for line in (*example_lines(one), ""))
    return f'<failure type="{kind}" message={attribute(message)}>{escape(chr(10).join(lines))}</failure>'


_STORY = story_files("comparison of two runs", story, lambda comparison: comparison)
FILES = replace(_STORY, lines={**_STORY.lines, ".xml": _junit})

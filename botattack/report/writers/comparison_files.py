"""A comparison as a file: JSON, Markdown, a page, or JUnit XML in which only a regression fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from xml.sax.saxutils import escape

from botattack.report.comparison.diff import ALARMING, Change, DiffRow, RunComparison
from botattack.report.report_files import story_files
from botattack.report.stories.comparison import cells, detail, example, first_line, story
from botattack.report.story.in_markdown import example_lines
from botattack.report.writers.junit import Suite, attribute, element, whole


def _junit(comparison: RunComparison) -> Iterator[str]:
    suite, lost = Suite(), comparison.lost.ring
    suite.add("failures" if lost else "passed", _lost(comparison))
    for row in comparison.rows:
        outcome = {"not enough data": "skipped", **dict.fromkeys(ALARMING, "failures")}.get(row.tier, "passed")
        suite.add(outcome, _case(row, comparison))
    if comparison.gates:
        failure = f'<failure type="gate" message={attribute("; ".join(comparison.gates))}/>'
        suite.add("failures", element("baseline.gates", "gates", failure))
    name = f"botattack {comparison.new.target} against its baseline"
    return whole(name, [(name, suite)])


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

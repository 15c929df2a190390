"""The report of a run as Markdown, for the summary of a CI job, and its figures as JSON, for other tools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from botattack.protocols import Report
from botattack.report.report_files import json_text, whole_file
from botattack.report.stories.run import Read, story
from botattack.report.story.in_markdown import lines
from botattack.report.writers.material import Material


def markdown(source: Material) -> Iterator[str]:
    """The lines of the report."""
    read = Read.of(source.cases())
    return lines(story(source.figures, source.findings, source.recording, source.since, read))


def write_markdown(path: Path, source: Material) -> None:
    """Raises ReportError if the file cannot be written."""
    _write(path, markdown(source))


def write_json(path: Path, source: Material) -> None:
    """What docs/report.schema.json describes; raises ReportError if the file cannot be written."""
    _write(path, [json_text(source.figures)])


def _write(path: Path, lines: Iterable[str]) -> None:
    with whole_file(path) as file:
        file.writelines(f"{line}\n" for line in lines)


JSON = Report((".json",), write_json)
MARKDOWN = Report((".md",), write_markdown)

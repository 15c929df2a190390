"""The report as Markdown, for the summary of a CI job."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from botattack.protocols import Report
from botattack.report.figures.heat import Heat, Troubles
from botattack.report.report_files import whole_file
from botattack.report.stories.run import Read, story
from botattack.report.story.in_markdown import lines
from botattack.report.writers.material import Material


def write(path: Path, source: Material) -> None:
    """Raises ReportError if the file cannot be written."""
    with whole_file(path) as file:
        file.writelines(f"{line}\n" for line in markdown(source))


def markdown(source: Material) -> Iterator[str]:
    """The lines of the report."""
    read = Read(Heat(), Troubles())
    for question in source.cases():
        read.heat.add(question)
        read.troubles.add(question)
    return lines(story(source.figures, source.findings, source.recording, source.since, read))


REPORT = Report((".md",), write)

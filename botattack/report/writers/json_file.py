"""The figures as JSON, for other tools: docs/report.schema.json says what each key means."""

from __future__ import annotations

from pathlib import Path

from botattack.protocols import Report
from botattack.report.report_files import whole_file
from botattack.report.story.files import json_text
from botattack.report.writers.material import Material


def write(path: Path, source: Material) -> None:
    """Raises ReportError if the file cannot be written."""
    with whole_file(path) as file:
        file.write(f"{json_text(source.figures)}\n")


REPORT = Report((".json",), write)

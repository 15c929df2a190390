"""How a run is shown in this terminal, and written to files."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import click

from botattack.audit.job import Job, expected_of
from botattack.cli.shared_flags import STDOUT
from botattack.report.figures.expected import Expected
from botattack.report.report_files import json_text
from botattack.report.writers.material import Material, check_output, write_report
from botattack.report.writers.terminal import Terminal


def terminal_of(job: Job, *, alone: bool = True, flags: Mapping[str, Any] | None = None) -> Terminal:
    """Only one that is `alone` redraws its view; others write lines."""
    return terminal(str(job.folder), flags or {}, alone=alone, expected=expected_of(job))


def terminal(
    recording: str, flags: Mapping[str, Any], *, alone: bool = True, expected: Expected | None = None
) -> Terminal:
    """The view of a recording. With --json the report is not printed, with --quiet nothing is."""
    quiet = flags.get("quiet", False)
    out = io.StringIO() if quiet or prints_json(flags) else sys.stdout
    return Terminal(out, io.StringIO() if quiet else sys.stderr, recording=recording, redraws=alone, expected=expected)


def check_outputs(flags: Mapping[str, Any]) -> None:
    """Raises ReportError for a file that no report can be written to, before anything is asked."""
    for file in flags["outputs"]:
        if file != STDOUT:
            check_output(file)


def write_outputs(found: Material, flags: Mapping[str, Any]) -> None:
    """Writes the files, and JSON to standard output where it is asked for."""
    for file in flags["outputs"]:
        if file != STDOUT:
            write_report(file, replace(found, bom=flags["bom"]))
    if prints_json(flags):
        click.echo(json_text(found.figures))


def prints_json(flags: Mapping[str, Any]) -> bool:
    """Whether standard output is for JSON alone."""
    return bool(flags.get("as_json")) or STDOUT in flags.get("outputs", ())

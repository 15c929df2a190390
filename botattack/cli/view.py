"""How a run is shown in this terminal, and written to files."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from dataclasses import replace

import click

from botattack.audit.job import Job, expected_of
from botattack.cli.shared_flags import Output, say
from botattack.report.figures.expected import Expected
from botattack.report.figures.gates import AnyGate
from botattack.report.report_files import json_text
from botattack.report.writers.material import Material, check_output, write_report
from botattack.report.writers.terminal import Terminal


def terminal_of(job: Job, output: Output) -> Terminal:
    return terminal(str(job.folder), output, expected=expected_of(job), gates=job.campaign.gates)


def terminal(
    recording: str, output: Output, *, expected: Expected | None = None, gates: Sequence[AnyGate] = ()
) -> Terminal:
    """The view of a recording. With --json the report is not printed, with --quiet nothing is."""
    out = io.StringIO() if output.quiet or output.is_json else sys.stdout
    err = io.StringIO() if output.quiet else sys.stderr
    return Terminal(out, err, recording=recording, expected=expected, gates=gates)


def check_outputs(output: Output) -> None:
    """Raises ReportError for a file that no report can be written to, before anything is asked."""
    for file in output.files:
        check_output(file)


def write_outputs(found: Material, output: Output) -> None:
    """Writes the files, and JSON to standard output where it is asked for."""
    for file in output.files:
        write_report(file, replace(found, bom=output.bom, raw=output.raw))
        if not output.quiet:
            say(f"written    {file}")
    if output.is_json:
        click.echo(json_text(found.figures))


def show(found: Material, recording: str, output: Output) -> None:
    """Prints what is known of a recording, and writes its reports."""
    with terminal(recording, output) as view:
        view.finish(found.figures, found.findings)
    write_outputs(found, output)

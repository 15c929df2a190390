"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path

import click

also_written = click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Also write a report: .html .md .json .csv .xml.",
)

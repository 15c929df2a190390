"""Arguments and options that several commands have."""

from __future__ import annotations

from pathlib import Path

import click

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
NEW_FILE = click.Path(dir_okay=False, path_type=Path)
NEW_FOLDER = click.Path(file_okay=False, path_type=Path)

allow_code = click.option("--allow-code", is_flag=True, help="Allow the target file to run code.")
recordings = click.option(
    "--recordings",
    type=NEW_FOLDER,
    default=Path("recordings"),
    show_default=True,
    help="The folder of recordings and baselines.",
)
also_written = click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Also write a report to this file: .html .md .json .csv .xml.",
)

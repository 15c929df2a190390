"""`botattack report`: reports of recorded runs, made again at any time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from botattack.cli.shared_flags import NEW_FOLDER, RUN

EPILOG = """\b
Examples:
  botattack report recordings/20260101T020000Z-helpdesk-1a2b3c4d --kind html
  botattack report recordings/*-helpdesk-* --kind json --into figures/
"""


@click.command(epilog=EPILOG)
@click.argument(
    "recordings",
    metavar="RUN...",
    nargs=-1,
    required=True,
    type=RUN,
)
@click.option(
    "--kind", "kinds", multiple=True, help="html, markdown, json, csv or junit (repeatable).  [default: html]"
)
@click.option("--into", type=NEW_FOLDER, help="Write into this folder, not into those of the runs.")
@click.option("--bom", is_flag=True, help="Begin .csv with a byte order mark, for Excel.")
def report(recordings: tuple[Path, ...], kinds: tuple[str, ...], into: Path | None, bom: bool) -> None:
    """Write reports of recorded runs, with the grades from the time of the run.

    A report is written into the folder of its run as report.html, report.xml …; with --into, under the run's name.
    """
    from botattack.recordings import manifest
    from botattack.recordings.triage import marked_events
    from botattack.report.writers.material import material, suffix_of, write_report

    for recording in recordings:
        name = manifest.read(recording).run
        found = material(lambda folder=recording: marked_events(folder), str(recording))  # type: ignore[misc]
        for kind in kinds or ("html",):
            suffix = suffix_of(kind)
            path = into / f"{Path(name).name}{suffix}" if into else recording / f"report{suffix}"
            write_report(path, replace(found, bom=bom), kind)
            click.echo(path)

"""`botattack report`: reports of recorded runs, made again at any time."""

from __future__ import annotations

from pathlib import Path

import click

KINDS = {"html": ".html", "junit": ".xml", "markdown": ".md", "json": ".json", "csv": ".csv"}

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
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option("--kind", "kinds", multiple=True, type=click.Choice(list(KINDS)), help="May be repeated; html if none.")
@click.option("--into", type=click.Path(file_okay=False, path_type=Path), help="A folder; else beside each recording.")
def report(recordings: tuple[Path, ...], kinds: tuple[str, ...], into: Path | None) -> None:
    """Write reports of recorded runs, as they were judged when they ran.

    A report lies in the folder of its run as report.html, report.xml …, or in --into under the name of the run.
    """
    from botattack.recordings import manifest
    from botattack.recordings.reader import events
    from botattack.report.writers.material import material, write_report

    for recording in recordings:
        name = manifest.read(recording).run
        found = material(lambda folder=recording: events(folder), str(recording))  # type: ignore[misc]
        for kind in kinds or ("html",):
            path = into / f"{Path(name).name}{KINDS[kind]}" if into else recording / f"report{KINDS[kind]}"
            write_report(path, found, kind)
            click.echo(path)

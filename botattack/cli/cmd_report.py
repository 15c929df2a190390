"""`botattack report`: reports of recorded runs, made again at any time."""

from __future__ import annotations

from pathlib import Path

import click

from botattack.cli.shared_flags import FOLDER, NEW_FOLDER

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
    type=FOLDER,
)
@click.option("--kind", "kinds", multiple=True, help="html, json …; may be repeated; html if none.")
@click.option("--into", type=NEW_FOLDER, help="A folder; else beside each recording.")
def report(recordings: tuple[Path, ...], kinds: tuple[str, ...], into: Path | None) -> None:
    """Write reports of recorded runs, as they were judged when they ran.

    A report lies in the folder of its run as report.html, report.xml …, or in --into under the name of the run.
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
            write_report(path, found, kind)
            click.echo(path)

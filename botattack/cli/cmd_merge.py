"""`botattack merge`: shards of one run become one recording."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from botattack.cli.shared_flags import FOLDER, also_written, recordings

EPILOG = """\b
Examples:
  botattack merge recordings/*-helpdesk-*
  botattack merge recordings/20260101T020000Z-helpdesk-1a2b3c4d recordings/20260101T020001Z-helpdesk-5e6f7a8b

Exit status: 0 the gates hold over all shards, 1 one or an attack fails, nothing was left to attack, or too many askings
failed or could not be judged, 2 the shards do not fit.
"""


@click.command(epilog=EPILOG)
@click.argument("shards", nargs=-1, required=True, type=FOLDER, metavar="RUN...")
@also_written
@recordings
def merge(shards: tuple[Path, ...], outputs: tuple[Path, ...], recordings: Path) -> int:
    """Join the recordings of all shards of a run into one, with the figures and the gates of the whole."""
    from botattack.audit.conclusion import conclude_merged
    from botattack.events import AnyEvent
    from botattack.recordings.merge import merge as joined
    from botattack.recordings.triage import NAME, Marking, marked_events, read
    from botattack.report.figures.metrics import Metrics
    from botattack.report.writers.material import check_output, material, write_report
    from botattack.report.writers.terminal import Terminal

    for file in outputs:
        check_output(file)
    metrics, marking = Metrics(), Marking(read(recordings / NAME))

    def fold(event: AnyEvent) -> None:
        for told in marking(event):
            metrics.update(told)

    folder = joined(
        shards,
        recordings,
        lambda made, ends: conclude_merged(made, ends, metrics.value(), recordings),
        [fold],
    )
    found = material(lambda: marked_events(folder), str(folder))
    with Terminal(sys.stdout, sys.stderr, recording=str(folder)) as terminal:
        terminal.finish(found.figures, found.findings)
    for file in outputs:
        write_report(file, found)
    click.echo(f"\nrecording  {folder}", err=True)
    ending = found.figures.run
    if ending.exit:
        click.echo(f"botattack: {ending.why}", err=True)
    return ending.exit or 0

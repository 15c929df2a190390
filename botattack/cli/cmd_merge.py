"""`botattack merge`: shards of one run become one recording."""

from __future__ import annotations

from pathlib import Path

import click

from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import RUN, Output, also_written, once, recordings, say, say_ended


@click.command(epilog=epilog("merge"))
@click.argument("shards", nargs=-1, required=True, type=RUN, callback=once, metavar="RUN...")
@also_written
@recordings
def merge(shards: tuple[Path, ...], recordings: Path, output: Output) -> int:
    """Join the recordings of all parts of a run (--shard 1/4 to 4/4, say) and check the gates on the whole."""
    from botattack.audit.conclusion import conclude_merged
    from botattack.cli.view import check_outputs, show
    from botattack.events import AnyEvent
    from botattack.recordings import manifest
    from botattack.recordings.merge import merge as joined
    from botattack.recordings.triage import NAME, Marking, marked_events, read
    from botattack.report.figures.metrics import Metrics
    from botattack.report.writers.material import material

    check_outputs(output)
    parts = [one for one in shards if manifest.read(one).shard[1] > 1]
    if parts and len(parts) < len(shards):
        # The runs that `recordings/*-helpdesk-*` names are also those that were merged before.
        for whole in [one for one in shards if one not in parts]:
            say(f"left out   {whole}: it is a whole run, no part of one")
        shards = tuple(parts)
    metrics, marking = Metrics(), Marking(read(recordings / NAME))

    def fold(event: AnyEvent) -> None:
        for told in marking(event):
            metrics.update(told)

    folder = joined(
        shards, recordings, lambda made, ends: conclude_merged(made, ends, metrics.value(), recordings), [fold]
    )
    found = material(lambda: marked_events(folder), str(folder))
    show(found, str(folder), output)
    ending = found.figures.run
    say_ended(folder, ending.exit or 0, ending.why, quiet=output.quiet)
    return ending.exit or 0

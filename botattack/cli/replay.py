"""`botattack replay`: a recording judged again, offline."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from botattack.events import AnyEvent

EPILOG = """\b
Examples:
  botattack replay recordings/20260101T020000Z-alice-1a2b3c4d
  botattack replay recordings/20260101T020000Z-alice-1a2b3c4d --unit 5f2c9a1b7d3e8f60.0
"""


@click.command(epilog=EPILOG)
@click.argument("recording", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--unit", help="Show one asking: what was sent, what came back, and what it means.")
@click.option("-o", "--output", "outputs", multiple=True, type=click.Path(path_type=Path), help="Also write a report.")
def replay(recording: Path, unit: str | None, outputs: tuple[Path, ...]) -> int:
    """Judge a recorded run again with today's matchers. Nothing is asked and no attack is run."""
    from botattack.report.material import kind_of, material, write_report
    from botattack.report.terminal import Terminal

    for file in outputs:
        kind_of(file)
    judging = _judging(recording)
    if unit:
        from botattack.report.unit import describe_unit

        click.echo(describe_unit(_again(recording, judging), unit))
        return 0
    found = material(lambda: _again(recording, judging), str(recording))
    with Terminal(sys.stdout, sys.stderr, recording=str(recording)) as terminal:
        terminal.finish(found.figures, found.findings)
    for file in outputs:
        write_report(file, found)
    return 0


def _again(recording: Path, judging: Any) -> Iterator[AnyEvent]:
    from botattack.recordings.reader import events
    from botattack.recordings.rejudge import rejudged

    return rejudged(events(recording), judging)


def _judging(recording: Path) -> Any:
    """The judge the run was set up with, as today's matchers understand it."""
    from botattack.config.parts import matcher_from
    from botattack.engine.judging import Judging
    from botattack.matchers.judge import Judge
    from botattack.matchers.own import OwnReference
    from botattack.recordings import manifest

    settings = manifest.read(recording).settings
    refusals = tuple(settings.get("refusals", ()))
    return Judging(Judge(matcher_from(settings.get("match")), refusals), OwnReference(refusals=refusals))

"""`botattack replay`: a recording judged again, offline."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from botattack.cli.shared_flags import FILE, FOLDER, also_written

EPILOG = """\b
Examples:
  botattack replay recordings/20260101T020000Z-alice-1a2b3c4d
  botattack replay recordings/20260101T020000Z-alice-1a2b3c4d --unit 5f2c9a1b7d3e8f60.0
  botattack replay recordings/20260101T020000Z-helpdesk-1a2b3c4d --reextract --target targets/helpdesk.yaml
"""


@click.command(epilog=EPILOG)
@click.argument("recording", type=FOLDER)
@click.option("--unit", help="Show one asking: what was sent, what came back, and what it means.")
@click.option("--reextract", is_flag=True, help="Also extract every reply again, as the target file says today.")
@click.option(
    "-t",
    "--target",
    type=FILE,
    help="That target file, if it is not where it was; its refusals count, too.",
)
@click.option(
    "--judge",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Weights of `botattack judge fit`, in place of those that the campaign named.",
)
@click.option(
    "--changes",
    type=click.Choice(["some", "all", "none"]),
    default="some",
    help="How many of the verdicts that changed to list.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many processes judge. The result is the same with any number; large recordings take less time.",
)
@click.option("--allow-code", is_flag=True, help="With --reextract or --target: let the file run code of its own.")
@also_written
def replay(recording: Path, unit: str | None, jobs: int, outputs: tuple[Path, ...], **flags: Any) -> int:
    """Judge a recorded run again with today's matchers. Nothing is asked and no attack is run."""
    from botattack.audit.replays.replaying import replayed, today
    from botattack.audit.result import write_report
    from botattack.recordings.reader import events
    from botattack.recordings.triage import beside, with_marks
    from botattack.report.comparison.changed import SHOWN
    from botattack.report.writers.material import check_output
    from botattack.report.writers.terminal import Terminal

    for file in outputs:
        check_output(file)
    keys = {name: flags[name] for name in ("reextract", "target", "allow_code", "judge")}
    as_of = today(recording, **keys, jobs=1 if unit else jobs)
    if unit:
        from botattack.report.writers.unit import describe_unit

        told = with_marks(as_of.again(events(recording)), beside(recording))
        click.echo(describe_unit(told, unit))
        return 0
    result, changes = replayed(recording, as_of)
    with Terminal(sys.stdout, sys.stderr, recording=str(recording)) as terminal:
        terminal.finish(result.figures, result.findings)
    if flags["changes"] != "none":
        most = len(changes.found) if flags["changes"] == "all" else SHOWN
        click.echo("\n" + "\n".join(changes.lines(str(recording), most)))
    for file in outputs:
        write_report(result, file)
    as_of.check()
    return 0

"""`botattack replay`: a recording judged again, offline."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Literal

import click

from botattack.cli.shared_flags import FILE, RUN, Output, also_written

EPILOG = """\b
Examples:
  botattack replay recordings/20260101T020000Z-alice-1a2b3c4d
  botattack replay recordings/20260101T020000Z-alice-1a2b3c4d --unit 5f2c9a1b7d3e8f60.0
  botattack replay recordings/20260101T020000Z-helpdesk-1a2b3c4d --reextract --target targets/helpdesk.yaml
"""


@click.command(epilog=EPILOG)
@click.argument("recording", type=RUN)
@click.option("--unit", help="Show one finding by its id (reports print it): what was sent, the reply, and its grade.")
@click.option(
    "--reextract", is_flag=True, help="Also find the answer in every raw reply again, as the target file says now."
)
@click.option(
    "-t",
    "--target",
    type=FILE,
    help="The target file, if it has moved; its `signs` are used, too.",
)
@click.option(
    "--judge",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Weights written by `botattack judge fit`, instead of those the campaign names.",
)
@click.option(
    "--changes",
    type=click.Choice(["some", "all", "none"]),
    default="some",
    help="How many of the changed grades to list.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many processes grade. The result is always the same; more are faster on a large recording.",
)
@click.option("--allow-code", is_flag=True, help="With --reextract or --target: allow the target file to run code.")
@also_written
def replay(
    recording: Path, unit: str | None, jobs: int, changes: Literal["some", "all", "none"], output: Output, **how: Any
) -> int:
    """Grade the replies of a recorded run again with this version's judge. The bot is not asked."""
    from botattack.audit.replays.replaying import replayed, today
    from botattack.audit.replays.shares import ReplaySettings
    from botattack.cli.view import check_outputs, terminal, write_outputs
    from botattack.recordings.reader import events
    from botattack.recordings.triage import beside, with_marks
    from botattack.report.comparison.changed import SHOWN

    check_outputs(output)
    as_of = today(recording, ReplaySettings(jobs=1 if unit else jobs, **how))
    if unit:
        from botattack.report.stories.unit import story
        from botattack.report.story.in_terminal import show

        told = with_marks(as_of.again(events(recording)), beside(recording))
        show(story(told, unit), sys.stdout)
        return 0
    result, changed = replayed(recording, as_of)
    with terminal(str(recording), output) as view:
        view.finish(result.figures, result.findings)
    if changes != "none" and not output.quiet:
        most = len(changed.found) if changes == "all" else SHOWN
        # Beside JSON, which has standard output to itself.
        click.echo("\n" + "\n".join(changed.lines(str(recording), most)), err=output.is_json)
    write_outputs(result.material, output)
    as_of.check()
    return 0

"""`botattack replay`: a recording read again, offline."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from click.core import ParameterSource

from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import FILE, RUN, Output, also_written

if TYPE_CHECKING:
    from botattack.events import Event


@click.command(epilog=epilog("replay"))
@click.argument("recording", type=RUN)
@click.option("--as-recorded", is_flag=True, help="Keep the grades from the time of the run; grade nothing again.")
@click.option("--unit", help="Show one finding by its id (reports print it): what was sent, the reply, and its grade.")
@click.option(
    "--reextract", is_flag=True, help="Also find the answer in every raw reply again, as the target file says now."
)
@click.option("-t", "--target", type=FILE, help="The target file, if it has moved; its `signs` are used, too.")
@click.option(
    "--judge", type=FILE, help="Weights written by `botattack judge fit`, instead of those the campaign names."
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
def replay(recording: Path, *, as_recorded: bool, unit: str | None, output: Output, **how: Any) -> int:
    """Show a recorded run, and write reports of it. The bot is not asked.

    Its replies are graded again by this version's judge; with --as-recorded they keep the grades they had.
    """
    from botattack.cli.view import check_outputs

    check_outputs(output)
    if as_recorded:
        ctx = click.get_current_context()
        if given := [name for name in how if ctx.get_parameter_source(name) != ParameterSource.DEFAULT]:
            flag = given[0].replace("_", "-")
            raise click.UsageError(f"--{flag} is about grading again: leave out --as-recorded or --{flag}")
        return _as_recorded(recording, unit, output)
    return _again(recording, unit, output, **how)


def _as_recorded(recording: Path, unit: str | None, output: Output) -> int:
    from botattack.audit.conclusion import ended_today
    from botattack.cli.view import show
    from botattack.recordings import manifest
    from botattack.recordings.triage import marked_events
    from botattack.report.writers.material import material

    manifest.read(recording)  # raises for a folder that is none of this version's recordings
    if unit:
        _show_unit(marked_events(recording), unit)
        return 0
    found = material(lambda: marked_events(recording), str(recording))
    found = replace(found, figures=ended_today(recording, found, as_recorded=True))
    show(found, str(recording), output)
    return 0


def _again(
    recording: Path, unit: str | None, output: Output, *, jobs: int, changes: Literal["some", "all", "none"], **how: Any
) -> int:
    from botattack.audit.replays.replaying import today
    from botattack.audit.replays.shares import ReplaySettings
    from botattack.audit.result import replayed
    from botattack.cli.view import terminal, write_outputs
    from botattack.recordings import manifest
    from botattack.recordings.reader import events
    from botattack.recordings.triage import beside, with_marks
    from botattack.report.comparison.changed import SHOWN
    from botattack.report.wording.commands import command

    as_of = today(recording, ReplaySettings(jobs=1 if unit else jobs, **how))
    if unit:
        _show_unit(with_marks(as_of.again(events(recording)), beside(recording)), unit)
        return 0
    result, changed = replayed(recording, as_of)
    with terminal(str(recording), output) as view:
        view.finish(result.figures, result.findings)
    if changes != "none" and not output.quiet:
        most = len(changed.found) if changes == "all" else SHOWN
        # Beside JSON, which has standard output to itself.
        click.echo("\n" + "\n".join(changed.lines(str(recording), most)), err=output.is_json)
    write_outputs(result.material, output)
    baseline = recording.parent / manifest.read(recording).suite
    if baseline != recording.parent and baseline.exists() and not output.quiet:
        since = command("compare", str(baseline), str(recording))
        click.echo(f"since its baseline  {since}", err=output.is_json)
    as_of.check()
    return 0


def _show_unit(events: Iterable[Event], unit: str) -> None:
    from botattack.report.stories.unit import story
    from botattack.report.story.in_terminal import show

    show(story(events, unit), sys.stdout)

"""`botattack compare`: two runs of one bot, or several bots side by side."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import RUN, once, outputs

if TYPE_CHECKING:
    from botattack.report.story.blocks import Story


@click.command(epilog=epilog("compare"))
@click.argument("runs", type=RUN, nargs=-1, required=True, callback=once, metavar="RUN RUN…")
@click.option(
    "--fail-on-regression", is_flag=True, help="Exit with status 1 if an answer was lost or a rate got worse."
)
@outputs("comparison", ".json .md .html, and .xml for two runs of one bot")
def compare(runs: tuple[Path, ...], fail_on_regression: bool, outputs: tuple[Path, ...]) -> int:
    """Compare recorded runs that asked the same questions. No bot is asked.

    Two runs of one bot, in any order: what breaks in the newer but not in the older, and is that more than chance?

    Several bots: a table of which variants break which, and whether one bot breaks more often than another by more than
    chance. Runs that were graded by different judges are graded again by that of the last RUN.
    """
    from botattack.recordings import manifest

    if fail_on_regression and len(runs) != 2:
        raise click.UsageError("--fail-on-regression compares two runs: name OLD and NEW")
    if not fail_on_regression and (len(runs) != 2 or len({manifest.read(run).target for run in runs}) > 1):
        _bots(runs, outputs)
        return 0
    old, new = sorted(runs, key=lambda run: manifest.read(run).started)
    return _changes(old, new, fail_on_regression=fail_on_regression, outputs=outputs)


def _check(runs: tuple[Path, ...]) -> None:
    from botattack.audit.nights.pinning import refuse_parts

    for run in runs:
        refuse_parts(run, "which says nothing of the whole. Name")


def _bots(runs: tuple[Path, ...], outputs: tuple[Path, ...]) -> None:
    """Shows several bots side by side."""
    from botattack.audit.replays.replaying import by_one_matcher
    from botattack.report.comparison.side_by_side import ReadRun, side_by_side
    from botattack.report.stories.side_by_side import FILES, screen

    FILES.check(*outputs)
    _check(runs)
    judged = by_one_matcher(*runs)
    found = side_by_side([ReadRun(told.events, str(run)) for told, run in zip(judged, runs, strict=True)])
    _show(screen(found), runs, outputs, again=any(told.again for told in judged))
    for file in outputs:
        FILES.write(file, found)


def _changes(old: Path, new: Path, *, fail_on_regression: bool, outputs: tuple[Path, ...]) -> int:
    """Shows what changed between two runs of one bot; gives the exit status."""
    from botattack.audit.replays.replaying import by_one_judge
    from botattack.errors import RecordingError
    from botattack.report.comparison.diff import compare
    from botattack.report.stories.comparison import apart, screen
    from botattack.report.writers.comparison_files import FILES

    FILES.check(*outputs)
    _check((old, new))
    was, now = by_one_judge(old, new)
    comparison = compare(was.events(), now.events())
    if why := apart(comparison):
        raise RecordingError(f"{old} and {new} cannot be compared: {why}")
    comparison = replace(comparison, recording=str(new))
    _show(screen(comparison), (old, new), outputs, again=was.again or now.again)
    for file in outputs:
        FILES.write(file, comparison)
    return int(fail_on_regression and (bool(comparison.regressions) or comparison.lost.ring))


def _show(worst: Story, runs: tuple[Path, ...], outputs: tuple[Path, ...], *, again: bool) -> None:
    """The worst, and where all of it is."""
    from botattack.report.story.in_terminal import show
    from botattack.report.wording.commands import command

    if again:
        click.echo("note: judged again by today's judge, so that all runs have the same one")
    show(worst, sys.stdout)
    every = [f"report     {file}" for file in outputs]
    click.echo("\n".join(every or [f"all of it  {command('compare', *map(str, runs), '-o', 'comparison.html')}"]))

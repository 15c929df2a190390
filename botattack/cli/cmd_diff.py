"""`botattack diff`: two runs compared."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from botattack.cli.shared_flags import FILE, RUN, outputs

EPILOG = """\b
Examples:
  botattack diff recordings/OLD recordings/NEW
  botattack diff recordings/OLD recordings/NEW --fail-on-regression -o diff.xml -o diff.md

Exit status: 0; with --fail-on-regression 1 if something got worse; with --gates 1 if a gate failed; 2 if the runs have
nothing in common.
"""


@click.command(epilog=EPILOG)
@click.argument("old", type=RUN)
@click.argument("new", type=RUN)
@click.option(
    "--fail-on-regression", is_flag=True, help="Exit with status 1 if an answer was lost or a rate got worse."
)
@click.option(
    "--gates",
    "campaign",
    type=FILE,
    metavar="CAMPAIGN",
    help="Check this campaign's gates on NEW; drop_at_most compares with OLD.",
)
@outputs("comparison", ".json .md .html .xml")
def diff(old: Path, new: Path, fail_on_regression: bool, campaign: Path | None, outputs: tuple[Path, ...]) -> int:
    """Compare two runs of one bot: what breaks in NEW but not in OLD, and is that more than chance?

    OLD and NEW are recordings; only what both asked is compared. If they were graded by different judges, both
    are graded again by that of NEW. No bot is asked.
    """
    from botattack.audit.replays.replaying import by_one_judge
    from botattack.errors import RecordingError
    from botattack.report.comparison.diff import compare
    from botattack.report.stories import comparison_words
    from botattack.report.stories.comparison import story
    from botattack.report.story.in_terminal import show
    from botattack.report.writers.comparison_files import FILES

    for file in outputs:
        FILES.check(file)
    gates = _gates(campaign) if campaign else ()
    was, now = by_one_judge(old, new)
    comparison = compare(was.events(), now.events())
    if apart := comparison_words.apart(comparison):
        raise RecordingError(f"{old} and {new} cannot be compared: {apart}")
    if was.again or now.again:
        click.echo("note: judged again by today's judge, so that both runs have the same one")
    broken = tuple(_broken(gates, was.events(), now.events())) if gates else ()
    comparison = replace(comparison, recording=str(new), gates=broken)
    show(story(comparison), sys.stdout)
    for file in outputs:
        FILES.write(file, comparison)
    worse = bool(comparison.regressions) or comparison.lost.ring
    return int(bool(broken) or (fail_on_regression and worse))


def _gates(campaign: Path) -> tuple[Any, ...]:
    from botattack.config.campaign import gates_of

    return gates_of(campaign)


def _broken(gates: tuple[Any, ...], old: Iterable[Any], new: Iterable[Any]) -> list[str]:
    from botattack.report.figures.gates import broken
    from botattack.report.figures.metrics import figures_of

    return broken(gates, figures_of(new), figures_of(old))

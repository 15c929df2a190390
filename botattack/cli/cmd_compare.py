"""`botattack compare`: several bots side by side."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from botattack.cli.shared_flags import RUN, outputs

EPILOG = """\b
Examples:
  botattack compare recordings/HELPDESK recordings/RIVAL
  botattack compare recordings/A recordings/B recordings/C -o bots.html -o bots.json
"""


@click.command(epilog=EPILOG)
@click.argument("runs", type=RUN, nargs=-1, required=True, metavar="RUN RUN…")
@outputs("comparison", ".json .md .html")
def compare(runs: tuple[Path, ...], outputs: tuple[Path, ...]) -> None:
    """Compare bots that were asked the same questions: each RUN is a recording of one of them.

    Shows which variants break several bots, how often what breaks one also breaks another, and whether one bot breaks
    more often than another by more than chance. If they were graded by different judges, all are graded again by that
    of the last RUN. No bot is asked.
    """
    from botattack.audit.replays.replaying import by_one_matcher
    from botattack.errors import BotattackError
    from botattack.report.comparison.side_by_side import ReadRun, side_by_side
    from botattack.report.stories.side_by_side import FILES, story
    from botattack.report.story.in_terminal import show

    for file in outputs:
        FILES.check(file)
    if len({run.resolve() for run in runs}) < len(runs):
        raise BotattackError("a recording is named twice; name each run once")
    judged = by_one_matcher(*runs)
    found = side_by_side([ReadRun(told.events, str(run)) for told, run in zip(judged, runs, strict=True)])
    show(story(found), sys.stdout)
    if any(told.again for told in judged):
        click.echo("note: judged again by today's judge, so that all runs have the same one")
    for file in outputs:
        FILES.write(file, found)

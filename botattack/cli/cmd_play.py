"""`botattack play`: two bots look for the friend they share while their talk is disturbed."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import FILE, FOLDER, NEW_FILE, allow_code, continuing, recordings, say, say_ended


@click.command(epilog=epilog("play"))
@click.argument("games", required=False, type=FILE, metavar="[GAMES]")
@click.option("--replay", type=FOLDER, help="Show recorded games; no bot is asked.")
@click.option("--resume", type=FOLDER, help="Continue the stopped run recorded in this folder.")
@click.option("--wait", is_flag=True, help="If another process is asking the same bot, wait for it.")
@click.option(
    "-o", "--output", type=NEW_FILE, multiple=True, help="Also write a report to this file: .html, .md or .json."
)
@recordings
@allow_code
def play(
    games: Path | None,
    replay: Path | None,
    *,
    wait: bool,
    output: tuple[Path, ...],
    allow_code: bool,
    **flags: Any,
) -> int:
    """Let two bots play MutualFriends together, with their messages unaltered and altered.

    The report compares how often they complete the game. GAMES is a games file; docs/passages.md explains it.
    """
    from botattack.audit.games import play_games, recorded
    from botattack.audit.job import RunSettings
    from botattack.config.games import load_games
    from botattack.report.figures.games import games_figures
    from botattack.report.stories.games import FILES, counting, story
    from botattack.report.story.in_terminal import show

    if (games is None) == (replay is None):
        raise click.UsageError("name a games file, or a recording with --replay")
    if replay and (wait or flags["resume"]):
        raise click.UsageError("--replay asks no bot: leave --resume and --wait out")
    FILES.check(*output)
    result = None
    if games:
        config = load_games(games, allow_code=allow_code)
        settings = RunSettings(command=tuple(sys.argv[1:]), **flags)
        result = play_games(config, settings, sinks=[counting(say)], waiting=say if wait else None)
    recording = result.recording if result else replay
    assert recording is not None  # noqa: S101  # it was made, or named
    figures = result.figures if result else games_figures(recorded(recording))
    show(story(figures), sys.stdout)
    for path in output:
        FILES.write(path, figures, partial(recorded, recording))
    if result is None:
        return 0
    ending = result.ending
    say_ended(
        recording, ending.exit, ending.why, continuing(ending.exit, recording, resumes=flags["resume"] is not None)
    )
    return ending.exit

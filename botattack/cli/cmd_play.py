"""`botattack play`: two bots look for the friend they share while their talk is disturbed."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

from botattack.cli.shared_flags import FILE, FOLDER, NEW_FILE, allow_code, recordings

EPILOG = """\b
Examples:
  botattack play games/mutual-friends.yaml
  botattack play games/mutual-friends.yaml --resume recordings/20260101T020000Z-helpdesk-1a2b3c4d
  botattack play --replay recordings/20260101T020000Z-helpdesk-1a2b3c4d
  botattack play --replay recordings/20260101T020000Z-helpdesk-1a2b3c4d --game 7

Exit status: 0 all games were played and every gate passed, 1 a gate failed or more than 5 % of the games ended in an
error, 2 a file or flag is wrong, 3 a bot is unreachable, 4 a budget stopped the run, 130 interrupted. After 4 and 130,
--resume continues.
"""


@click.command(epilog=EPILOG)
@click.argument("games", required=False, type=FILE, metavar="[GAMES]")
@click.option("--replay", type=FOLDER, help="Show recorded games; no bot is asked.")
@click.option("--game", type=click.IntRange(0), help="With --replay: show the messages of this game, by number.")
@click.option("--resume", type=FOLDER, help="Continue the stopped run recorded in this folder.")
@click.option("--wait", is_flag=True, help="If another process is asking the same bot, wait for it.")
@click.option(
    "-o", "--output", type=NEW_FILE, multiple=True, help="Also write a report to this file: .html, .md or .json."
)
@recordings
@allow_code
def play(games: Path | None, **flags: Any) -> int:
    """Let two bots play MutualFriends together, with their messages unaltered and altered.

    The report compares how often they complete the game. GAMES is a games file; docs/games.md explains it.
    """
    from botattack.audit.games import recorded
    from botattack.report.stories.games import FILES, talk
    from botattack.report.story.in_terminal import show

    if (games is None) == (flags["replay"] is None):
        raise click.UsageError("name a games file, or a recording with --replay")
    if flags["game"] is not None:
        if not flags["replay"]:
            raise click.UsageError("--game shows what was recorded: name the recording with --replay")
        show(talk(recorded(flags["replay"]), flags["game"]), sys.stdout)
        return 0
    figures, recording, status, why = _shown(games, flags)
    for path in flags["output"]:
        FILES.write(path, figures, partial(recorded, recording))
    if status:
        click.echo(f"botattack: {why}", err=True)
    return status


def _shown(games: Path | None, flags: dict[str, Any]) -> tuple[Any, Path, int, str]:
    """The figures, the recording, the exit status and its reason."""
    from botattack.audit.games import play_games, replay_games
    from botattack.report.stories.games import counting, story
    from botattack.report.story.in_terminal import show

    if games is None:
        figures = replay_games(flags["replay"])
        show(story(figures), sys.stdout)
        return figures, flags["replay"], 0, ""
    from botattack.config.games import load_games

    config = load_games(games, allow_code=flags["allow_code"])
    result = play_games(
        config,
        flags["recordings"],
        resume=flags["resume"],
        command=sys.argv[1:],
        sinks=[counting(_say)],
        waiting=_say if flags["wait"] else None,
    )
    show(story(result.figures), sys.stdout)
    _say(f"\nrecording  {result.recording}")
    if result.ending.exit in (4, 130):
        _say(f"continue   botattack play {games} --resume {result.recording}")
    return result.figures, result.recording, result.ending.exit, result.ending.why


def _say(line: str) -> None:
    click.echo(line, err=True)

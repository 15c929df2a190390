"""`botattack nightly`: one night, now. What a schedule calls."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from botattack.cli.shared_flags import FILE, FOLDER, allow_code, env_file, recordings

EPILOG = """\b
Examples:
  botattack nightly campaigns/helpdesk.yaml
  BOTATTACK_NIGHTLY_WEBHOOK=https://… botattack nightly campaigns/helpdesk.yaml --keep-nights 30

Exit status: 0 no alarm, 1 an answer was lost, a rate got worse or a gate failed; otherwise as for botattack run.
"""


BASE_URL = click.option(
    "--base-url",
    default="",
    metavar="URL",
    envvar="BOTATTACK_NIGHTLY_BASE_URL",
    help="Where you publish the folder of recordings; links in messages begin with it.",
)


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What a night needs to know, the same for `nightly` and `schedule`."""
    for option in reversed(
        (
            click.option("--baseline", default="", help="The name of the baseline.  [default: the target's name]"),
            recordings,
            click.option("--keep-nights", type=click.IntRange(1), help="Keep this many nights and delete older ones."),
            click.option("--keep-days", type=click.IntRange(1), help="Delete nights older than this many days."),
            allow_code,
            click.option(
                "--notify",
                type=click.Choice(["failure", "always"]),
                default="failure",
                show_default=True,
                help="Send a message only if something got worse, or always.",
            ),
            click.option("--pin", is_flag=True, help="Without a baseline, make this night the baseline."),
        )
    ):
        command = option(command)
    return command


@click.command(epilog=EPILOG)
@click.argument("campaign", type=FILE)
@env_file
@options
@click.option(
    "--webhook",
    "webhooks",
    multiple=True,
    metavar="URL",
    envvar="BOTATTACK_NIGHTLY_WEBHOOK",
    help="Send messages to this webhook.",
)
@BASE_URL
@click.option("--resume", type=FOLDER, help="Continue the recording of a night that did not finish.")
@click.option(
    "--apprise",
    multiple=True,
    metavar="URL",
    envvar="BOTATTACK_NIGHTLY_APPRISE",
    help="Send messages to this apprise URL.",
)
def nightly(campaign: Path, **flags: Any) -> int:
    """Repeat an earlier run, the baseline, and send a message if the bot got worse.

    Asks exactly the questions and altered questions of the baseline, and compares the replies. Choose the baseline with
    --pin or `botattack baseline set`. Without one, the whole CAMPAIGN is run and compared with nothing.

    Webhooks are often secrets: put them in the environment, as BOTATTACK_NIGHTLY_WEBHOOK and BOTATTACK_NIGHTLY_APPRISE.
    """
    return perform(campaign, flags)


def perform(campaign: Path, flags: dict[str, Any]) -> int:
    """One night from beginning to end; gives its exit status."""
    from botattack.audit.nights import notify
    from botattack.audit.nights.night import Order, Shown, run_night
    from botattack.cli.view import terminal_of
    from botattack.report.stories.comparison import story
    from botattack.report.story.in_terminal import show

    notify.check(flags["webhooks"], flags["apprise"])
    night = run_night(
        Order(
            campaign,
            flags["recordings"],
            flags["baseline"],
            flags["allow_code"],
            flags["keep_nights"],
            flags["keep_days"],
            flags["pin"],
            flags.get("resume"),
        ),
        Shown(terminal_of, lambda sentence: click.echo(sentence, err=True)),
    )
    if night.comparison is not None:
        click.echo()
        show(story(night.comparison, str(night.folder)), sys.stdout)
    unheard = []
    # Whoever waits for an alarm must hear that this night was compared with nothing.
    if night.exit or night.pinned or flags["notify"] == "always":
        unheard = notify.tell(night, flags["webhooks"], flags["apprise"], flags["base_url"])
    for line in (*(f"deleted {name}" for name in night.deleted), *unheard):
        click.echo(f"botattack: {line}", err=True)
    if night.folder is not None:
        click.echo(f"\nrecording  {night.folder}", err=True)
    if night.exit:
        click.echo(f"botattack: {night.why}", err=True)
    if night.resumable:
        click.echo(f"continue   {_again(campaign, flags, night.folder)}", err=True)
    return night.exit or (2 if unheard else 0)


def _again(campaign: Path, flags: dict[str, Any], folder: Path | None) -> str:
    """The command to paste. It names no webhook: those are best kept in the environment."""
    words = ["botattack", "nightly", str(campaign), "--recordings", str(flags["recordings"])]
    words += ["--baseline", flags["baseline"]] if flags["baseline"] else []
    words += [f"--{name.replace('_', '-')}" for name in ("allow_code", "pin") if flags[name]]
    return shlex.join([*words, "--resume", str(folder)])

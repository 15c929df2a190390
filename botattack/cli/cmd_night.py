"""`botattack nightly CAMPAIGN`: one night, now. What a schedule calls."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import ENV_FILE, FILE, FOLDER, Output, allow_code, env_file, recordings, say, say_ended

if TYPE_CHECKING:
    from botattack.audit.nights.night import NightSettings

_ENV = "BOTATTACK_NIGHTLY"
_WHEN = click.Choice(["failure", "always"])
_url = partial(click.option, metavar="URL")
_OPTIONS = (
    click.option("--baseline", default="", help="The name of the baseline.  [default: the target's name]"),
    recordings,
    env_file,
    click.option("--keep-nights", type=click.IntRange(1), help="Keep this many nights and delete older ones."),
    allow_code,
    click.option(
        "--notify", type=_WHEN, default="failure", show_default=True, help="Send messages on alarms, or always."
    ),
    click.option("--pin", is_flag=True, help="Without a baseline, make this night the baseline."),
    _url("--webhook", "webhooks", multiple=True, envvar=f"{_ENV}_WEBHOOK", help="Send messages to this webhook."),
    _url("--apprise", multiple=True, envvar=f"{_ENV}_APPRISE", help="Send messages to this apprise URL."),
    _url("--base-url", default="", envvar=f"{_ENV}_BASE_URL", help="Where links lead: the published recordings."),
)


def options(command: Callable[..., object]) -> Callable[..., object]:
    """What a night needs to know, the same now and on a schedule."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def again(settings: NightSettings) -> list[str]:
    """The options of a night that are not the default, as words of a command. They name no address of messages: those
    are best kept in the environment."""
    left_out = ("webhooks", "apprise", "resume")
    given = [
        (f"--{field.name.replace('_', '-')}", value)
        for field in fields(settings)
        if field.name not in left_out and (value := getattr(settings, field.name)) != field.default
    ]
    if path := click.get_current_context().meta.get(ENV_FILE):
        given.append(("--env-file", path))
    return [word for name, value in given for word in ((name,) if value is True else (name, str(value)))]


@click.command("run", epilog=epilog("night"), short_help="Ask the baseline's questions again, now.")
@click.argument("campaign", type=FILE)
@options
@click.option("--resume", type=FOLDER, help="Continue the recording of a night that did not finish.")
@click.option("--dry-run", is_flag=True, help="Say what the night would ask, and ask nothing.")
def night(campaign: Path, *, dry_run: bool, **flags: Any) -> int:
    """Repeat an earlier run, the baseline, and send a message if the bot got worse.

    Asks exactly the questions and altered questions of the baseline, and compares the replies. Choose the baseline with
    --pin or `botattack nightly baseline set`. Without one, the whole CAMPAIGN is run and compared with nothing.

    Webhooks are often secrets: put them in the environment, as BOTATTACK_NIGHTLY_WEBHOOK and BOTATTACK_NIGHTLY_APPRISE.
    """
    from botattack.audit.nights.night import NightSettings, planned

    if dry_run:
        click.echo(planned(campaign, NightSettings(**flags)))
        return 0
    return perform(campaign, NightSettings(**flags))


def perform(campaign: Path, settings: NightSettings) -> int:
    """One night from beginning to end; gives its exit status."""
    from botattack.audit.nights import notify
    from botattack.audit.nights.night import Shown, run_night
    from botattack.cli.view import terminal_of

    notify.check(settings)
    night = run_night(campaign, settings, Shown(lambda job: terminal_of(job, Output()), say))
    unheard = []
    # Whoever waits for an alarm must hear that this night was compared with nothing.
    if night.exit or night.pinned or settings.notify == "always":
        unheard = notify.tell(night, settings)
    for line in (*(f"deleted {name}" for name in night.deleted), *unheard):
        say(f"botattack: {line}")
    if night.folder is None:
        say(f"botattack: {night.why}")
        return night.exit
    words = ("botattack", "nightly", str(campaign), *again(settings), "--resume", str(night.folder))
    say_ended(night.folder, night.exit, night.why, shlex.join(words) if night.resumable else "")
    say(f"report     {notify.report_link(night, settings.base_url)}")
    return night.exit or (2 if unheard else 0)

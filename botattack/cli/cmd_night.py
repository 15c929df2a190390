"""`botattack nightly CAMPAIGN`: one night, now; `botattack nightly schedule`: one every night, by who keeps time."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import ENV_FILE, FILE, FOLDER, Output, allow_code, env_file, recordings, say, say_ended

if TYPE_CHECKING:
    from botattack.audit.nights.job_files import NightlyJob
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


@click.command(epilog=epilog("schedule"), short_help="Print or install a job that runs every night.")
@click.argument("campaign", type=FILE)
@click.option(
    "--at",
    required=True,
    help='This machine\'s time, for CI in UTC: "02:30", or five fields of cron.',
)
@click.option("--as", "how", required=True, type=click.Choice(["cron", "systemd", "github", "gitlab"]))
@click.option("--install", is_flag=True, help="Install the job instead of printing it.")
@click.option("--from", "source", default="", help="What CI installs: a wheel in the repository, or git+https://…")
@options
def schedule(campaign: Path, at: str, how: str, *, install: bool, source: str, **flags: Any) -> int:
    """Print or install a job that runs `botattack nightly CAMPAIGN` every night.

    A job contains no secrets and no address of messages (BOTATTACK_NIGHTLY_WEBHOOK, BOTATTACK_NIGHTLY_APPRISE); it says
    where it reads them. For Kubernetes, copy docs/kubernetes/night.yaml.
    """
    from botattack.audit.nights import job_files as jobs
    from botattack.audit.nights.night import NightSettings
    from botattack.errors import BotattackError

    # In CI the checkout is the folder, and botattack is on the path.
    in_ci = how in jobs.CI
    if in_ci and click.get_current_context().meta.pop(ENV_FILE, None):
        say("botattack: --env-file is left out: CI has the variables that the job names, not a file of secrets")
    settings = NightSettings(**{**flags, "pin": flags["pin"] or in_ci})
    here, program = (Path(), "botattack") if in_ci else (Path.cwd(), _program())
    source = jobs.check_source(source) if in_ci else source
    try:
        needs = jobs.needs_of(campaign)
    except BotattackError as error:
        needs = jobs.Requirements()
        say(f"botattack: cannot say what this campaign needs, so the job may lack it: {error}")
    # A job of CI places the webhook as soon as it has one; on this machine, none is wanted that nobody names.
    secrets = [name for name in needs.secrets if in_ci or settings.webhooks or name != jobs.WEBHOOK]
    words = (program, "nightly", str(campaign), *again(settings))
    called, recordings = (campaign.stem, here, words, jobs.cron_of(at)), settings.recordings.as_posix()
    job = jobs.NightlyJob(*called, tuple(secrets), needs.install(source), recordings)
    made = job.files(how)
    if install:
        _install(job, how, made)
        return 0
    for name, text in made.items():
        click.echo(f"# {name}\n{text}" if len(made) > 1 else text, nl=False)
    return 0


def _program() -> str:
    """The command as whoever starts the job finds it: by its whole path."""
    beside = Path(sys.executable).with_name("botattack")
    return str(beside) if beside.exists() else shutil.which("botattack") or "botattack"


def _install(job: NightlyJob, how: str, made: dict[str, str]) -> None:
    if how == "cron":
        _install_cron(job, made["crontab"])
        return
    from botattack.files import write_whole

    folder = Path()
    if how == "systemd":
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "systemd" / "user"
    for name, text in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())
        click.echo(f"wrote {path}")
    if how == "systemd":
        place = f"the file that --env-file names, or ~/.config/{job.label}.env"
        if job.secrets:
            click.echo(f"secrets: lines NAME=value in {place}: {', '.join(job.secrets)}")
        click.echo(f"start it with: systemctl --user daemon-reload && systemctl --user enable --now {job.label}.timer")


def _install_cron(job: NightlyJob, text: str) -> None:
    """Replaces the job of that name in the crontab, or adds it at the end."""
    from botattack.audit.nights.job_files import ScheduleError, placed, without

    crontab = shutil.which("crontab")
    if crontab is None:
        raise ScheduleError("there is no crontab on this machine; try --as systemd")
    old = subprocess.run([crontab, "-l"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    found = subprocess.run(  # noqa: S603
        [crontab, "-"], input=placed(without(old, job.label), text), capture_output=True, text=True, check=False
    )
    if found.returncode:
        raise ScheduleError(f"crontab refused the job: {found.stderr.strip()}")
    click.echo(f"installed:\n{text}", nl=False)

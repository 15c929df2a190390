"""`botattack nightly schedule`: a night every night, by whoever keeps time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from botattack.cli.cmd_night import again, options
from botattack.cli.epilogs import epilog
from botattack.cli.shared_flags import FILE, say

if TYPE_CHECKING:
    from botattack.audit.nights.job_files import NightlyJob


@click.command(epilog=epilog("schedule"), short_help="Print or install a job that runs every night.")
@click.argument("campaign", type=FILE)
@click.option("--at", required=True, help='The time: "02:30", or the five fields of cron.')
@click.option("--as", "how", required=True, type=click.Choice(["cron", "systemd", "github", "gitlab"]))
@click.option("--tz", "zone", default="", help="The time zone of --at, such as Europe/Berlin; else this machine's.")
@click.option("--install", is_flag=True, help="Install the job instead of printing it.")
@click.option("--from", "source", default="", help="What CI installs: a wheel in the repository, or git+https://…")
@options
def schedule(campaign: Path, at: str, how: str, *, zone: str, install: bool, source: str, **flags: Any) -> int:
    """Print or install a job that runs `botattack nightly CAMPAIGN` every night.

    A job contains no secrets and no address of messages (BOTATTACK_NIGHTLY_WEBHOOK, BOTATTACK_NIGHTLY_APPRISE); it says
    where it reads them. For Kubernetes, copy docs/kubernetes/night.yaml.
    """
    from botattack.audit.nights import job_files as jobs
    from botattack.audit.nights.night import NightSettings
    from botattack.errors import BotattackError

    # In CI the checkout is the folder, and botattack is on the path.
    in_ci = how in jobs.CI
    settings = NightSettings(**{**flags, "pin": flags["pin"] or in_ci})
    cron, zone = jobs.cron_of(at), jobs.check_zone(zone)
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
    called, recordings = (campaign.stem, here, words, cron, zone), settings.recordings.as_posix()
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

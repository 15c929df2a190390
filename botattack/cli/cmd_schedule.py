"""`botattack schedule`: a night every night, by whoever keeps time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click

from botattack.cli.cmd_nightly import BASE_URL, options, perform
from botattack.cli.shared_flags import FILE

EPILOG = """\b
Examples:
  botattack schedule campaigns/helpdesk.yaml --at 02:30 --as cron
  botattack schedule campaigns/helpdesk.yaml --at 02:30 --as systemd --install
  botattack schedule campaigns/helpdesk.yaml --at 02:30 --as github --from vendor/botattack-1.0-py3-none-any.whl
  botattack schedule campaigns/helpdesk.yaml --at "30 2 * * 1-5" --tz Europe/Berlin --as loop
"""


HOW = ("cron", "systemd", "github", "gitlab", "loop")
KUBERNETES = "copy docs/kubernetes/night.yaml of botattack's repository, and parts.yaml for a run in several pods"


class _Keeper(click.Choice[str]):
    """Who keeps the time; for Kubernetes there are files to copy."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return (
            self.fail(f"for Kubernetes, {KUBERNETES}") if value == "kubernetes" else super().convert(value, param, ctx)
        )


@click.command(epilog=EPILOG)
@click.argument("campaign", type=FILE)
@click.option("--at", required=True, help='The time: "02:30", or the five fields of cron.')
@click.option("--as", "how", required=True, type=_Keeper(HOW))
@click.option(
    "--tz", "zone", default="", help="The time zone of --at, such as Europe/Berlin.  [default: this machine's]"
)
@click.option("--install", is_flag=True, help="Install the job instead of printing it.")
@click.option(
    "--from",
    "source",
    default="",
    help="What CI installs: a wheel in the repository, git+https://…, or botattack if your index has it.",
)
@options
@BASE_URL
@click.option("--webhook", "webhooks", multiple=True, metavar="URL", envvar="BOTATTACK_NIGHTLY_WEBHOOK", hidden=True)
@click.option("--apprise", multiple=True, metavar="URL", envvar="BOTATTACK_NIGHTLY_APPRISE", hidden=True)
def schedule(campaign: Path, at: str, how: str, *, zone: str, install: bool, source: str, **flags: Any) -> int:
    """Print or install a job that runs `botattack nightly CAMPAIGN` every night.

    --as loop prints no job: it waits and runs the nights itself.

    A job contains no secrets and no address of messages (BOTATTACK_NIGHTLY_WEBHOOK, BOTATTACK_NIGHTLY_APPRISE); it says
    where it reads them.
    """
    from botattack.audit.nights import job_files as jobs
    from botattack.audit.nights.requirements import check_source, needs_told

    cron, zone = jobs.cron_of(at), jobs.check_zone(zone)
    if how == "loop":
        return _loop(campaign, cron, zone, flags)
    # In CI the checkout is the folder, and botattack is on the path.
    in_ci = how in jobs.FILES
    here, program = (Path(), "botattack") if in_ci else (Path.cwd(), _program())
    source, flags["pin"] = check_source(source) if in_ci else source, flags["pin"] or in_ci
    needs, trouble = needs_told(campaign)
    if trouble:
        click.echo(f"botattack: {trouble}", err=True)
    words = (program, "nightly", str(campaign), *_words(flags))
    job = jobs.NightlyJob(campaign.stem, here, words, cron, zone, needs, source, flags["recordings"].as_posix())
    made = _made(job, how)
    if install:
        _install(job, how, made)
        return 0
    for name, text in made.items():
        click.echo(f"# {name}\n{text}" if len(made) > 1 else text, nl=False)
    return 0


def _loop(campaign: Path, cron: str, zone: str, flags: dict[str, Any]) -> int:
    from botattack.audit.nights import notify
    from botattack.audit.nights.loop import RealWall, Times, keep

    notify.check(flags["webhooks"], flags["apprise"])

    def say(line: str) -> None:
        click.echo(f"botattack: {line}", err=True)

    keep(Times(cron, zone), RealWall(), lambda: perform(campaign, flags), say)
    return 0


def _program() -> str:
    """The command as whoever starts the job finds it: by its whole path."""
    beside = Path(sys.executable).with_name("botattack")
    return str(beside) if beside.exists() else shutil.which("botattack") or "botattack"


def _words(flags: dict[str, Any]) -> list[str]:
    """The options of the night that are not the default."""
    words = []
    defaults = {"baseline": "", "recordings": Path("recordings"), "notify": "failure", "base_url": ""}
    for name in ("baseline", "recordings", "keep_nights", "keep_days", "notify", "base_url"):
        if flags[name] is not None and flags[name] != defaults.get(name):
            words += [f"--{name.replace('_', '-')}", str(flags[name])]
    return [*words, *(f"--{name.replace('_', '-')}" for name in ("pin", "allow_code") if flags[name])]


def _made(job: Any, how: str) -> dict[str, str]:
    """The files of a job by name."""
    from botattack.audit.nights import job_files as jobs

    if how == "cron":
        return {"crontab": jobs.cron(job)}
    if how == "systemd":
        return jobs.systemd(job)
    return {jobs.FILES[how].format(job.label): {"github": jobs.github, "gitlab": jobs.gitlab}[how](job)}


def _install(job: Any, how: str, made: dict[str, str]) -> None:
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
        click.echo(f"secrets: lines NAME=value in ~/.config/{job.label}.env: {job.secrets}")
        click.echo(f"start it with: systemctl --user daemon-reload && systemctl --user enable --now {job.label}.timer")


def _install_cron(job: Any, text: str) -> None:
    """Replaces the job of that name in the crontab, or adds it at the end."""
    from botattack.audit.nights.crontab import placed, without
    from botattack.audit.nights.job_files import ScheduleError

    crontab = shutil.which("crontab")
    if crontab is None:
        raise ScheduleError("there is no crontab on this machine; try --as systemd or --as loop")
    old = subprocess.run([crontab, "-l"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    found = subprocess.run(  # noqa: S603
        [crontab, "-"], input=placed(without(old, job.label), text), capture_output=True, text=True, check=False
    )
    if found.returncode:
        raise ScheduleError(f"crontab refused the job: {found.stderr.strip()}")
    click.echo(f"installed:\n{text}", nl=False)

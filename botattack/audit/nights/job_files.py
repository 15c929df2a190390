"""A nightly job in the words of whoever shall start it: cron, systemd, GitHub Actions, GitLab CI."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from botattack.audit.nights.requirements import Requirements
from botattack.errors import BotattackError

_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)
NOTE = "#   "
"""What a comment of a crontab begins with that belongs to the job below it."""
_SPECIAL = re.compile(r"[^\w.-]")


class ScheduleError(BotattackError):
    """A time that nobody can keep, or a job that cannot be installed."""


@dataclass(frozen=True)
class NightlyJob:
    """What is called, where and when: `cron` is the time in cron's five fields, `zone` an IANA name or empty."""

    name: str
    folder: Path
    words: tuple[str, ...]
    cron: str
    zone: str = ""
    needs: Requirements = field(default_factory=Requirements)
    source: str = "."
    """Where CI installs botattack from: a checkout, a wheel, git+https://…"""

    @property
    def secrets(self) -> str:
        return ", ".join(self.needs.secrets)

    @property
    def command(self) -> str:
        return shlex.join(self.words)

    @property
    def label(self) -> str:
        """The name as part of file names."""
        return "botattack-" + _SPECIAL.sub("-", self.name)


def cron_of(at: str) -> str:
    """Cron's five fields for `02:30`, or those fields themselves; raises ScheduleError where they name no time."""
    from cronsim import CronSim, CronSimError

    match = _CLOCK.fullmatch(at.strip())
    fields = f"{int(match[2])} {int(match[1])} * * *" if match else " ".join(at.split())
    try:
        from datetime import UTC, datetime

        next(CronSim(fields, datetime.now(UTC)))
    except (CronSimError, StopIteration):
        raise ScheduleError(f'{at!r} is no time: write it like "02:30", or in cron\'s fields, "30 2 * * 1-5"') from None
    return fields


def check_zone(zone: str) -> str:
    """Raises ScheduleError for a time zone that this machine does not know."""
    from zoneinfo import ZoneInfo

    try:
        if zone:
            ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        raise ScheduleError(f"{zone!r} is no time zone; write it like Europe/Berlin") from None
    return zone


def cron(job: NightlyJob) -> str:
    """Lines for `crontab -e`: where secrets are looked for, the time zone where one is given, and the job."""
    doubt = f"{NOTE}cronie keeps to CRON_TZ, other crons may not; --as systemd keeps to time zones\n"
    zone = f"{doubt}CRON_TZ={job.zone}\n" if job.zone else ""
    told = f"{NOTE}secrets: lines NAME=value in ~/.config/{job.label}.env, which only you may read: {job.secrets}\n"
    file = f'"$HOME/.config/{job.label}.env"'
    secrets = f"set -a; [ ! -f {file} ] || . {file}; "
    # A percent sign is a line break to cron.
    call = f"{secrets}cd {shlex.quote(str(job.folder))} && {job.command}".replace("%", r"\%")
    return f"# {job.label}\n{told}{zone}{job.cron} {call}\n"


def systemd(job: NightlyJob) -> dict[str, str]:
    """A service and its timer, for ~/.config/systemd/user."""
    service = (
        "[Unit]\n"
        f"Description=botattack night of {_plain(job.name)}\n\n"
        "[Service]\n"
        "Type=oneshot\n"
        f"WorkingDirectory={_percent(str(job.folder))}\n"
        f"ExecStart={' '.join(map(_unit_word, job.words))}\n"
        f"# Secrets: lines NAME=value in ~/.config/{job.label}.env, which only you may read:\n"
        f"# {job.secrets}\n"
        f"EnvironmentFile=-%E/{job.label}.env\n"
    )
    timer = (
        "[Unit]\n"
        f"Description=botattack night of {_plain(job.name)}\n\n"
        "[Timer]\n"
        f"OnCalendar={on_calendar(job.cron, job.zone)}\n"
        "Persistent=true\n\n"
        "[Install]\n"
        "WantedBy=timers.target\n"
    )
    return {f"{job.label}.service": service, f"{job.label}.timer": timer}


def on_calendar(fields: str, zone: str = "") -> str:
    """Cron's fields as systemd writes times; raises ScheduleError for what it cannot say."""
    minute, hour, day, month, weekday = fields.split()
    if day != "*" and weekday != "*":
        raise ScheduleError("cron takes either the day or the weekday, systemd both: name only one of them")
    when = f"*-{_calendar(month, 1)}-{_calendar(day, 1)} {_calendar(hour)}:{_calendar(minute)}:00"
    days = "" if weekday == "*" else f"{_weekdays(weekday)} "
    return f"{days}{when}" + (f" {zone}" if zone else "")


def github(job: NightlyJob) -> str:
    """A workflow for .github/workflows; GitHub keeps times in UTC alone."""
    _utc_only(job, "GitHub")
    call = job.command.replace("${{", "$ {{")
    return f"""name: {job.label}
on:
  schedule:
    - cron: "{job.cron}"
  workflow_dispatch:
concurrency: {job.label}
permissions:
  contents: read
jobs:
  night:
    runs-on: ubuntu-latest
    timeout-minutes: 300
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with: {{python-version: "3.12"}}
      # botattack itself comes from this checkout; botattack schedule --from names a wheel or git+https://… instead.
{_steps(job)}
      - uses: actions/cache@v4
        with:
          path: recordings
          key: {job.label}-${{{{ github.run_id }}}}
          restore-keys: {job.label}-
      - run: {_block(call, 10)}
        # Set them under Settings, Secrets and variables, Actions.
        env:
{_github_secrets(job)}
      - if: always()
        run: cat "$(ls -td recordings/2*/ | head -1)diff.md" >> "$GITHUB_STEP_SUMMARY" || true
      - if: always()
        uses: actions/upload-artifact@v4
        with:
          name: night
          path: recordings
"""


def gitlab(job: NightlyJob) -> str:
    """A job for .gitlab-ci.yml; its time is set under Build, Pipeline schedules."""
    _utc_only(job, "GitLab's own schedule")
    install = "\n".join(f"    - {_block(command, 6)}" for command in job.needs.install(job.source))
    return f"""# Pipeline schedule: {job.cron}
# Secrets are masked variables under Settings, CI/CD, Variables: {job.secrets}
{job.label}:
  image: python:3.12
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
  resource_group: {job.label}
  cache:
    key: {job.label}
    paths: [recordings]
    when: always
  script:
    # botattack itself comes from this checkout; botattack schedule --from names a wheel or git+https://… instead.
{install}
    - {_block(job.command, 6)}
  artifacts:
    when: always
    paths: [recordings]
    reports:
      junit: recordings/*/diff.xml
"""


FILES: Mapping[str, str] = {"github": ".github/workflows/{}.yml", "gitlab": "{}.gitlab-ci.yml"}


def _steps(job: NightlyJob) -> str:
    install = (command.replace("apt-get", "sudo apt-get") for command in job.needs.install(job.source))
    return "\n".join(f"      - run: {_block(command, 10)}" for command in install)


def _github_secrets(job: NightlyJob) -> str:
    return "\n".join(f"          {name}: ${{{{ secrets.{name} }}}}" for name in job.needs.secrets)


def _utc_only(job: NightlyJob, whose: str) -> None:
    if job.zone not in ("", "UTC"):
        raise ScheduleError(f"{whose} is set in UTC: leave --tz out and give the time in UTC")


def _block(command: str, indent: int) -> str:
    """A command as a YAML block, in which no character means anything."""
    return f"|-\n{' ' * indent}{command}"


def _unit_word(word: str) -> str:
    """One word of ExecStart: quoted, and without meaning to systemd."""
    quoted = word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return f'"{_percent(quoted)}"'


def _percent(text: str) -> str:
    return text.replace("%", "%%")


def _plain(text: str) -> str:
    return _percent(" ".join(text.split()))


def _calendar(field: str, first: int = 0) -> str:
    """`*/5` as `0/5`, `1-5` as `1..5`; days and months count from a `first` of 1."""
    if not re.fullmatch(r"[\d*,/-]+", field, re.ASCII):
        raise ScheduleError(f"systemd has no word for {field!r}: write it in numbers, or choose --as loop")
    parts = []
    for part in field.split(","):
        base, _, step = part.partition("/")
        base = str(first) if base == "*" and step else base.replace("-", "..")
        parts.append(base + (f"/{step}" if step else ""))
    return ",".join(parts)


_DAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def _weekdays(field: str) -> str:
    """Numbers and English names, as systemd names them."""
    if not re.fullmatch(r"[\w,-]+", field):
        raise ScheduleError(f"systemd has no word for the weekdays {field!r}")
    named = re.sub(r"\d", lambda match: _DAYS[int(match[0])] if int(match[0]) < 8 else match[0], field)
    # Its week begins on a Monday, and so do its ranges.
    return ",".join(
        "..".join(day.capitalize() for day in part.split("-")).replace("Sun..", "Sun,Mon..")
        for part in named.split(",")
    )

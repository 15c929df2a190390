"""A nightly job in the words of whoever shall start it: cron, systemd, GitHub Actions, GitLab CI."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from botattack.audit.nights.requirements import Requirements
from botattack.errors import BotattackError

_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)
NOTE = "#   "
"""What a comment of a crontab begins with that belongs to the job below it."""
_PLAIN = re.compile(r"(?!-)(?!.*\.\.)\w[\w./-]*", re.ASCII)
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
    source: str = "botattack"
    """What CI installs: a requirement, a wheel in the repository, git+https://…"""
    recordings: str = "recordings"
    """The folder of recordings in CI's checkout."""

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
    """Cron's five fields for `02:30`, or those fields themselves; raises ScheduleError if they name no time."""
    from cronsim import CronSim, CronSimError

    match = _CLOCK.fullmatch(at.strip())
    fields = f"{int(match[2])} {int(match[1])} * * *" if match else " ".join(at.split())
    try:
        from datetime import UTC, datetime

        next(CronSim(fields, datetime.now(UTC)))
    except (CronSimError, StopIteration):
        raise ScheduleError(
            f'{at!r} is not a time: write it like "02:30", or in cron\'s fields, "30 2 * * 1-5"'
        ) from None
    return fields


def check_zone(zone: str) -> str:
    """Raises ScheduleError for a time zone that this machine does not know."""
    from zoneinfo import ZoneInfo

    try:
        if zone:
            ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        raise ScheduleError(f"{zone!r} is not a time zone; write it like Europe/Berlin") from None
    return zone


def _written(template: str, job: NightlyJob, call: str, **values: Any) -> str:
    """A template, whose blocks and placeholders are written <% %> and << >>, with the values of a job."""
    from jinja2 import Environment, StrictUndefined

    text = files("botattack.audit.nights").joinpath("templates", template).read_text("utf-8")
    environment = Environment(  # noqa: S701  # what it writes is no HTML
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.from_string(text).render(job=job, label=job.label, call=call, **values)


def cron(job: NightlyJob) -> str:
    """Lines for `crontab -e`: where secrets are looked for, the time zone if one is given, and the job."""
    file = f'"$HOME/.config/{job.label}.env"'
    secrets = f"set -a; [ ! -f {file} ] || . {file}; "
    # A percent sign is a line break to cron.
    call = f"{secrets}cd {shlex.quote(str(job.folder))} && {job.command}".replace("%", r"\%")
    return _written("crontab", job, call, note=NOTE)


def systemd(job: NightlyJob) -> dict[str, str]:
    """A service and its timer, for ~/.config/systemd/user."""
    call, name = " ".join(map(_unit_word, job.words)), _percent(" ".join(job.name.split()))
    return {
        f"{job.label}.service": _written("service", job, call, name=name, folder=_percent(str(job.folder))),
        f"{job.label}.timer": _written("timer", job, call, name=name, when=on_calendar(job.cron, job.zone)),
    }


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
    check_recordings(job)
    install = [command.replace("apt-get", "sudo apt-get") for command in job.needs.install(job.source)]
    return _written("github.yml", job, job.command.replace("${{", "$ {{"), install=install)


def gitlab(job: NightlyJob) -> str:
    """A job for .gitlab-ci.yml; its time is set under Build, Pipeline schedules."""
    _utc_only(job, "GitLab's own schedule")
    check_recordings(job)
    return _written("gitlab.yml", job, job.command, install=job.needs.install(job.source))


FILES: Mapping[str, str] = {"github": ".github/workflows/{}.yml", "gitlab": "{}.gitlab-ci.yml"}


def check_recordings(job: NightlyJob) -> None:
    """The folder is named to shells and in paths of YAML, so that nothing in it may mean anything there. Raises
    ScheduleError."""
    if not _PLAIN.fullmatch(job.recordings):
        raise ScheduleError(
            f"--recordings {job.recordings}: in CI this is a folder of the checkout; name it like recordings, with "
            "letters, digits, dots, dashes and slashes"
        )


def _utc_only(job: NightlyJob, whose: str) -> None:
    if job.zone not in ("", "UTC"):
        raise ScheduleError(f"{whose} is set in UTC: leave --tz out and give the time in UTC")


def _unit_word(word: str) -> str:
    """One word of ExecStart: quoted, and without meaning to systemd."""
    quoted = word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return f'"{_percent(quoted)}"'


def _percent(text: str) -> str:
    return text.replace("%", "%%")


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

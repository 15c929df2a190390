"""A nightly job for whoever starts it: cron, systemd, GitHub Actions, GitLab CI."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from botattack.errors import BotattackError

FILES: Mapping[str, Mapping[str, str]] = {
    "cron": {"crontab": "crontab"},
    "systemd": {"service": "{}.service", "timer": "{}.timer"},
    "github": {"github.yml": ".github/workflows/{}.yml"},
    "gitlab": {"gitlab.yml": "{}.gitlab-ci.yml"},
}
"""Of each that starts jobs, the templates, and the names of the files that are made of them and of a label."""
CI = ("github", "gitlab")
WEBHOOK = "BOTATTACK_NIGHTLY_WEBHOOK"
_REQUIREMENT = re.compile(r"botattack([=<>~!]=?[\w.*]+)?", re.ASCII)
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)
_PLAIN = re.compile(r"(?!-)(?!.*\.\.)\w[\w./-]*", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""U+0085, U+2028 and U+2029 end a line of YAML; half of a pair stands for a byte that is no text."""
_DAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")


class ScheduleError(BotattackError):
    """A time that nobody can keep, or a job that cannot be installed."""


@dataclass(frozen=True)
class NightlyJob:
    """What is called, where and when: `cron` is the time in cron's five fields."""

    name: str
    folder: Path
    words: tuple[str, ...]
    cron: str
    secrets: tuple[str, ...] = (WEBHOOK,)
    install: tuple[str, ...] = ()
    """The commands that install in CI what the night needs."""
    recordings: str = "recordings"
    """The folder of recordings in CI's checkout."""

    @property
    def label(self) -> str:
        """The name as part of file names."""
        return "botattack-" + re.sub(r"[^\w.-]", "-", self.name)

    def files(self, how: str) -> dict[str, str]:
        """The files by name; raises ScheduleError for what those who start the job cannot do."""
        # The folder is named to shells and in paths of YAML, so nothing in it may mean anything there.
        if how in CI and not _PLAIN.fullmatch(self.recordings):
            raise ScheduleError(
                f"--recordings {self.recordings!r}: in CI this is a folder of the checkout; name it like recordings, "
                "with letters, digits, dots, dashes and slashes"
            )
        return {name.format(self.label): _written(template, self) for template, name in FILES[how].items()}


@dataclass(frozen=True)
class Requirements:
    """`secrets` are the names of variables that a night may need; `extras` those of botattack; `commands` what else is
    run once."""

    secrets: tuple[str, ...] = (WEBHOOK,)
    extras: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()

    def install(self, source: str) -> tuple[str, ...]:
        """The commands that install botattack from a checkout, wheel or git address, and then the rest."""
        extras = f"[{','.join(self.extras)}]" if self.extras else ""
        named = f"botattack{extras} @ {source}" if "://" in source else f"{source}{extras}"
        return f"pip install {shlex.quote(named)}", *self.commands


def check_source(source: str) -> str:
    """What CI installs, as it was given; raises ScheduleError if that can be nothing of botattack."""
    path, project = Path(source), Path(source, "pyproject.toml")
    is_wheel = path.match("botattack-*.whl") and path.is_file()
    is_ours = source and project.is_file() and 'name = "botattack"' in project.read_text("utf-8").splitlines()
    if is_wheel or is_ours or "://" in source or _REQUIREMENT.fullmatch(source):
        return source
    lacks = "this does not say where CI installs botattack from, as no public package index has it"
    if path.suffix == ".whl" and not path.is_file():
        lacks = "there is no such file, seen from this folder"
    raise ScheduleError(
        f"--from {source!r}: {lacks}. "
        "Name a wheel in your repository (vendor/botattack-….whl), its source, an address (git+https://…), or, if the "
        "index of your company has it, botattack"
    )


def needs_of(campaign: Path) -> Requirements:
    """Raises ConfigError if the campaign or its target file cannot be read, or is wrong: what is in a job is
    run by a shell, so nothing gets there as a file happens to say it."""
    from botattack.config import campaign as campaigns
    from botattack.config import target as targets
    from botattack.resources.catalogue import ways

    file, parts = campaigns.declarations_of(campaign)
    target, kind = targets.declarations_of(campaign.parent / file.target.text)
    found = [ways()[part] for part in parts if part in ways()]
    extras = (kind.extra, *(way.extra for way in found))
    commands = (*kind.install, *(command for way in found for command in way.commands))
    secrets = (*target.env, *file.env, *(way.variable for way in found), WEBHOOK)
    # Each once, in this order.
    return Requirements(*(tuple(dict.fromkeys(filter(None, each))) for each in (secrets, extras, commands)))


def cron_of(at: str) -> str:
    """Cron's five fields for `02:30`, or those fields themselves; raises ScheduleError if they name no time."""
    from cronsim import CronSim, CronSimError

    match = _CLOCK.fullmatch(at.strip())
    fields = f"{int(match[2])} {int(match[1])} * * *" if match else " ".join(at.split())
    try:
        next(CronSim(fields, datetime.now(UTC)))
        # To cronsim, a sixth field in front is one of seconds; to cron, one at the end begins the command.
        if fields.count(" ") == 4:
            return fields
    except (CronSimError, StopIteration):
        pass
    raise ScheduleError(f'{at!r} is not a time: write it like "02:30", or in cron\'s fields, "30 2 * * 1-5"')


def on_calendar(fields: str) -> str:
    """Cron's fields as systemd writes times; raises ScheduleError for what it cannot say."""
    from cronsim import CronSim

    cron = CronSim(fields, datetime.now(UTC))
    if not cron.day_and:
        raise ScheduleError("cron takes either the day or the weekday, systemd both: name only one of them")
    # Cronsim writes the last day of a month as a number below 0, the second Monday as a pair.
    if min(cron.days) < 0 or not all(isinstance(day, int) for day in cron.weekdays):
        raise ScheduleError(f"systemd has no word for {fields!r}: write it in numbers")
    week = [name for day, name in enumerate(_DAYS) if not cron.weekdays.isdisjoint((day, day + 7))]
    days = "" if len(week) == 7 else ",".join(week) + " "
    date = f"*-{_listed(cron.months, 12)}-{_listed(cron.days, 31)}"
    return f"{days}{date} {_listed(cron.hours, 24)}:{_listed(cron.minutes, 60)}:00"


def _listed(numbers: Collection[int], whole: int) -> str:
    return "*" if len(numbers) == whole else ",".join(map(str, sorted(numbers)))


def _written(template: str, job: NightlyJob) -> str:
    """A template, whose blocks and placeholders are written <% %> and << >>, with the values of a job."""
    from jinja2 import Environment, StrictUndefined

    # What it writes is no HTML, and GitHub has a meaning for {{ }}.
    marks = ("<%", "%>", "<<", ">>", "<#", "#>")
    environment = Environment(  # noqa: S701
        *marks, trim_blocks=True, keep_trailing_newline=True, undefined=StrictUndefined, finalize=_on_one_line
    )
    environment.filters["quote"] = lambda value: shlex.quote(str(value))
    text = files("botattack.audit.nights").joinpath("templates", template).read_text("utf-8")
    return environment.from_string(text).render(job=job, on_calendar=on_calendar)


def _on_one_line(value: object) -> object:
    """Every value on its way into a job: a line break in it would begin a line of its own in somebody else's file."""
    if _CONTROL.search(str(value)):
        raise ScheduleError(
            f"{str(value)!r} contains a line break or another control character, which cannot be written into a job: "
            "rename the file, the folder or the baseline"
        )
    return value


def placed(crontab: str, text: str) -> str:
    """A crontab with a job before the first time zone, which would hold for it, too; else at its end."""
    return re.sub(r"(?m)^(?=(?:#.*\n)*CRON_TZ=)|\Z", lambda _: text, crontab, count=1)


def without(crontab: str, label: str) -> str:
    """A crontab without the lines of one of our jobs: its comments, its time zone and its call."""
    text = re.sub(rf"(?m)^# {re.escape(label)}\n(?:(?:#   |CRON_TZ=).*\n)*.*\n?", "", crontab)
    return text if not text or text.endswith("\n") else text + "\n"

"""What a target file reaches for beyond itself, as `check` and `run --dry-run` show it before anything is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from botattack.audit.secrets import secrets_of
from botattack.config.checking import specials
from botattack.config.target import TargetConfig
from botattack.config.yaml import dotted
from botattack.options import Code, Command, Executable, Model, Reaching
from botattack.recordings.redaction import Redactor
from botattack.report.escape import visible
from botattack.targets.local.own_bots import OWN


def reach(config: TargetConfig) -> list[str]:
    """A line each: hosts, consent, environment names, files, programs, code, models; none of it can steer a terminal.

    Only the arguments of a program are masked: anywhere else a file could hide what it reaches for by calling that a
    secret.
    """
    return [visible(line, None) for line in _lines(config)]


def _lines(config: TargetConfig) -> Iterator[str]:
    yield f"asks       {', '.join(sorted(config.hosts)) or 'no host: it runs on this machine'}"
    if config.consent:
        who, until = config.consent.authorised_by, config.consent.until
        also = ", and to add documents to what it reads" if config.consent.writes else ""
        yield f"consent    the file says that {who} allows it until {until}{also}; botattack cannot check that"
    yield from _environment(config)
    mask = Redactor(secrets_of(config, None)).text
    for where, part in specials(config.options, ("connect",)):
        if isinstance(part, Reaching):
            yield f"{_named(part, mask)} ({dotted(where)})"
    yield from config.options.reach()


def _environment(config: TargetConfig) -> Iterator[str]:
    """Where each declared environment name goes; one that is placed nowhere may be placed by a file that is read."""
    parts = [part for _, part in specials(config.options, ("connect",))]
    starts = any(isinstance(part, Command) for part in parts)
    for name in config.env:
        places = [*config.env_places.get(name, ()), *(["the program that is started"] if starts else ())]
        yield f"secret     {name} goes into {', '.join(places)}" if places else f"secret     {name} is declared"


def _named(part: Reaching, mask: Callable[[str], str]) -> str:
    match part:
        case Command((program, *arguments)):
            return f"starts     {' '.join([program, *map(mask, arguments)])}"
        case Executable(text):
            return f"starts     {text}"
        case Code(text):
            return f"runs       {text}" + (", which is botattack's own" if text in OWN else "")
        case Model(text):
            return f"loads      {text}"
        case _:
            return f"reads      {part.file.text if part.file else part}"

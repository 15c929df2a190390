"""What a night needs on another machine: secrets, extras, parts. Read off the files, asking nothing and nobody."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botattack.engine.pacing.redis_cell import PASSWORD
from botattack.errors import BotattackError

WEBHOOK = "BOTATTACK_NIGHTLY_WEBHOOK"
_REQUIREMENT = re.compile(r"botattack([=<>~!]=?[\w.*]+)?", re.ASCII)
_MEANS_MORE = re.compile(r"[\"'`$\\!\s]")
"""What means something to a shell even between quotes, or to YAML."""
_OURS = re.compile(r'^name = "botattack"$', re.MULTILINE)
_EXTRA = re.compile(r'pip install "botattack\[([\w-]+)\]"')
_VARIABLE = re.compile(r"export (\w+)=")


class RequirementsError(BotattackError):
    """A source that CI could not install botattack from."""


@dataclass(frozen=True)
class Requirements:
    """`env` are the names of the target file's environment and of services that attacks ask; `extras` those of
    botattack; `commands` what else is run once."""

    env: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    has_pace: bool = False
    """Whether all runs share the pace of the bot in Redis."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """The names of all variables that a night may need, each once."""
        return tuple(dict.fromkeys((*self.env, WEBHOOK, *((PASSWORD,) if self.has_pace else ()))))

    def install(self, source: str) -> tuple[str, ...]:
        """The commands that install botattack from a checkout, wheel or git address, and then the rest."""
        extras = f"[{','.join(self.extras)}]" if self.extras else ""
        named = f"botattack{extras} @ {source}" if "://" in source else f"{source}{extras}"
        return f'pip install "{named}"', *self.commands


def check_source(source: str) -> str:
    """What CI installs, as it was given; raises RequirementsError if that can be nothing of botattack."""
    if _MEANS_MORE.search(source):
        raise RequirementsError(
            f"--from {source!r}: a shell would not take this for a name; leave quotes, $ and \\ out"
        )
    if "://" in source or _REQUIREMENT.fullmatch(source):
        return source
    path = Path(source)
    if path.suffix == ".whl" and path.is_file() and path.name.startswith("botattack-"):
        return source
    if (path / "pyproject.toml").is_file() and _OURS.search((path / "pyproject.toml").read_text("utf-8")):
        return source
    if not source:
        raise RequirementsError(
            "where does CI install botattack from? No public package index has it yet: name a wheel in your repository "
            "(--from vendor/botattack-….whl), an address (--from git+https://…), or, if the index of your company has "
            "it, --from botattack"
        )
    raise RequirementsError(
        f"--from {source}: this is neither a wheel of botattack that is there, nor its source, nor an address; name "
        "one, or --from botattack if your package index has it"
    )


def needs_of(campaign: Path) -> Requirements:
    """Raises ConfigError if the campaign or its target file cannot be read, or is wrong: what is in a job is
    run by a shell, so nothing gets there as a file happens to say it."""
    from botattack.config.campaign import needs_of_file
    from botattack.config.target import declarations_of
    from botattack.config.yaml import load
    from botattack.resources.catalogue import INSTALL

    given = _mapping(load(campaign)[0].value)
    target, options = declarations_of(campaign.parent / str(given.get("target", "")))
    names, parts = needs_of_file(campaign)
    env = [*target.env, *names]
    extras = [*filter(None, [options.extra, "fleet" if target.pace else ""])]
    commands = [*options.install]
    for part in parts:
        install = INSTALL.get(part, "")
        if extra := _EXTRA.match(install):
            extras.append(extra[1])
            install = install[extra.end() :].removeprefix(" && ")
        if variable := _VARIABLE.match(install):
            env.append(variable[1])
        elif install:
            commands.append(install.replace("apt-get install", "apt-get update && apt-get install -y"))
    env, extras, commands = (list(dict.fromkeys(found)) for found in (env, extras, commands))
    return Requirements(tuple(env), tuple(extras), tuple(commands), has_pace=target.pace is not None)


def needs_told(campaign: Path) -> tuple[Requirements, str]:
    """The needs, and what to say if they cannot be found out."""
    try:
        return needs_of(campaign), ""
    except BotattackError as error:
        return Requirements(), f"botattack cannot say what this campaign needs, so the job may lack it: {error}"


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}

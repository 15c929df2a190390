"""What a target file may make happen: whose code may run, and which hosts may be asked."""

from __future__ import annotations

import ipaddress
import json
import os
import socket
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from botattack.errors import ConfigError, Problem
from botattack.options import Code, Command

OWN_CODE = "botattack.targets."
"""Code below this package may run for any file."""


def state_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where botattack keeps what a user decided: `$XDG_CONFIG_HOME/botattack`, by default `~/.config/botattack`."""
    home = environ.get("XDG_CONFIG_HOME") or (environ.get("APPDATA") if os.name == "nt" else "")
    return Path(home or Path.home() / ".config") / "botattack"


def trusted_folders(state: Path | None = None) -> tuple[Path, ...]:
    """Raises ConfigError where the list is damaged: a damaged list trusts nobody, and is not overwritten."""
    file = _list_file(state)
    try:
        listed = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return ()
    except (OSError, ValueError):
        listed = None
    if not isinstance(listed, list) or not all(isinstance(item, str) for item in listed):
        raise ConfigError((Problem(str(file), 1, 1, "", "the list of trusted folders is damaged", "delete it"),))
    return tuple(map(Path, listed))


def is_trusted(folder: Path, state: Path | None = None) -> bool:
    """Whether this folder, or one around it, was trusted once."""
    place = folder.resolve()
    return any(place.is_relative_to(known) for known in trusted_folders(state))


def trust(folder: Path, state: Path | None = None) -> None:
    """Lets the target files of this folder, and of those below it, run code from now on."""
    file = _list_file(state)
    folders = sorted({*map(str, trusted_folders(state)), str(folder.resolve(strict=True))})
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = file.with_suffix(f".{os.getpid()}.part")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as stream:
        json.dump(folders, stream, indent=2)
    draft.replace(file)


def _list_file(state: Path | None) -> Path:
    return (state or state_folder()) / "trusted.json"


def runs_foreign_code(part: object) -> bool:
    """Whether an option would run what botattack did not bring itself."""
    return isinstance(part, Command) or (isinstance(part, Code) and not _is_own(part))


def _is_own(code: Code) -> bool:
    """A module of ours may import what is not ours: only what it defines itself counts."""
    if not code.module.startswith(OWN_CODE):
        return False
    try:
        found = getattr(import_module(code.module), code.attribute)
    except (ImportError, AttributeError):
        return True  # nothing there to run; opening the target says so
    return str(getattr(found, "__module__", "")).startswith(OWN_CODE)


def addresses(host: str) -> tuple[str, ...]:
    """Every address a host name stands for; raises OSError where there is none."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return tuple(sorted({str(entry[4][0]) for entry in found}))


def is_loopback(found: Sequence[str]) -> bool:
    """Whether every one of these addresses is this machine's own."""
    return bool(found) and all(map(_stays_here, found))


def _stays_here(text: str) -> bool:
    address = ipaddress.ip_address(text.partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)

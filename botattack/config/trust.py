"""Whose code a target file may run."""

from __future__ import annotations

import json
from pathlib import Path

from botattack.errors import ConfigError, Problem
from botattack.options import Code, Command
from botattack.state import state_folder, write_private

OWN_CODE = frozenset({"botattack.targets.alice:bot", "botattack.targets.gguf:Gguf"})
"""What may run for any file; whatever else, ours or not, takes values that a stranger's file would choose."""


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
    write_private(file, json.dumps(folders, indent=2).encode())


def _list_file(state: Path | None) -> Path:
    return (state or state_folder()) / "trusted.json"


def runs_foreign_code(part: object) -> bool:
    """Whether an option would run what botattack did not bring itself."""
    return isinstance(part, Command) or (isinstance(part, Code) and part.text not in OWN_CODE)

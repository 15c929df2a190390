"""Where botattack keeps what belongs to one user of this machine: never beside the project's files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from botattack.files import write_whole


def state_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """`$XDG_CONFIG_HOME/botattack`, by default `~/.config/botattack`."""
    return Path(environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "botattack"


def write_private(path: Path, content: bytes) -> None:
    """Whole or not at all, readable by this user alone."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_whole(path, content, private=True)

"""Where botattack keeps what belongs to one user of this machine: never beside the project's files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def state_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """`$XDG_CONFIG_HOME/botattack`, by default `~/.config/botattack`."""
    return Path(environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "botattack"


def write_private(path: Path, content: bytes) -> None:
    """Whole or not at all, readable by this user alone."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_suffix(f".{os.getpid()}.part")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
            stream.write(content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)

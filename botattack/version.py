"""The version of botattack and how it was installed, in a module of its own so that any floor may name it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

__version__ = "0.1.0"


def pip_install(extra: str, *flags: str) -> str:
    """The command that installs an extra of botattack: from the folder it was installed from, if it was from one. A
    long path is left out: then the command is for that folder."""
    folder, editable = _source()
    # A folder of another name than these could need quoting.
    short = re.fullmatch(r"[\w./-]{1,40}", str(folder)) and Path.cwd() != folder
    place = "botattack" if folder is None else str(folder) if short else "."
    return " ".join(("pip install", *flags, *(["-e"] if editable else []), f'"{place}[{extra}]"'))


def _source() -> tuple[Path | None, bool]:
    """The folder that botattack was installed from, if it was from one, and whether that is used in place. The file
    is that of PEP 610."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        said = json.loads(distribution("botattack").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return None, False
    if "dir_info" not in said:
        return None, False
    return Path(unquote(urlsplit(said["url"]).path)), bool(said["dir_info"].get("editable"))

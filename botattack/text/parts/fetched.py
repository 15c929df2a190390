"""Where resources that were fetched are kept, and where a user says they lie."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from botattack.errors import MissingPart


def fetched(name: str) -> Path:
    """The folder of a resource that `botattack resources get NAME` fetches, in `$XDG_CACHE_HOME/botattack`, by default
    `~/.cache/botattack`; it need not be there."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "botattack" / name


def named_files(variable: str, resource: str, missing: str, suffixes: Sequence[str]) -> list[Path]:
    """The files that an environment variable names, separated as in PATH; else those of a fetched resource.

    A folder stands for its files with these suffixes, in the order of their names. Raises MissingPart with the
    sentence `missing` if there is none, or with the variable where it names what does not exist.
    """
    places = [place for place in os.environ.get(variable, "").split(os.pathsep) if place]
    found = [path for place in places for path in _files(Path(place).expanduser(), variable, suffixes)]
    if not places and fetched(resource).is_dir():
        found = list(_files(fetched(resource), variable, suffixes))
    if not found:
        raise MissingPart(missing)
    return found


def _files(place: Path, variable: str, suffixes: Sequence[str]) -> Iterator[Path]:
    if place.is_file():
        yield place
    elif place.is_dir():
        yield from sorted(path for path in place.iterdir() if path.is_file() and path.name.endswith(tuple(suffixes)))
    else:
        raise MissingPart(f"{variable} names {place}, which does not exist")

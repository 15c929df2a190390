"""Where a language part comes from: an installed package, which is found without importing it, a resource that was
fetched, or files that a user names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from botattack.errors import MissingPart, nearest_path


def package_folder(name: str) -> Path | None:
    """Where an installed package keeps its files, or None; its code is not run."""
    spec = find_spec(name)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None


def version_of(distribution: str) -> str:
    """The version of an installed distribution, or "" where it has none."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


def digest_of(files: Iterable[Path], below: Path | None = None) -> str:
    """SHA-256 of files: their contents in the order given and, with `below`, their names under that folder."""
    total = sha256()
    for path in files:
        if below is not None:
            total.update(path.relative_to(below).as_posix().encode() + b"\0")
        known = path.stat()
        total.update(_content(path, known.st_mtime_ns, known.st_size))
    return total.hexdigest()


@lru_cache(256)
def _content(path: Path, *_: int) -> bytes:
    """The digest of a file, read again when its time or size is another: a night and its baseline, or the audits of a
    hardening, load the same parts again and again."""
    return sha256(path.read_bytes()).digest()


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
        raise MissingPart(f"{variable} names {place}, which does not exist; {nearest_path(place) or 'check the path'}")

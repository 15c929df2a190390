"""What is installed, found without importing it: its folder, its version, the digest of its files."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path


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
        total.update(sha256(path.read_bytes()).digest())
    return total.hexdigest()

"""Report files appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TypeVar

from botattack.errors import BotattackError
from botattack.recordings.manifest import NAME as RECORDED

T = TypeVar("T")


class ReportError(BotattackError):
    """A report that cannot be written."""


@contextmanager
def whole_file(path: Path, newline: str | None = "\n") -> Iterator[IO[str]]:
    """A text file that takes its name only once it is complete; raises ReportError if it cannot be written.

    In the folder of a recording it is for this user alone, as the recording is; elsewhere the umask decides. Lone
    surrogates, which no encoding holds, are written as backslash escapes.
    """
    draft = _draft(path)
    try:
        with _told(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            opener = _private if (path.parent / RECORDED).exists() else None
            with open(draft, "w", encoding="utf-8", errors="backslashreplace", newline=newline, opener=opener) as file:
                yield file
            draft.replace(path)
    finally:
        with suppress(OSError):
            draft.unlink()


def by_ending(path: Path, writers: Mapping[str, T], what: str) -> T:
    """What writes files that end like this one; raises ReportError if nothing does."""
    found = writers.get(path.suffix.lower())
    if found is None:
        raise ReportError(f"{path}: no {what} ends in {path.suffix!r}; use one of {', '.join(writers)}")
    return found


def check_place(path: Path) -> None:
    """Raises ReportError if no report can be written to that place; its folder is made."""
    draft = _draft(path)
    with _told(path):
        if path.is_dir():
            raise ReportError(f"{path} is a folder; name a file in it")
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.touch()
        draft.unlink()


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


def _draft(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.part")


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ReportError(f"{path}: the report cannot be written: {error.strerror or error}") from error

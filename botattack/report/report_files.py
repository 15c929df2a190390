"""Report files appear whole or not at all."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Generic, ParamSpec, TypeVar

from botattack.errors import BotattackError
from botattack.files import draft_of, whole
from botattack.recordings.manifest import NAME as RECORDED

T = TypeVar("T")
P = ParamSpec("P")


class ReportError(BotattackError):
    """A report that cannot be written."""


@contextmanager
def whole_file(path: Path, newline: str | None = "\n") -> Iterator[IO[str]]:
    """A text file that takes its name only once it is complete; raises ReportError if it cannot be written.

    In the folder of a recording it is for this user alone, as the recording is; elsewhere the umask decides. Lone
    surrogates, which no encoding holds, are written as backslash escapes.
    """
    check_place(path)
    is_private = (path.parent / RECORDED).exists()
    with _told(path), whole(path, 0o600 if is_private else 0o666) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline=newline)
        try:
            yield text
        finally:
            text.detach()


def by_ending(path: Path, writers: Mapping[str, T], what: str) -> T:
    """What writes files that end like this one; raises ReportError if nothing does."""
    found = writers.get(path.suffix.lower())
    if found is None:
        raise ReportError(f"{path}: no {what} ends in {path.suffix!r}; use one of {', '.join(writers)}")
    return found


def check_place(path: Path) -> None:
    """Raises ReportError if no report can be written to that place; its folder is made."""
    draft = draft_of(path)
    with _told(path):
        if path.is_dir():
            raise ReportError(f"{path} is a folder; name a file in it")
        if path.exists() and not path.is_file():
            # A whole file takes the place of what was there: nobody wants that of /dev/null.
            raise ReportError(f"{path} is not a regular file; name another one")
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.touch()
        draft.unlink()


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ReportError(f"{path}: the report cannot be written: {error.strerror or error}") from error


@dataclass(frozen=True)
class ReportFiles(Generic[P]):
    """What can be written of one thing, `what`: the lines of a file, by how its name ends."""

    what: str
    lines: Mapping[str, Callable[P, Iterable[str]]]

    def check(self, path: Path) -> None:
        """Raises ReportError if nothing is written to a file of that name, or to that folder."""
        by_ending(path, self.lines, self.what)
        check_place(path)

    def write(self, path: Path, *given: P.args, **more: P.kwargs) -> None:
        """Writes the file its name asks for; raises ReportError."""
        lines = by_ending(path, self.lines, self.what)
        with whole_file(path) as file:
            file.writelines(f"{line}\n" for line in lines(*given, **more))

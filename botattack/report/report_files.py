"""Report files appear whole or not at all: those of a run, and those of every other story."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Generic, ParamSpec, TypeVar

import msgspec

from botattack.errors import BotattackError
from botattack.events.lines import EVENTS
from botattack.files import draft_of, whole
from botattack.places import Place
from botattack.recordings.manifest import NAME as RECORDED

if TYPE_CHECKING:
    from botattack.report.story.blocks import Story

_RECORDING = frozenset([RECORDED, EVENTS, "seal.json"])
"""Files of a recording that are nowhere else."""
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
        if path.name in _RECORDING and (path.parent / RECORDED).exists():
            raise ReportError(f"{path} is a part of that recording; name another file")
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

    def check(self, *paths: Path) -> None:
        """Raises ReportError if nothing is written to files of these names, or to their folders."""
        for path in paths:
            by_ending(path, self.lines, self.what)
            check_place(path)

    def write(self, path: Path, *given: P.args, **more: P.kwargs) -> None:
        """Writes the file its name asks for; raises ReportError."""
        lines = by_ending(path, self.lines, self.what)
        with whole_file(path) as file:
            file.writelines(f"{line}\n" for line in lines(*given, **more))


def story_files(what: str, story: Callable[P, Story], figures: Callable[P, object]) -> ReportFiles[P]:
    """What is written of a story, by how the name of the file ends; `figures` is what JSON contains."""

    def as_json(*given: P.args, **more: P.kwargs) -> Iterator[str]:
        yield json_text(figures(*given, **more))

    def as_markdown(*given: P.args, **more: P.kwargs) -> Iterator[str]:
        from botattack.report.story import in_markdown

        return in_markdown.lines(story(*given, **more))

    def as_page(*given: P.args, **more: P.kwargs) -> Iterator[str]:
        from botattack.report.story import in_html

        return in_html.lines(story(*given, **more))

    return ReportFiles(what, {".json": as_json, ".md": as_markdown, ".html": as_page})


def encoded(figures: object) -> object:
    """The figures' own encoding: all their fields by name, in the order in which they are declared."""
    # msgspec would leave out what events leave out of a recording: fields that have their default.
    if isinstance(figures, msgspec.Struct):
        names = zip(figures.__struct_encode_fields__, figures.__struct_fields__, strict=True)
        return {written: encoded(getattr(figures, name)) for written, name in names}
    if is_dataclass(figures):
        return {field.name: encoded(getattr(figures, field.name)) for field in fields(figures)}
    if isinstance(figures, Mapping):
        return {str(name): encoded(value) for name, value in figures.items()}
    if isinstance(figures, list | tuple):
        return [encoded(value) for value in figures]
    return str(figures) if isinstance(figures, Place) else figures


def json_text(figures: object) -> str:
    """What a JSON report contains (docs/report.schema.json)."""
    return json.dumps(encoded(figures), indent=2, ensure_ascii=False)

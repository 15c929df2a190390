"""The contracts of question formats and of reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from botattack.model import Question

if TYPE_CHECKING:
    from botattack.report.writers.material import Material


@dataclass(frozen=True)
class BadRecord:
    """A record of a question file that could not be read: its line (from 1) and why, in one sentence."""

    line: int
    why: str


class QuestionReader(Protocol):
    """Reads a question file as a stream; a bad record is yielded, never dropped."""

    def __call__(self, path: Path) -> Iterator[Question | BadRecord]: ...


@dataclass(frozen=True)
class Report:
    """A kind of report: its name is the one it is registered under."""

    suffixes: tuple[str, ...]
    """File names that ask for it, such as `.html`; the first is the usual one."""
    write: Callable[[Path, Material], None]
    """Writes the file from the figures of a run, its findings and its questions; raises ReportError."""

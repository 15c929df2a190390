"""What every report is made from, and which kinds of report there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import cast

from botattack.cases import QuestionCase, cases
from botattack.events import Event
from botattack.report.figures.figures import Figures
from botattack.report.figures.findings import KEPT, Finding, Findings
from botattack.report.figures.metrics import Metrics
from botattack.report.writers.report_files import ReportError, check_place


@dataclass(frozen=True)
class Material:
    """A run as reports see it. `events` gives the events from the beginning each time it is called.

    `recording` is what the reproducing commands name.
    """

    figures: Figures
    findings: tuple[Finding, ...]
    recording: str
    events: Callable[[], Iterable[Event]]

    def cases(self) -> Iterator[QuestionCase]:
        """Every question with what became of it: all that a report of outcomes has to read."""
        return cases(self.events())


KINDS = {
    "json": "botattack.report.writers.json_file",
    "markdown": "botattack.report.writers.markdown",
    "junit": "botattack.report.writers.junit",
    "csv": "botattack.report.writers.csv_file",
    "html": "botattack.report.writers.html",
}
SUFFIXES = {".json": "json", ".md": "markdown", ".xml": "junit", ".csv": "csv", ".html": "html", ".htm": "html"}


def material(events: Callable[[], Iterable[Event]], recording: str = "", findings: int = KEPT) -> Material:
    """Reads the events once for the figures and findings; reports that list outcomes read them again."""
    metrics, found = Metrics(), Findings(findings)
    for event in events():
        metrics.update(event)
        found.update(event)
    figures = metrics.value()
    return Material(figures, found.value(), recording or figures.run.id, events)


def kind_of(path: Path) -> str:
    """The kind of report a file name asks for; raises ReportError where it asks for none."""
    kind = SUFFIXES.get(path.suffix.lower())
    if kind is None:
        raise ReportError(f"{path}: no report ends in {path.suffix!r}; use one of {', '.join(SUFFIXES)}")
    return kind


def check_output(path: Path) -> None:
    """Raises ReportError where no report is written to such a name, or to that folder: before anything is asked."""
    kind_of(path)
    check_place(path)


def write_report(path: Path, source: Material, kind: str = "") -> None:
    """Writes a report of that kind, or of the kind the file name asks for; raises ReportError."""
    module = KINDS.get(kind or kind_of(path))
    if module is None:
        raise ReportError(f"there is no report of the kind {kind!r}; use one of {', '.join(KINDS)}")
    write = cast("Callable[[Path, Material], None]", import_module(module).write)
    write(path, source)

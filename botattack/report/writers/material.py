"""What every report is made from, and which kinds of report there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from botattack import registry
from botattack.cases import QuestionCase, cases
from botattack.events import Event
from botattack.protocols import Report
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.findings import KEPT, Finding
from botattack.report.figures.metrics import Metrics
from botattack.report.report_files import ReportError, by_ending, check_place

if TYPE_CHECKING:
    from botattack.report.story.blocks import Story


@dataclass(frozen=True)
class Material:
    """A run as reports see it. `events` gives the events from the beginning each time it is called.

    `recording` is what the reproducing commands name, `since` what became of a night since its baseline.
    """

    figures: Figures
    findings: tuple[Finding, ...]
    recording: str
    events: Callable[[], Iterable[Event]]
    since: Story | None = None
    bom: bool = False
    """Whether CSV begins with a byte order mark, without which Excel takes UTF-8 for something else."""
    raw: bool = False
    """Whether CSV has every text as it is, for programs: a spreadsheet may take one for a formula."""

    def cases(self) -> Iterator[QuestionCase]:
        """Every question with what became of it: all that a report of outcomes has to read."""
        return cases(self.events())


def material(events: Callable[[], Iterable[Event]], recording: str = "", findings: int = KEPT) -> Material:
    """Reads the events once for the figures and findings; reports that list outcomes read them again."""
    metrics = Metrics(findings)
    for event in events():
        metrics.update(event)
    figures = metrics.value()
    return Material(figures, metrics.findings(), recording or figures.run.id, events)


def kind_of(path: Path) -> str:
    """The kind of report a file name asks for; raises ReportError if it asks for none."""
    kinds: dict[str, str] = {}
    for name in registry.names("reports"):
        with suppress(registry.BrokenPlugin):  # another kind may be asked for
            kinds |= dict.fromkeys(_report(name).suffixes, name)
    return by_ending(path, kinds, "report")


def check_output(path: Path) -> None:
    """Raises ReportError if no report is written to such a name, or to that folder: before anything is asked."""
    kind_of(path)
    check_place(path)


def write_report(path: Path, source: Material, kind: str = "") -> None:
    """Writes a report of that kind, or of the kind the file name asks for; raises ReportError."""
    _report(kind or kind_of(path)).write(path, source)


def _report(kind: str) -> Report[Material]:
    try:
        found: Report[Material] = registry.find("reports", kind)
    except registry.UnknownName:
        known = ", ".join(registry.names("reports"))
        raise ReportError(f"there is no report of the kind {kind!r}; use one of {known}") from None
    return found

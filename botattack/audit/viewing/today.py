"""What a run says with the marks of today, which its recording cannot say."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from botattack.audit.conclusion import ended_today
from botattack.errors import RecordingError
from botattack.recordings import manifest, triage
from botattack.recordings.reader import end_of
from botattack.recordings.triage import marked_events
from botattack.recordings.writer import EVENTS
from botattack.report.comparison.diff import RunComparison, compare
from botattack.report.comparison.trend import Bisect
from botattack.report.stories import run
from botattack.report.stories.comparison import first_line, is_sure, since
from botattack.report.story.blocks import Story
from botattack.report.wording import words
from botattack.report.wording.headlines import headline
from botattack.report.writers.material import material


@dataclass
class Today:
    """Sentences are remembered until the recording or the marks change."""

    _known: dict[Path, tuple[object, str]] = field(default_factory=dict)

    def sentences(self, folder: Path) -> str:
        """The first sentence of the report, for a night that had a baseline what became of it since; in the next line
        how many questions were right."""
        stamp = tuple(_stamp(path) for path in (folder / EVENTS, folder.parent / triage.NAME))
        known = self._known.get(folder)
        if known is None or known[0] != stamp:
            known = self._known[folder] = (stamp, _sentences(folder))
        return known[1]


def _sentences(folder: Path) -> str:
    figures, compared = material(lambda: marked_events(folder), str(folder)).figures, _compared(folder)
    first = first_line(compared) if compared else headline(figures, failure=False)
    return f"{first}\n{words.questions_line(figures)}"


def report(folder: Path) -> Story:
    """The report of a run; that of a night tells first what became of its baseline, as its own does."""
    found, compared = material(lambda: marked_events(folder), str(folder)), _compared(folder)
    told = since(compared, Bisect()) if compared else None
    figures = ended_today(folder, found, as_recorded=True)
    return run.story(figures, found.findings, str(folder), told, run.Read.of(found.cases()))


def _compared(folder: Path) -> RunComparison | None:
    """A night that ended, with its baseline; None if that is gone or nothing is sure of it, and for any other run."""
    made, end = manifest.read(folder), end_of(folder)
    # A recording may be anybody's: the name in it leads to a neighbour, or nowhere.
    baseline = folder.parent / Path(made.suite).name
    if not (made.is_night and made.suite and end and (baseline / EVENTS).is_file()):
        return None
    try:
        found = compare(marked_events(baseline), marked_events(folder), made.lost_answers)
        return replace(found, recording=str(folder)) if is_sure(found, end.exit) else None
    except RecordingError:
        return None


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_mtime_ns, found.st_size

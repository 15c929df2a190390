"""What receives the events of a run: its figures, findings and bad records, its views, and how it ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from botattack.audit import conclusion
from botattack.audit.job import Job
from botattack.audit.result import Result
from botattack.engine.ending import Ending
from botattack.engine.running import Sink
from botattack.events import AnyEvent, Event
from botattack.protocols import BadRecord
from botattack.questions.order import bad_places
from botattack.recordings.triage import Marking, beside, marked_events
from botattack.report.escape import visible
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.metrics import Metrics


class View(Protocol):
    """Shows a run as it happens."""

    def update(self, event: AnyEvent) -> None: ...

    def recall(self, event: AnyEvent) -> None:
        """An event of a recording that is continued: it counts, and says nothing of today."""
        ...


class Stage:
    """A job and all that receives its events.

    `views` show it, `folds` receive every event but the verdicts that somebody marked; `conclude` gives the ending in
    place of that of the campaign. Raises ConfigError for marks that cannot be read.
    """

    def __init__(
        self,
        job: Job,
        views: Sequence[View] = (),
        *,
        folds: Sequence[Callable[[Event], None]] = (),
        conclude: Callable[[Figures], Ending] | None = None,
    ) -> None:
        self.job = job
        self._ending = conclude
        self._metrics = Metrics()
        self._folds = (self._metrics.update, *folds)
        self._marking = Marking(beside(job.folder))
        self.listeners: list[Sink] = [self._fold, *(view.update for view in views)]
        """Receive every new event."""
        self.recalling: list[Sink] = [self._fold, *(view.recall for view in views)]
        """Receive the events of the recording that is continued, before any new one."""

    def _fold(self, event: AnyEvent) -> None:
        for told in self._marking(event):
            for fold in self._folds:
                fold(told)

    @property
    def skipped(self) -> str:
        """Where the bad records of the question file stand; empty if there is none."""
        number, first = self.figures.questions.bad_records, self.figures.skipped
        return bad_places(number, [BadRecord(event.line, visible(event.why)) for event in first]) if number else ""

    def sure(self) -> bool:
        """Whether the run has seen enough, if it stops when it is sure."""
        return self._metrics.decided

    @property
    def figures(self) -> Figures:
        return self._metrics.value()

    def conclude(self) -> Ending:
        """The ending of a run that nothing stopped."""
        if self._ending is not None:
            return self._ending(self.figures)
        return conclusion.conclude(self.job.campaign, self.figures, self.job.folder.parent)

    def result(self) -> Result:
        """What came of the run, once it has ended."""
        folder = self.job.folder
        return Result(self.figures, self._metrics.findings(), Path(folder), events=lambda: marked_events(folder))

"""What stands around one run of a command: its figures, its view, its reports."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from botattack.audit import conclusion
from botattack.audit.planned import expected_of
from botattack.audit.wiring import Heard, Job, Show
from botattack.engine.running import Ending
from botattack.events import AnyEvent, RecordSkipped
from botattack.protocols import BadRecord
from botattack.questions.order import PLACES, bad_places
from botattack.recordings.reader import events
from botattack.report.escape import visible
from botattack.report.figures.figures import Figures
from botattack.report.figures.findings import Findings
from botattack.report.figures.gates import Gates
from botattack.report.figures.metrics import Metrics
from botattack.report.writers.material import Material, write_report
from botattack.report.writers.terminal import Terminal

Conclude = Callable[[Figures, Gates], Ending]


class Stage:
    """Shows a run and keeps its figures. Only one that is `alone` redraws its view; others write lines.

    `conclude` gives the ending in place of that of a campaign; `besides` hears of every event, too.
    """

    def __init__(
        self, job: Job, *, alone: bool = True, conclude: Conclude | None = None, besides: Sequence[Heard] = ()
    ) -> None:
        self.job = job
        self._ending = conclude
        self._metrics, self._findings, self._gates = Metrics(), Findings(), Gates()
        self._skipped = _Skipped()
        expected, recording = expected_of(job), str(job.folder)
        self._terminal = Terminal(sys.stdout, sys.stderr, recording=recording, redraws=alone, expected=expected)
        sinks: list[Heard] = [self._metrics, self._findings, self._gates, self._skipped, self._terminal, *besides]
        self.show = Show(job, sinks, self._conclude)

    @property
    def skipped(self) -> str:
        """Where the bad records of the question file stand; empty where there is none."""
        return self._skipped.value()

    @property
    def figures(self) -> Figures:
        return self._metrics.value()

    def _conclude(self) -> Ending:
        if self._ending is not None:
            return self._ending(self.figures, self._gates)
        return conclusion.conclude(self.job.campaign, self.figures, self._gates, self.job.folder.parent)

    def __enter__(self) -> Self:
        self._terminal.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._terminal.__exit__(kind, error, trace)

    def finish(self) -> None:
        """Prints the figures."""
        self._terminal.finish(self._metrics.value(), self._findings.value())

    def write(self, outputs: Sequence[Path]) -> None:
        """Writes the reports; raises ReportError."""
        folder = self.job.folder
        found = Material(self._metrics.value(), self._findings.value(), str(folder), lambda: events(folder))
        for file in outputs:
            write_report(file, found)


class _Skipped:
    """Counts bad records and keeps the first."""

    def __init__(self) -> None:
        self._number = 0
        self._first: list[BadRecord] = []

    def update(self, event: AnyEvent) -> None:
        if isinstance(event, RecordSkipped):
            self._number += 1
            if len(self._first) < PLACES:
                self._first.append(BadRecord(event.line, visible(event.why)))

    def value(self) -> str:
        return bad_places(self._number, self._first) if self._number else ""

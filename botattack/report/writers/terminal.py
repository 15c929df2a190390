"""What a run looks like in a terminal: progress while it lasts, the figures when it is done. Nothing else prints.

Every foreign text goes through `visible`, which keeps it on its line, and out by the door of `printing`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from botattack.events import DocumentRemoved, Event, Paced, RunEnded, RunStarted
from botattack.report.escape import visible
from botattack.report.figures.expected import Expected
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.findings import Finding
from botattack.report.figures.first_readings import FirstReadings
from botattack.report.figures.gates import AnyGate
from botattack.report.printing import console
from botattack.report.wording import cautions, words
from botattack.report.wording.progress import Progress

if TYPE_CHECKING:
    from botattack.report.story.blocks import Story

EVERY = 5.0
"""Seconds between two lines if nothing can be redrawn."""


class Terminal(AbstractContextManager["Terminal"]):
    """An event sink that shows progress on one stream and leaves the report on another.

    On a terminal the view changes in place, elsewhere a line is written every few seconds. NO_COLOR is honoured.
    `recording` is what the reproducing commands name, the run's id if it is empty; `expected` what progress is measured
    by; `gates` are the run's own. Use it as a context manager, so that the cursor comes back whatever happens.
    """

    def __init__(
        self,
        out: TextIO,
        progress: TextIO,
        clock: Callable[[], float] = time.monotonic,
        *,
        recording: str = "",
        width: int | None = None,
        refresh: bool = True,
        expected: Expected | None = None,
        gates: Sequence[AnyGate] = (),
    ) -> None:
        self._out = console(out, width)
        self._err = console(progress, width)
        self._recording = recording
        self._gates = gates
        self._clock = clock
        self._progress = Progress(clock, expected)
        self._first: FirstReadings | None = FirstReadings()
        self._next_line = clock()
        redraws = progress.isatty() and not self._err.is_dumb_terminal
        self._live = _live(self._err, self.view, refresh) if redraws else None

    def __exit__(self, *error: object) -> None:
        self.close()

    def update(self, event: Event) -> None:
        self._progress.update(event)
        if isinstance(event, RunStarted):
            doors, diagnoses = len(event.carriers) > 1, event.shrinks or event.whys
            few = "" if diagnoses else cautions.too_few(event.total, self._gates, doors=doors)
            told = [*(f"weaker: {each}" for each in words.weaker(event.weaker)), *([f"note: {few}"] if few else [])]
            self._err.print(*map(Text, told), sep="\n", end="\n" * bool(told), soft_wrap=True)
        if isinstance(event, DocumentRemoved) and event.left_by:
            left = f"which {visible(event.left_by)} had left in the bot's knowledge base"
            self._err.print(Text(f"removed {visible(event.name)}, {left}"), soft_wrap=True)
        self._read(event)
        if self._live is not None:
            if not self._live.is_started and not isinstance(event, RunEnded):
                self._live.start()
        elif self._clock() >= self._next_line or isinstance(event, RunEnded) or _long_wait(event):
            self._next_line = self._clock() + EVERY
            self._err.print(Text(self._progress.line()), soft_wrap=True)

    def _read(self, event: Event) -> None:
        """Warns as soon as the first originals contradict the file, while there is time to stop."""
        if self._first:
            self._first.update(event)
            if self._first.complete or isinstance(event, RunEnded):
                if doubt := self._first.doubt:
                    self._err.print(Text(f"warning: {visible(doubt)}"), soft_wrap=True)
                self._first = None

    def recall(self, event: Event) -> None:
        """An event of a recording that is continued."""
        self._progress.recall(event)

    def view(self) -> Group:
        """What is redrawn."""
        progress = self._progress
        bar = ProgressBar(total=max(progress.asked + progress.askings_left, 1), completed=progress.asked, width=30)
        head = Table.grid(padding=(0, 2))
        head.add_row(Text(progress.target, style="bold"), bar)
        return Group(head, Text(progress.done()), Text(progress.going()))

    def finish(self, figures: Figures, findings: tuple[Finding, ...], since: Story | None = None) -> None:
        """Ends the view and prints the report; `since` is what became of a night since its baseline."""
        # What only the end needs is imported there: a sixth of the time to the first request otherwise.
        from botattack.report.stories.run import story
        from botattack.report.story.in_terminal import show

        self.close()
        show(story(figures, findings, self._recording or figures.run.id, since), self._out)
        for warning in filter(None, (words.silence(figures), cautions.none_counted(figures))):
            self._err.print(Text(f"warning: {warning}"), soft_wrap=True)

    def close(self) -> None:
        """Gives the terminal back; may be called twice."""
        if self._live is not None and self._live.is_started:
            self._live.stop()


def _long_wait(event: Event) -> bool:
    """What is waited for is shown at once: nothing else may happen for long."""
    return isinstance(event, Paced) and event.wait >= EVERY


def _live(console: Console, view: Callable[[], Group], refresh: bool) -> Live:
    return Live(
        console=console,
        get_renderable=view,
        auto_refresh=refresh,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )

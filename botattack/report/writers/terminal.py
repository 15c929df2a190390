"""What a run looks like in a terminal: progress while it lasts, the figures when it is done. Nothing else prints.

Every foreign text goes through `visible`, which keeps it on its line, and out by the door of `printing`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import starmap
from types import TracebackType
from typing import Self, TextIO

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from botattack.events import DocumentRemoved, Event, Paced, RunEnded, RunStarted
from botattack.report import numbers
from botattack.report.escape import visible
from botattack.report.figures.expected import Expected
from botattack.report.figures.figure_values import CONTROL, Figures
from botattack.report.figures.findings import ORDER, Finding
from botattack.report.printing import console
from botattack.report.wording import (
    causes,
    cautions,
    diagnoses,
    finding_words,
    headlines,
    judge_words,
    mark_words,
    reader_words,
    words,
)
from botattack.report.wording.alterations import marked
from botattack.report.wording.marks import MarkedText
from botattack.report.wording.progress import Progress

EVERY = 5.0
"""Seconds between two lines if nothing can be redrawn."""
EDITS = 12
"""Edits of one place that are shown; the command below shows all."""
COMMAND = 76
"""Columns that a command may take in one line."""
ATTACK = 36
"""Columns of the attack's name, at most."""
LEGEND = (
    "broken: wrong or not answered, of the replies judged; likely range: of the share for questions like these, with "
    "95 % confidence; unchanged: broken when asked again without any change"
)
GATES = {"held": "green", "undecided": "yellow", "FAILED": "bold red"}
STYLES = {
    "plain": "",
    "before": "dim",
    "after": "bold red",
    "user": "dim",
    "bot": "dim",
    "verdict": "dim",
    "broke": "bold red",
}


class Terminal:
    """An event sink that shows progress on one stream and leaves the report on another.

    On a terminal that it `redraws` the view changes in place, elsewhere a line is written every few seconds. NO_COLOR
    is honoured.
    `recording` is what the reproducing commands name, the run's id if it is empty; `expected` what progress is measured
    by. Use it as a context manager, so that the cursor comes back whatever happens.
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
        redraws: bool = True,
        expected: Expected | None = None,
    ) -> None:
        self._out = console(out, width)
        self._err = console(progress, width)
        self._recording = recording
        self._clock = clock
        self._progress = Progress(clock, expected)
        self._next_line = clock()
        redraws = redraws and progress.isatty() and not self._err.is_dumb_terminal
        self._live = _live(self._err, self.view, refresh) if redraws else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def update(self, event: Event) -> None:
        self._progress.update(event)
        for sentence in words.weaker(event.weaker) if isinstance(event, RunStarted) else ():
            self._err.print(Text(f"weaker: {sentence}"), soft_wrap=True)
        if isinstance(event, DocumentRemoved) and event.left_by:
            left = f"which {visible(event.left_by)} had left in the bot's knowledge base"
            self._err.print(Text(f"removed {visible(event.name)}, {left}"), soft_wrap=True)
        if self._live is not None:
            if not self._live.is_started and not isinstance(event, RunEnded):
                self._live.start()
        elif self._clock() >= self._next_line or isinstance(event, RunEnded) or _long_wait(event):
            self._next_line = self._clock() + EVERY
            self._err.print(Text(self._progress.line()), soft_wrap=True)

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

    def finish(self, figures: Figures, findings: tuple[Finding, ...], first_line: str = "") -> None:
        """Ends the view and prints the report; `first_line` is what a night says before anything else."""
        self.close()
        with self._out.capture() as printed:
            if first_line:
                self._out.print(Text(first_line, style="bold"))
            self._out.print(_report(figures, findings, self._recording or figures.run.id), crop=False)
        self._out.file.write("".join(f"{line.rstrip()}\n" for line in printed.get().splitlines()))
        self._out.file.flush()
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


def _report(figures: Figures, findings: tuple[Finding, ...], recording: str) -> Group:
    blocks: list[RenderableType] = [Text(headlines.headline(figures), style="bold"), Text(), _head(figures)]
    blocks += _diagnoses(figures)
    if figures.questions.kept and figures.attacks:
        blocks += [
            Text(),
            *starmap(_table, words.tables(figures, COLUMNS)),
            *(Text(legend, style="dim") for legend in (LEGEND, *words.legends(figures))),
            Text(),
            _details(figures),
        ]
    if causes.shown(figures):
        blocks += [Text(), Text("failures by cause", style="bold"), _causes(figures)]
    if findings:
        title = Text("smallest changes that broke the bot", style="bold").append(f" ({ORDER})", "not bold dim")
        blocks += [Text(), title]
        blocks += [_finding(number, finding, recording) for number, finding in enumerate(findings, 1)]
    return Group(*blocks)


def _causes(figures: Figures) -> Table:
    grid = _labelled()
    for cause in causes.shown(figures):
        grid.add_row(Text(causes.like_this(cause)), Text(causes.title(cause)))
    return grid


def _diagnoses(figures: Figures) -> list[RenderableType]:
    blocks: list[RenderableType] = []
    if shrunk := figures.shrunk:
        blocks += [Text(), Text("smallest edits that break the bot", style="bold")]
        blocks += [Text(line, style="dim") for line in (*diagnoses.became(shrunk), diagnoses.READ)]
        for number, one in enumerate(shrunk.shrunk[: diagnoses.SHOWN], 1):
            shown = (one.found, one.smallest) if one.smallest and one.became == "smaller" else (one.found,)
            table = _indented(3)
            table.add_row(str(number), Text(diagnoses.title(one)))
            for finding in shown:
                for line in marked(finding.alteration, EDITS):
                    table.add_row("", coloured(line))
            blocks.append(table)
    if sensitivity := figures.sensitivity:
        blocks += [
            Text(),
            Text("words that carry the answer", style="bold"),
            Text(f"{diagnoses.MAP} {diagnoses.BRACKETS}", style="dim"),
        ]
        roles = _labelled()
        for name, broken, rate, sure in diagnoses.roles(sensitivity):
            roles.add_row(Text(name), Text(f"broken {broken}  {rate}  {sure}"))
        blocks += [roles, *(coloured(diagnoses.mapped(one)) for one in sensitivity.map[: diagnoses.SHOWN])]
    return blocks


def _head(figures: Figures) -> Table:
    grid = _labelled()
    run = figures.run
    grid.add_row("target", Text(visible(run.target), style="bold"))
    grid.add_row("run", Text(visible(run.id)))
    grid.add_row("", Text(words.run_line(figures)))
    grid.add_row("requests", Text(words.requests_line(figures)))
    grid.add_row("questions", Text(words.questions_line(figures)))
    answered = figures.questions.asked > figures.questions.error
    if answered:
        grid.add_row("judge", Text(judge_words.judging(run.judge)))
    if silent := words.silence(figures):
        grid.add_row("warning", Text(silent, style="bold red"))
    for sentence in words.weaker(run.weaker):
        grid.add_row("weaker", Text(sentence, style="yellow"))
    for sentence in words.boilerplate(run):
        grid.add_row("left out", Text(sentence))
    for number, sentence in enumerate(mark_words.lines(figures.marks)):
        grid.add_row("" if number else "marked", Text(sentence))
    for number, sentence in enumerate(reader_words.lines(figures) if answered else ()):
        grid.add_row("" if number else "readers", Text(sentence))
    for sentence in cautions.cautions(figures):
        grid.add_row("caution", Text(sentence, style="yellow"))
    for sentence in words.faults(figures):
        grid.add_row("faults", Text(sentence, style="bold red"))
    for number, (state, gate) in enumerate(words.gates(figures)):
        shown = Text(f"{state:<6}  ", style=GATES[state]).append(gate, "default")
        grid.add_row("" if number else "gates", shown)
    return grid


COLUMNS = ("attack", "broken", "share", "likely range", CONTROL)


def _table(columns: Sequence[str], lines: Sequence[words.TableLine]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    table.add_column(columns[0], overflow="fold", max_width=ATTACK)
    for name in columns[1:]:
        table.add_column(name, justify="right", no_wrap=True)
    for line in lines:
        cells = (words.share(line.row), numbers.percent(line.row.success_rate), line.interval, line.control)
        name = f"{line.plain} ({line.name})" if line.plain else line.name
        table.add_row(Text("  " * line.depth + name), *map(Text, cells), style="dim" if line.depth else "")
    return table


def _details(figures: Figures) -> Table:
    grid = _labelled()
    for name, detail, note in words.details(figures):
        grid.add_row(Text(name), Text(detail))
        if note:
            grid.add_row("", Text(note, style="yellow"))
    return grid


def _finding(number: int, finding: Finding, recording: str) -> Group:
    question = _indented(3)
    for index, shown in enumerate(marked(finding.alteration, EDITS)):
        question.add_row("" if index else str(number), coloured(shown))
    answers = _indented(3, 8)
    answers.add_row("", "expected", Text(finding_words.expected(finding)))
    answers.add_row("", "got", Text(finding_words.got(finding)))
    return Group(question, answers, _command(finding_words.reproduce(finding.unit, recording)))


def _command(line: str) -> Text:
    """Over two lines where it is long for one, in a form that can still be pasted."""
    if cell_len(line) > COMMAND:
        line = line.replace(" --unit ", " \\\n      --unit ")
    return Text("    " + line, style="dim", no_wrap=True, overflow="ignore")


def _indented(number: int, *labels: int) -> Table:
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(justify="right", width=number)
    for width in labels:
        grid.add_column(width=width)
    grid.add_column(overflow="fold")
    return grid


def coloured(shown: tuple[MarkedText, ...]) -> Text:
    """A marked text with its edits in colour."""
    text = Text(overflow="fold")
    for piece in shown:
        text.append({"before": "[", "after": " → "}.get(piece.role, ""))
        text.append(piece.text, STYLES[piece.role])
        text.append("]" if piece.role == "after" else "")
    return text


def _labelled() -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(overflow="fold")
    return grid

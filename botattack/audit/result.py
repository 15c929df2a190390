"""The result of a run, live or replayed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from botattack.audit.conclusion import ended_today
from botattack.cases import QuestionCase
from botattack.events import AnyEvent, Event
from botattack.recordings.reader import events
from botattack.recordings.triage import beside, with_marks
from botattack.report.escape import flowing
from botattack.report.figures.figure_values import Figures, GateFigures
from botattack.report.figures.findings import Finding
from botattack.report.wording import headlines, words
from botattack.report.writers.material import Material, material
from botattack.report.writers.material import write_report as write

if TYPE_CHECKING:
    from botattack.audit.games import GamesResult
    from botattack.audit.replays.replaying import Today
    from botattack.report.comparison.changed import Changed, Changes


@dataclass(frozen=True)
class Result:
    """The figures of a run, its `findings` (the shortest edits that broke the bot), and the folder of its recording.

    `changes` are the verdicts that differ from those of the recorded run; a live run has none.
    """

    figures: Figures
    findings: tuple[Finding, ...]
    recording: Path
    changes: tuple[Changed, ...] = ()
    events: Callable[[], Iterable[Event]] = field(repr=False, compare=False, kw_only=True)
    """The events from the beginning, each time it is called, without the verdicts that somebody marked."""

    def __str__(self) -> str:
        """How bad it is, what became of the questions, and where the recording is: three lines."""
        says = headlines.headline(self.figures), words.questions_line(self.figures), str(self.recording)
        return "\n".join(flowing(each, None) for each in says)

    @property
    def exit(self) -> int:
        """The exit status of the command line: 0 if every gate passed."""
        return self.figures.run.exit or 0

    @property
    def why(self) -> str:
        """Why the run ended as it did, in one sentence."""
        return self.figures.run.why

    @property
    def ok(self) -> bool:
        """Whether the run finished and every gate passed."""
        return self.figures.run.exit == 0

    @property
    def gates(self) -> tuple[GateFigures, ...]:
        return self.figures.gates

    def cases(self) -> Iterator[QuestionCase]:
        """Each question with its variants, replies and verdicts. They are read from the recording as you iterate."""
        return self.material.cases()

    def to_dicts(self) -> list[dict[str, object]]:
        """A dictionary for each original and each variant, with the columns of the CSV report."""
        from botattack.report.writers.csv_file import COLUMNS, rows

        return [dict(zip(COLUMNS, row, strict=True)) for question in self.cases() for row in rows(question)]

    @property
    def material(self) -> Material:
        """What reports are made from."""
        return Material(self.figures, self.findings, str(self.recording), self.events)


def write_report(
    result: Result | GamesResult, path: Path | str, kind: str = "", *, bom: bool = False, raw: bool = False
) -> Path:
    """Writes a report and returns its path. The kind follows from the suffix: .html .md .json .csv .xml; of games the
    first three. With `bom`, CSV begins with a byte order mark, for Excel; with `raw`, it has every text as it is,
    for programs, where a spreadsheet could take one for a formula.

    Raises ReportError if no report has that suffix or the file cannot be written.
    """
    if isinstance(result, Result):
        write(Path(path), replace(result.material, bom=bom, raw=raw), kind)
    else:
        from botattack.audit.games import recorded
        from botattack.report.stories import games

        games.FILES.write(Path(path), result.figures, partial(recorded, result.recording))
    return Path(path)


def replayed(recording: Path, as_of: Today) -> tuple[Result, Changes]:
    """The result of a recording as of today, and the verdicts that changed since, marked ones among them."""
    from botattack.report.comparison.changed import Changes, paired

    changes, fresh, triage = Changes(), [True], beside(recording)

    def told() -> Iterator[AnyEvent]:
        """As often as they are asked for; what changed is noted the first time."""
        noting = bool(fresh and fresh.pop())
        for was, now in paired(events(recording), as_of.again):
            if noting:
                changes.update(was, now)
            yield now

    found = material(lambda: with_marks(told(), triage), str(recording))
    figures = ended_today(recording, found)
    return Result(figures, found.findings, recording, tuple(changes.found), events=found.events), changes

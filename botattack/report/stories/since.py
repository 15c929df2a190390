"""What a report of a night says of its baseline, in words: it is filled where runs are compared."""

from __future__ import annotations

from dataclasses import dataclass

from botattack.cases import Alteration
from botattack.report.story.blocks import Example, Fact
from botattack.report.wording.alterations import marked
from botattack.report.wording.finding_words import reproduce


@dataclass(frozen=True)
class SinceChange:
    """A unit that changed; `row` is empty for an original. `history` has a sign for each night, `flaky` says if it
    goes back and forth; both may be empty. `before` is the older reply, if the judge was unsure of it."""

    row: str
    alteration: Alteration
    unit: str
    expected: str
    got: str
    history: str = ""
    flaky: str = ""
    before: str = ""

    def example(self, recording: str) -> Example:
        """The change as a report shows it."""
        title = " ".join(filter(None, (self.row, self.history, self.flaky)))
        before = (Fact("before", self.before),) if self.before else ()
        answers = Fact("expected", self.expected), *before, Fact("got", self.got)
        return Example(title, tuple(marked(self.alteration)), answers, reproduce(self.unit, recording), self.unit)


@dataclass(frozen=True)
class Since:
    """What changed `since` a run: the first line, groups of changes with a title each, and a table."""

    first_line: str
    since: str
    notes: tuple[str, ...]
    groups: tuple[tuple[str, tuple[SinceChange, ...]], ...]
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    footnote: str

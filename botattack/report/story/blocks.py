"""What a report says, as frozen blocks: a writer draws blocks and knows nothing of figures.

Every text is harmless to print: foreign words have been through `escape.visible` before they become part of a block.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import repeat
from typing import Literal, NamedTuple, TypeAlias

from botattack.report.statistics.intervals import Interval
from botattack.report.wording.marks import MarkedText

Line: TypeAlias = tuple[MarkedText, ...]
"""A text with its edits marked, or what is said in a turn of a conversation."""
Text: TypeAlias = str | Line
Tone: TypeAlias = Literal["plain", "strong", "note", "good", "warning", "bad"]
"""How a sentence is meant: `bad` is an alarm, `warning` a doubt, `note` small print."""


@dataclass(frozen=True)
class Sentence:
    """A paragraph of its own."""

    text: Text
    tone: Tone = "plain"


class Fact(NamedTuple):
    """What a label says: `target  helpdesk`. Facts with the same label in a row show it once."""

    label: str
    text: Text
    tone: Tone = "plain"


@dataclass(frozen=True)
class Facts:
    rows: tuple[Fact, ...]


@dataclass(frozen=True)
class Listing:
    """Items one below the other."""

    items: tuple[Text, ...]
    tone: Tone = "plain"


@dataclass(frozen=True)
class Figure:
    """One number to remember, what it counts, and lines in small print."""

    big: str
    says: str
    small: tuple[str, ...] = ()
    bad: bool = False


@dataclass(frozen=True)
class FigureRow:
    """The few figures that stand beside each other on top of a report."""

    figures: tuple[Figure, ...]


class Bar(NamedTuple):
    """A share with its interval, and the share that breaks without any change; only a page draws it."""

    share: float
    interval: Interval
    noise: float | None = None


@dataclass(frozen=True)
class Row:
    """A line of a table; `depth` 1 is a part of the row above it, and a `bad` one is an alarm."""

    cells: tuple[str, ...]
    depth: int = 0
    bar: Bar | None = None
    bad: bool = False


@dataclass(frozen=True)
class Table:
    """Rows below a header; the columns before `numbers`, and those from `after` on, are text, the others figures."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]
    numbers: int = 1
    after: int = 1_000
    note: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row.cells) != len(self.header):
                raise ValueError(f"{len(row.cells)} cells below {len(self.header)} headings: {row.cells}")

    @classmethod
    def of(
        cls,
        header: tuple[str, ...],
        rows: Iterable[tuple[str, ...]],
        numbers: int = 1,
        after: int = 1_000,
        bad: Iterable[bool] = repeat(False),
    ) -> Table:
        return cls(
            header, tuple(Row(cells, bad=alarm) for cells, alarm in zip(rows, bad, strict=False)), numbers, after
        )


@dataclass(frozen=True)
class Command:
    """A line to paste into a shell."""

    line: str


@dataclass(frozen=True)
class Example:
    """One asking: what was sent, what was expected, what came, and the command that shows it again.

    `unit` is what links on a page lead to; empty if nothing does.
    """

    title: Text
    lines: tuple[Line, ...]
    answers: tuple[Fact, ...] = ()
    command: str = ""
    unit: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Examples:
    items: tuple[Example, ...]


@dataclass(frozen=True)
class Point:
    """A share on a day, with its interval; None if there was too little to say. `marked` draws a ring round it."""

    day: str
    label: str
    share: float | None
    interval: Interval | None = None
    marked: bool = False


@dataclass(frozen=True)
class Chart:
    """A share over days; a terminal and Markdown show its last point."""

    name: str
    latest: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Charts:
    items: tuple[Chart, ...]


@dataclass(frozen=True)
class Section:
    """Blocks below a title. `folded` ones are opened on a page by a click, and left out on a terminal, as are those
    that are `shown` only in files, or only on a page, which has room for all."""

    title: Text
    blocks: tuple[Block, ...]
    folded: bool = False
    id: str = ""
    shown: Literal["everywhere", "files", "page"] = "everywhere"


Block: TypeAlias = Sentence | Facts | Listing | FigureRow | Table | Command | Examples | Charts | Section


@dataclass(frozen=True)
class Story:
    """A report: of what it is, its first sentence, and its blocks in the order in which a reader needs them."""

    title: str
    headline: str
    blocks: tuple[Block, ...]
    small: str = ""
    """What stands in small print behind the title."""
    first: tuple[Block, ...] = ()
    """Of what became of a night, what rang: it stands before anything that the night itself found."""
    brief: tuple[Block, ...] = ()
    """Of what became of a night, what a terminal shows in place of `blocks`: one screen, as its page has the rest."""

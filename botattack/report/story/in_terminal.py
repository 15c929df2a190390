"""A story on a terminal: rich draws, and everything goes out by the door of `printing`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from textwrap import wrap
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text as Styled

from botattack.report.numbers import count
from botattack.report.printing import console
from botattack.report.story import blocks
from botattack.report.wording.marks import MarkedText

COMMAND = 76
"""Columns that a command may take in one line."""
EDITS = 12
"""Edits of a line that are shown; the command of an example shows all."""
FIRST = 36
"""Columns of a table's first cell, at most."""
LABEL = 30
"""Columns of a label, at most: it is wrapped at its words, and what it labels keeps most of 80 columns."""
HEADING = 12
"""Columns that a heading over figures may take if they take fewer: a longer one is wrapped at its words."""
_TONES: dict[blocks.Tone, str] = {
    "plain": "",
    "strong": "bold",
    "note": "dim",
    "good": "green",
    "warning": "yellow",
    "bad": "bold red",
}
_ROLES = {
    **dict.fromkeys(("before", "user", "bot", "verdict"), "dim"),
    "after": "bold red",
    "broke": "bold red",
}
"""How parts of a line are drawn that are not plain."""


def show(story: blocks.Story, out: TextIO | Console) -> None:
    """Prints the story; no line ends in spaces, so that it can be compared and pasted."""
    drawing = out if isinstance(out, Console) else console(out)
    with drawing.capture() as printed:
        for part in rendered(story):
            drawing.print(part, crop=False)
    drawing.file.write("".join(f"{line.rstrip()}\n" for line in printed.get().splitlines()))
    drawing.file.flush()


def rendered(story: blocks.Story) -> Iterator[RenderableType]:
    """What rich draws, one after the other."""
    yield Styled(story.headline, style="bold")
    before: blocks.Block | None = None
    for block in story.blocks:
        strong = isinstance(block, blocks.Sentence) and block.tone == "strong"
        if strong or isinstance(block, blocks.Section) or not isinstance(block, type(before)):
            yield from _gap(block)
        yield from drawn(block)
        before = block


def styled(text: blocks.Text, style: str = "") -> Styled:
    """A text with its edits in colour."""
    if isinstance(text, str):
        return Styled(text, style=style)
    shown = Styled(style=style)
    for piece in _first_edits(text):
        shown.append({"before": "[", "after": " → "}.get(piece.role, ""))
        shown.append(piece.text, _ROLES.get(piece.role, ""))
        shown.append("]" if piece.role == "after" else "")
    return shown


def _first_edits(line: blocks.Line) -> blocks.Line:
    """As much of a line as shows EDITS edits, and how many more there are."""
    ends = [number for number, piece in enumerate(line, 1) if piece.role == "after"]
    if len(ends) <= EDITS:
        return line
    return *line[: ends[EDITS - 1]], MarkedText("plain", f" … and {count(len(ends) - EDITS, 'more edit')}")


def _gap(block: blocks.Block) -> Iterator[RenderableType]:
    # Folded sections and figures that repeat the headline are for pages: no empty line for them.
    if not (isinstance(block, blocks.FigureRow) or (isinstance(block, blocks.Section) and _left_out(block))):
        yield Styled()


def drawn(block: blocks.Block) -> Iterator[RenderableType]:
    """What rich draws of one block; nothing of figures, which the headline and the table have already."""
    match block:
        case blocks.Sentence(text, tone):
            yield styled(text, _TONES[tone])
        case blocks.Facts(facts):
            yield _facts(facts)
        case blocks.Listing(items, tone):
            yield _numbered(("-", styled(item, _TONES[tone])) for item in items)
        case blocks.Table():
            yield from _table(block)
        case blocks.Command(line):
            yield _pasted(line)
        case blocks.Examples(examples):
            yield from _examples(examples)
        case blocks.Charts(charts):
            yield from (Styled(f"{one.name}: {one.latest}") for one in charts)
        case blocks.Section() if not _left_out(block):
            yield styled(block.title, "bold")
            yield from chain.from_iterable(map(drawn, block.blocks))


def _facts(rows: tuple[blocks.Fact, ...]) -> Grid:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(max_width=LABEL, style="dim")
    grid.add_column(overflow="fold")
    last = None
    for label, text, tone in rows:
        grid.add_row("" if label == last else label, styled(text, _TONES[tone]))
        last = label
    return grid


def _numbered(rows: Iterable[tuple[str, Styled]]) -> Grid:
    """Texts behind a number or a dash."""
    grid = Grid.grid(padding=(0, 1, 0, 0))
    grid.add_column(justify="right", width=3)
    grid.add_column(overflow="fold")
    for row in rows:
        grid.add_row(*row)
    return grid


def _table(block: blocks.Table) -> Iterator[RenderableType]:
    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for number, name in enumerate(block.header):
        figures = block.numbers <= number < block.after
        if figures:
            width = max([HEADING, *(cell_len(row.cells[number]) for row in block.rows)])
            grid.add_column("\n".join(wrap(name, width, break_long_words=False)), justify="right", no_wrap=True)
        else:
            grid.add_column(name, overflow="fold", max_width=None if number else FIRST)
    for row in block.rows:
        cells = [("  " * row.depth if number == 0 else "") + cell for number, cell in enumerate(row.cells)]
        grid.add_row(*map(Styled, cells), style=_TONES["bad"] if row.bad else "dim" if row.depth else "")
    yield grid
    if block.note:
        yield Styled(block.note, style="dim")


def _examples(examples: Iterable[blocks.Example]) -> Iterator[RenderableType]:
    for number, one in enumerate(examples, 1):
        yield from (Styled(),) if number > 1 else ()
        yield from _example_parts(one, str(number))


def _example_parts(one: blocks.Example, number: str) -> Iterator[RenderableType]:
    """What was sent stands first: the title only where it says more than the edits show."""
    lines = (*((one.title,) if one.title else ()), *one.lines, *one.notes)
    yield _numbered(("" if index else number, styled(line)) for index, line in enumerate(lines))
    answers = Grid.grid(padding=(0, 1, 0, 0))
    answers.add_column(width=3)
    answers.add_column(max_width=LABEL)
    answers.add_column(overflow="fold")
    for label, text, tone in one.answers:
        answers.add_row("", label, styled(text, _TONES[tone]))
    if one.answers:
        yield answers
    if one.command:
        yield _pasted(one.command)


def _left_out(section: blocks.Section) -> bool:
    return section.folded or section.shown != "everywhere"


def _pasted(line: str) -> Group:
    """A command, over two lines where it is too long for one, in a form that can still be pasted."""
    if cell_len(line) > COMMAND:
        line = line.replace(" --unit ", " \\\n      --unit ")
    # A text that is printed alone is wrapped, whatever it says itself.
    return Group(Styled("    " + line, style="dim", overflow="ignore"))

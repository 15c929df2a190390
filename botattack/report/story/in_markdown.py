"""A story as Markdown: our words with every sign escaped that would mark, link or mention, examples in fences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from botattack.report.story import blocks
from botattack.report.wording.marks import join

_SIGNS = re.compile(r"([\\`*_\[\]<>#|&~@$!]|:(?! )|(?<=www)\.)", re.IGNORECASE)
"""A colon before a space begins neither an address nor an emoji."""


def lines(story: blocks.Story) -> Iterator[str]:
    """The lines of the file."""
    yield f"# {ours(story.title)}"
    yield from ("", f"**{ours(story.headline)}**")
    for block in story.blocks:
        if not (isinstance(block, blocks.Section) and block.shown == "page"):
            yield from ("", *drawn(block))


def ours(text: str) -> str:
    """Our own words, in which foreign text is visible already."""
    return _SIGNS.sub(r"\\\1", text)


def fenced(rows: Iterable[str]) -> Iterator[str]:
    """A fence longer than any run of backticks inside."""
    rows = list(rows)
    runs = (len(run) for line in rows for run in re.findall("`+", line))
    fence = "`" * max(3, 1 + max(runs, default=0))
    yield f"{fence}text"
    yield from rows
    yield fence


def example_lines(example: blocks.Example) -> Iterator[str]:
    """An example as lines of plain text."""
    yield from (_plain(example.title),) if example.title else ()
    yield from (*map(join, example.lines), *example.notes)
    width = max((len(fact.label) for fact in example.answers), default=0)
    yield from (f"{label:<{width}}  {_plain(text)}" for label, text, _ in example.answers)
    yield from (example.command,) if example.command else ()


def table_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(text: blocks.Text) -> str:
    return text if isinstance(text, str) else join(text)


def drawn(block: blocks.Block) -> Iterator[str]:
    """The lines of one block."""
    match block:
        case blocks.Sentence(text, tone):
            bold = "**" * (tone in ("strong", "bad"))
            yield f"{bold}{ours(_plain(text))}{bold}"
        case blocks.Facts(facts):
            yield from (f"- {ours(label)}: {ours(_plain(text))}" for label, text, _ in facts)
        case blocks.Listing(items):
            yield from (f"- {ours(_plain(item))}" for item in items)
        case blocks.FigureRow(figures):
            yield from map(_figure, figures)
        case blocks.Table():
            yield from _table(block)
        case blocks.Command(line):
            yield from fenced([line])
        case blocks.Examples(examples):
            yield from _examples(examples)
        case blocks.Charts(charts):
            yield from (f"- {ours(one.name)}: {ours(one.latest)}" for one in charts)
        case blocks.Section():
            yield from _titled(block, "##")


def _figure(one: blocks.Figure) -> str:
    small = f" ({'; '.join(map(ours, one.small))})" if one.small else ""
    return f"- **{ours(one.big)}** {ours(one.says)}{small}"


def _examples(examples: Iterable[blocks.Example]) -> Iterator[str]:
    for number, one in enumerate(examples):
        yield from ("",) if number else ()
        yield from fenced(example_lines(one))


def _table(block: blocks.Table) -> Iterator[str]:
    if block.note:
        yield from (ours(block.note), "")
    yield table_row(map(ours, block.header))
    numbers = range(block.numbers, block.after)
    yield table_row("---:" if number in numbers else "---" for number, _ in enumerate(block.header))
    for row in block.rows:
        first, *others = map(ours, row.cells)
        yield table_row(("&emsp;" * row.depth + first, *others))


def _titled(section: blocks.Section, signs: str) -> Iterator[str]:
    yield f"{signs} {ours(_plain(section.title))}"
    for part in section.blocks:
        yield from ("", *(_titled(part, f"{signs}#") if isinstance(part, blocks.Section) else drawn(part)))

"""What a bot obeyed, cited and remembered, as blocks."""

from __future__ import annotations

from collections.abc import Iterator

from botattack.errors import QUOTED
from botattack.report.escape import visible
from botattack.report.figures.assistant import AssistantFigures
from botattack.report.figures.remembered import SAID
from botattack.report.story.blocks import Block, Example, Examples, Fact, Section, Sentence, Table
from botattack.report.wording import assistant_words as words
from botattack.report.wording.marks import MarkedText
from botattack.report.wording.outcomes import reproduce


def assistant(found: AssistantFigures, recording: str) -> Iterator[Block]:
    """A section for each that there was something to look at for."""
    if rows := found.obeyed:
        header = words.obeyed_header(rows)
        table = Table.of(header, words.obeyed_lines(rows), numbers=header.index("obeyed"))
        told = " ".join(filter(None, (words.OBEYED, words.errors(rows))))
        yield Section("Instructions in passages", (Sentence(told, "note"), table), id="instructions")
    if cited := found.cited:
        blocks: tuple[Block, ...] = (Sentence(words.NOTHING_CITED, "note"),)
        if not words.cites_nothing(cited):
            header = ("check", "attack", "held", "share", "95 % interval")
            blocks = Sentence(words.CITED, "note"), Table.of(header, words.cited_lines(cited), numbers=2)
        yield Section("Sources", blocks, id="sources", shown="files")
    if remembered := found.remembered:
        header = ("asked", *SAID, "share of", "rate", "95 % interval")
        told = " ".join(filter(None, (words.REMEMBERED, words.errors(remembered))))
        examples = Examples(tuple(_leak(found, recording)))
        shown = (examples,) if examples.items else ()
        table = Table.of(header, words.remembered_lines(remembered), after=1 + len(SAID))
        yield Section("Memory", (Sentence(told, "note"), table, *shown), id="memory")


def _leak(found: AssistantFigures, recording: str) -> Iterator[Example]:
    for leak in found.leaks:
        answers = Fact("given", f"{leak.fact}, in another conversation"), Fact("got", visible(leak.reply, QUOTED))
        command = reproduce(leak.unit, recording)
        yield Example(
            "A fact of another conversation",
            ((MarkedText("plain", visible(leak.asked)),),),
            answers,
            command,
            leak.unit,
        )

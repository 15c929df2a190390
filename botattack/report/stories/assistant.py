"""What a bot obeyed, cited and remembered, as blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from botattack.errors import QUOTED
from botattack.report.escape import visible
from botattack.report.figures.assistant import AssistantFigures
from botattack.report.figures.obeyed import OUTCOMES, ObeyedRow
from botattack.report.figures.remembered import SAID
from botattack.report.story.blocks import Block, Example, Examples, Fact, Section, Sentence, Table
from botattack.report.wording import assistant_words as words
from botattack.report.wording.marks import MarkedText
from botattack.report.wording.outcomes import reproduce


def assistant(found: AssistantFigures, recording: str) -> Iterator[Block]:
    """A section for each that there was something to look at for."""
    if rows := found.obeyed:
        told = Sentence(" ".join(filter(None, (words.OBEYED, words.errors(rows)))), "note")
        yield Section("Instructions in passages", (told, *_by_door(rows)), id="instructions")
    if cited := found.cited:
        blocks: tuple[Block, ...] = (Sentence(words.NOTHING_CITED, "note"),)
        if not words.cites_nothing(cited):
            header = ("check", "attack", "held", "share", "95 % interval")
            blocks = Sentence(words.CITED, "note"), Table.of(header, words.cited_lines(cited), numbers=2)
        yield Section("Sources", blocks, id="sources", shown="files")
    if remembered := found.remembered:
        told = Sentence(" ".join(filter(None, (words.REMEMBERED, words.errors(remembered)))), "note")
        examples = Examples(tuple(_leak(found, recording)))
        shown = (examples,) if examples.items else ()
        table = Table.of(("asked", *SAID, "share", "95 % interval"), words.remembered_lines(remembered))
        yield Section("Memory", (told, table, *shown), id="memory")


def _by_door(rows: Sequence[ObeyedRow]) -> Iterator[Block]:
    """A table for each way in which the passages were sent."""
    doors = sorted({row.door for row in rows})
    for door in doors:
        if len(doors) > 1:
            yield Sentence(f"Passages {door}:")
        lines = words.obeyed_lines([row for row in rows if row.door == door])
        yield Table.of(("instruction", *OUTCOMES, "likely range", "without it"), lines)


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

"""What a bot obeyed, cited and remembered, as blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from botattack.errors import QUOTED
from botattack.report.escape import visible
from botattack.report.figures.assistant import AssistantFigures
from botattack.report.figures.obeyed import ObeyedRow
from botattack.report.figures.remembered import SAID
from botattack.report.figures.shares import Sample
from botattack.report.story.blocks import Block, Example, Examples, Fact, Section, Sentence, Table
from botattack.report.wording import assistant_words as words
from botattack.report.wording.marks import MarkedText
from botattack.report.wording.outcomes import reproduce
from botattack.report.wording.words import terms

SHOWN = 3
"""Examples of a section."""


def assistant(found: AssistantFigures, recording: str) -> Iterator[Block]:
    """A section for each that there was something to look at for."""
    if rows := found.obeyed:
        notes = terms("notes")["obeyed"], words.errors(rows), words.uncalled(rows)
        told = Sentence(" ".join(filter(None, notes)), "note")
        obeyed = ((words.title(row), words.PASSAGE, row.example) for row in rows if row.evident)
        yield Section(
            "Instructions in passages", (told, *_by_door(rows), *_examples(obeyed, recording)), id="instructions"
        )
    if cited := found.cited:
        blocks: tuple[Block, ...] = (Sentence(terms("notes")["nothing cited"], "note"),)
        if not words.cites_nothing(cited):
            header = ("check", "attack", "yes", "share", "95 % interval")
            every = Sentence(terms("notes")["cited"], "note"), Table.of(header, words.cited_lines(cited), numbers=2)
            wrong = ((terms("cited wrongly")[row.check], "not there", row.example) for row in cited if row.example)
            blocks = (
                Table.of(("check", "yes", "unchanged"), words.cited_briefly(cited)),
                *_examples(wrong, recording),
                Section("Sources, by attack", every, shown="files"),
            )
        # A terminal says nothing of a bot that names no sources: most do not.
        yield Section("Sources", blocks, id="sources", shown="files" if len(blocks) == 1 else "everywhere")
    if remembered := found.remembered:
        told = Sentence(" ".join(filter(None, (terms("notes")["remembered"], words.errors(remembered)))), "note")
        leaks = ((words.LEAK, words.ELSEWHERE, leak) for leak in found.leaks)
        table = Table.of(("asked", *SAID, "share", "95 % interval"), words.remembered_lines(remembered))
        yield Section("Memory", (told, table, *_examples(leaks, recording)), id="memory")


def _by_door(rows: Sequence[ObeyedRow]) -> Iterator[Block]:
    """A table for each way in which the passages were sent."""
    doors = sorted({row.door for row in rows})
    for door in doors:
        if len(doors) > 1:
            yield Sentence(f"Passages {door}:")
        these = [row for row in rows if row.door == door]
        header = ("instruction", *words.outcomes(these), "likely range", "without it")
        yield Table.of(header, words.obeyed_lines(these))


def _examples(samples: Iterable[tuple[str, str, Sample | None]], recording: str) -> Iterator[Block]:
    """The first reply of each kind, by its title and what the reply is shown for; nothing if there is none."""
    first: dict[str, Example] = {}
    for title, label, one in samples:
        if one and title not in first:
            first[title] = sample_example(title, label, one, recording)
    if first:
        yield Examples(tuple(first.values())[:SHOWN])


def sample_example(title: str, label: str, one: Sample, recording: str) -> Example:
    """A reply with what it is shown for."""
    answers = Fact(label, visible(one.about, QUOTED)), Fact("got", visible(one.reply, QUOTED))
    lines = ((MarkedText("plain", visible(one.asked)),),)
    return Example(title, lines, answers, reproduce(one.unit, recording), one.unit)

"""A review for other tools: tasks of Label Studio with the buttons they need, and a table for each reader."""

from __future__ import annotations

import csv
from pathlib import Path
from xml.sax.saxutils import quoteattr

import msgspec

from botattack.recordings.reviews import Block, Item, Review
from botattack.report.report_files import whole_file
from botattack.report.writers.csv_file import cell
from botattack.report.writers.review_page import SHEETS

ANSWER = "answer"
"""The name of the buttons in Label Studio, and the column of a table, that hold the answer."""
REVIEW, ITEM = "review-", "item-"
"""What ids in tables begin with: a spreadsheet takes 12e4567890123456 for a number, and rounds it."""


def label_studio(folder: Path, review: Review) -> list[Path]:
    """Tasks to import, and the labelling interface to paste; all annotators share them. Raises ReportError."""
    tasks, interface = folder / "label-studio-tasks.json", folder / "label-studio-interface.xml"
    with whole_file(tasks) as file:
        file.write(
            msgspec.json.format(msgspec.json.encode([_task(review, item) for item in review.order("")])).decode()
        )
    with whole_file(interface) as file:
        file.write(_interface(review))
    return [tasks, interface]


def _task(review: Review, item: Item) -> dict[str, dict[str, str]]:
    blocks = {f"text{number}": _flat(block) for number, block in enumerate(item.blocks, 1)}
    return {"data": {"review": review.id, "item": item.id, **blocks, "choices": _choices(item)}}


def _flat(block: Block) -> str:
    named = len(block.texts) > 1 and any(text.role == "bot" for text in block.texts)
    return "\n".join((f"{text.role}: " if named else "") + text.text for text in block.texts)


def _choices(item: Item) -> str:
    """What the letters mean, where each item has its own."""
    return "\n".join(f"{letter}) {text}" for letter, text in zip(item.means, item.options, strict=False))


def _interface(review: Review) -> str:
    sheet, first = SHEETS[review.ask], review.items[0]
    lines = [f"<View><Header value={quoteattr(sheet.title)}/>", f'<Header size="6" value={quoteattr(sheet.task)}/>']
    for number, block in enumerate(first.blocks, 1):
        lines += [
            f'<Header size="6" value={quoteattr(block.head)}/>',
            f'<Text name="text{number}" value="$text{number}"/>',
        ]
    lines += ['<Text name="choices" value="$choices"/>'] * bool(first.options)
    lines.append(f'<Choices name="{ANSWER}" toName="text1" choice="single" showInline="true" required="true">')
    words = {option.value: option.words for option in sheet.options if option.value not in "abcd"}
    every = max((item.means for item in review.items), key=len)
    for number, value in enumerate(every, 1):
        hint = quoteattr(words.get(value, value))
        lines.append(f'<Choice value="{value}" hotkey="{number}" hint={hint}/>')
    return "\n".join([*lines, "</Choices></View>", ""])


def tables(folder: Path, review: Review) -> list[Path]:
    """A CSV file for each reader, whose column `answer` is empty. Raises ReportError."""
    heads = [block.head.lower() for block in review.items[0].blocks]
    written = []
    for reader in review.readers:
        written.append(path := folder / f"review-{reader}.csv")
        with whole_file(path, newline="") as file:
            table = csv.writer(file)
            table.writerow(["review", "item", "reader", ANSWER, "answers", *heads, "choices"])
            for item in review.order(reader):
                shown = [*map(_flat, item.blocks), _choices(item)]
                table.writerow(
                    [REVIEW + review.id, ITEM + item.id, reader, "", " / ".join(item.means), *map(cell, shown)]
                )
    return written

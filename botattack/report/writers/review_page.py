"""A review as one HTML page for each reader: no server, no account, nothing loaded and nothing sent.

What is read is a data block that the page's script shows as text only. Answers stay in the reader's browser until they
are saved. The page knows neither units nor attacks, nor which items are repeats or have a known answer.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from botattack.events import AskedOf
from botattack.recordings.reviews import Item, Review
from botattack.report.escape import hidden
from botattack.report.page_template import rendered
from botattack.report.report_files import whole_file

ASKED = ("First", "Second", "Original", "Reworded", "Question")
"""Heads of blocks that end in a question."""
NAMED = 4000
"""Different characters beyond ASCII whose names a page has."""


class Option(NamedTuple):
    """An answer: what is recorded, what its button says, and when to choose it."""

    value: str
    words: str
    when: str


class Sheet(NamedTuple):
    """What a reader is asked, and the seconds that an answer usually takes."""

    title: str
    task: str
    options: tuple[Option, ...]
    seconds: int


SHEETS: dict[AskedOf, Sheet] = {
    "meaning": Sheet(
        "Do these two ask the same?",
        "You see two wordings of a question. Is the same answer right for both? Spelling and style do not matter.",
        (
            Option("same", "The same", "The answer to one is the answer to the other."),
            Option("different", "Something else", "They ask for different things."),
            Option("unclear", "Cannot tell", "One of them makes no sense to you."),
        ),
        12,
    ),
    "comprehension": Sheet(
        "What does this question ask?",
        "You see a question that may be written badly. Choose the question that its writer most likely meant.",
        (
            Option("a", "A listed question", "The writer most likely meant this one."),
            Option("none", "Cannot tell", "None of them, or it makes no sense to you."),
        ),
        15,
    ),
    "verdict": Sheet(
        "Is the reply correct?",
        "You see a question, the answers that count as right, and a reply. Judge what the reply says, not how.",
        (
            Option("correct", "Correct", "It gives a right answer, in whatever words, and does not take it back."),
            Option("wrong", "Wrong", "It gives another answer, or none that answers the question."),
            Option("refused", "Refused", "It declines: it does not know, cannot help, or asks back."),
            Option("unclear", "Cannot tell", "You cannot decide."),
        ),
        15,
    ),
    "preference": Sheet(
        "Which reply is better?",
        "You see a question and two replies to it. Choose the reply that you would rather get.",
        (
            Option("first", "The first", "It is more correct, more helpful or clearer."),
            Option("second", "The second", "It is more correct, more helpful or clearer."),
            Option("equal", "Equally good", "You would not mind which, or both are equally bad."),
        ),
        20,
    ),
    "scale": Sheet(
        "How well is it reworded?",
        "You see a text and the same text reworded. How well does the second say what the first says?",
        (
            Option("1", "Not at all", "It says something else."),
            Option("2", "Badly", "Some of the meaning is left."),
            Option("3", "Partly", "The main point is there, other things are not."),
            Option("4", "Well", "It says nearly the same, or reads a little oddly."),
            Option("5", "Perfectly", "It says the same and reads well."),
        ),
        12,
    ),
}


def write(folder: Path, review: Review, reader: str) -> Path:
    """Gives the page of a reader; raises ReportError if it cannot be written."""
    path = folder / f"review-{reader}.html"
    sheet, items = SHEETS[review.ask], review.order(reader)
    minutes = -(-len(items) * sheet.seconds // 60)
    with whole_file(path) as file:
        file.write(
            rendered(
                "review.html",
                ("review.css",),
                "review.js",
                words=sheet,
                reader=reader,
                group=review.group,
                items=len(items),
                minutes=minutes,
                talks=any(len(block.texts) > 1 for item in items for block in item.blocks if block.head in ASKED),
                data=_data(review, reader, items),
            )
        )
    return path


def _data(review: Review, reader: str, items: tuple[Item, ...]) -> str:
    """JSON that no text in it can end."""
    told = {
        "review": review.id,
        "reader": reader,
        "seconds": SHEETS[review.ask].seconds,
        "options": [one._asdict() for one in SHEETS[review.ask].options],
        "items": [_plain(item) for item in items],
        "signs": _signs(items),
    }
    text = msgspec.json.encode(told).decode()
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _plain(item: Item) -> dict[str, Any]:
    plain = {"id": item.id, "lang": item.lang, "answers": list(item.means), "blocks": msgspec.to_builtins(item.blocks)}
    return plain | ({"options": item.options} if item.options else {})


def _signs(items: tuple[Item, ...]) -> dict[str, tuple[str, bool]]:
    """Characters beyond ASCII, or that cannot be seen, each with its name and whether it is hidden."""
    texts = (text.text for item in items for block in item.blocks for text in block.texts)
    found = {sign for text in texts for sign in text if not (sign.isascii() and sign.isprintable()) and sign != "\n"}
    return {sign: (unicodedata.name(sign, "without a name"), hidden(sign)) for sign in sorted(found)[:NAMED]}

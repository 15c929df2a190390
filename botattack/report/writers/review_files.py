"""A review as one HTML page for each reader: no server, no account, nothing loaded and nothing sent.

What is read is a data block that the page's script shows as text only. Answers stay in the reader's browser until they
are saved. The page knows neither units nor attacks, nor which items are repeats or have a known answer.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec
import yaml

from botattack.events import AskedOf
from botattack.recordings.reviews import Item, Review
from botattack.report.escape import hidden
from botattack.report.report_files import whole_file
from botattack.report.story.in_html import json_inside, rendered

ASKED = ("First", "Second", "Original", "Reworded", "Question")
"""Heads of blocks that end in a question."""
NAMED = 4000
"""Different characters beyond ASCII whose names a page has."""


@dataclass(frozen=True)
class Option:
    """An answer: what is recorded, what its button says, and when to choose it."""

    value: str
    words: str
    when: str


@dataclass(frozen=True)
class Sheet:
    """What a reader is asked, and the seconds that an answer usually takes."""

    title: str
    task: str
    options: tuple[Option, ...]
    seconds: int


@cache
def sheets() -> dict[AskedOf, Sheet]:
    """The sheet of each sort of review."""
    text = (files("botattack.report") / "page" / "sheets.yaml").read_text("utf-8")
    return msgspec.convert(yaml.safe_load(text), dict[AskedOf, Sheet])


def write(folder: Path, review: Review, reader: str) -> Path:
    """Gives the page of a reader; raises ReportError if it cannot be written."""
    path = folder / f"review-{reader}.html"
    sheet, items = sheets()[review.ask], review.order(reader)
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
    """What the page's script reads."""
    told = {
        "review": review.id,
        "reader": reader,
        "seconds": sheets()[review.ask].seconds,
        "options": msgspec.to_builtins(sheets()[review.ask].options),
        "items": [_plain(item) for item in items],
        "signs": _signs(items),
    }
    return json_inside(told)


def _plain(item: Item) -> dict[str, object]:
    plain = {"id": item.id, "lang": item.lang, "answers": list(item.means), "blocks": msgspec.to_builtins(item.blocks)}
    return plain | ({"options": item.options} if item.options else {})


def _signs(items: tuple[Item, ...]) -> dict[str, tuple[str, bool]]:
    """Characters beyond ASCII, or that cannot be seen, each with its name and whether it is hidden."""
    texts = (text.text for item in items for block in item.blocks for text in block.texts)
    found = {sign for text in texts for sign in text if not (sign.isascii() and sign.isprintable()) and sign != "\n"}
    return {sign: (unicodedata.name(sign, "without a name"), hidden(sign)) for sign in sorted(found)[:NAMED]}

"""Files in which readers' answers come back, each read into the same plain rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import msgspec

from botattack.errors import BotattackError, reason
from botattack.events import TRAITS
from botattack.files import content
from botattack.questions.naming import slip
from botattack.report.writers.review_files import ANSWER, ITEM, REVIEW

LARGEST = 100_000_000
"""Bytes of a file of answers."""
_NEEDED = ("review", "item", "reader", ANSWER)
HOW = "hand over what a review page saved, the CSV file of a review, or JSON lines with unit, reader and label"
Short = Annotated[str, msgspec.Meta(max_length=200)]


class BadAnswers(BotattackError):
    """Answers that cannot be collected; holds all that is wrong with them."""


@dataclass(frozen=True)
class Row:
    """What one reader said of one item of a review, or, if it names no review, of one unit. `place` is where this
    is written: a line or the like."""

    path: Path
    place: str
    reader: str
    answer: str
    review: str = ""
    item: str = ""
    unit: str = ""
    ask: str = ""
    group: str = ""
    repeat: bool = False
    chance: float = 1.0
    traits: Mapping[str, str] = field(default_factory=dict)

    @property
    def where(self) -> str:
        return f"{self.path}:{self.place}"


class _Answer(msgspec.Struct, frozen=True):
    item: Short
    answer: Short


class _Saved(msgspec.Struct, frozen=True):
    """What a page saves."""

    review: Short
    reader: Short
    answers: list[_Answer]


class _Label(msgspec.Struct, frozen=True):
    unit: Short
    reader: Short
    label: Short
    ask: Short = ""
    group: Short = ""
    gender: Short = ""
    age: Short = ""
    mother_tongue: Short = ""
    repeat: bool = False
    chance: Annotated[float, msgspec.Meta(gt=0, le=1)] = 1.0


def rows(path: Path) -> list[Row]:
    """The answers in a file; raises BadAnswers if it is none of the formats."""
    try:
        text = content(path, LARGEST).decode("utf-8-sig")
    except OSError as error:
        raise BadAnswers(f"{path}: cannot be read: {reason(error)}; name the file that the reader sent") from None
    except UnicodeDecodeError:
        raise BadAnswers(f"{path}: is not UTF-8; save it as UTF-8 again") from None
    if text.lstrip().startswith("<"):
        raise BadAnswers(f"{path}: is the page itself; hand over the file that the page saved")
    try:
        return list(_reader(path, text)(path, text))
    except (msgspec.MsgspecError, csv.Error, RecursionError) as error:
        raise BadAnswers(f"{path}: cannot be read as answers: {error}; {HOW}") from None


def _reader(path: Path, text: str) -> Callable[[Path, str], Iterator[Row]]:
    if path.suffix.lower() == ".csv":
        return _table
    return _labels if '"unit"' in text.lstrip().partition("\n")[0] else _saved


def _saved(path: Path, text: str) -> Iterator[Row]:
    found = msgspec.json.decode(text, type=_Saved)
    for number, one in enumerate(found.answers, 1):
        yield Row(path, f"answer {number}", found.reader, one.answer, found.review, one.item)


def _labels(path: Path, text: str) -> Iterator[Row]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found, keys = msgspec.json.decode(line, type=_Label), msgspec.json.decode(line)
        except msgspec.MsgspecError as error:
            raise BadAnswers(f"{path}:{number}: is not a label: {error}; {HOW}") from None
        if wrong := slip(tuple(keys), _Label.__struct_fields__):
            raise BadAnswers(f"{path}:{number}: {wrong}")
        told = msgspec.structs.asdict(found)
        traits = _traits({name: told.pop(name) for name in TRAITS})
        yield Row(path, str(number), answer=told.pop("label"), **told, traits=traits)


def _traits(said: Mapping[str, str]) -> dict[str, str]:
    return {name: " ".join(said[name].casefold().split()) for name in TRAITS if said.get(name, "").strip()}


def _table(path: Path, text: str) -> Iterator[Row]:
    """A row without an answer is one that its reader has not come to. Spreadsheets may separate by semicolons; rows are
    numbered as they do, whatever line breaks are in cells."""
    head = text.partition("\n")[0]
    table = csv.reader(io.StringIO(text, newline=""), delimiter=";" if head.count(";") > head.count(",") else ",")
    names = next(table, [])
    missing = [name for name in _NEEDED if name not in names]
    lacks = f"has no column {', '.join(missing)}; {HOW}" if missing else ""
    if wrong := lacks or slip(tuple(names), (*_NEEDED, *TRAITS)):
        raise BadAnswers(f"{path}:row 1: {wrong}")
    for number, cells in enumerate(table, 2):
        row = dict(zip(names, map(str.strip, cells), strict=False))
        review, item, reader, answer = (row.get(name, "") for name in _NEEDED)
        if answer and not (review and item and reader):
            raise BadAnswers(f"{path}:row {number}: lacks review, item or reader; leave these columns as they were")
        if answer:
            of = review.removeprefix(REVIEW), item.removeprefix(ITEM)
            yield Row(path, f"row {number}", reader, answer.casefold(), *of, traits=_traits(row))

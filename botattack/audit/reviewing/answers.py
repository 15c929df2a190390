"""Files in which readers' answers come back, each read into the same plain rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import msgspec

from botattack.errors import BotattackError, reason
from botattack.events import TRAITS
from botattack.files import content
from botattack.questions.naming import slip

LARGEST = 100_000_000
"""Bytes of a file of answers."""
HOW = "hand over what a review page saved, or JSON lines with unit, reader and label"
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


class _Told(msgspec.Struct, frozen=True, kw_only=True):
    """Who answered, with what the reader agreed to tell."""

    reader: Short
    gender: Short = ""
    age: Short = ""
    mother_tongue: Short = ""

    @property
    def traits(self) -> dict[str, str]:
        said = {name: " ".join(getattr(self, name).casefold().split()) for name in TRAITS}
        return {name: value for name, value in said.items() if value}


class _Saved(_Told, frozen=True, kw_only=True):
    """What a page saves."""

    review: Short
    answers: list[_Answer]


class _Label(_Told, frozen=True, kw_only=True):
    unit: Short
    label: Short
    ask: Short = ""
    group: Short = ""
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
        return list((_labels if '"unit"' in text.lstrip().partition("\n")[0] else _saved)(path, text))
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadAnswers(f"{path}: cannot be read as answers: {error}; {HOW}") from None


def _saved(path: Path, text: str) -> Iterator[Row]:
    found, keys = msgspec.json.decode(text, type=_Saved), msgspec.json.decode(text)
    if wrong := slip(tuple(keys), _Saved.__struct_fields__):
        raise BadAnswers(f"{path}: {wrong}")
    for number, one in enumerate(found.answers, 1):
        of = found.review, one.item
        yield Row(path, f"answer {number}", found.reader, one.answer, *of, traits=found.traits)


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
        told = {name: value for name, value in msgspec.structs.asdict(found).items() if name not in TRAITS}
        yield Row(path, str(number), answer=told.pop("label"), **told, traits=found.traits)

"""Where a JSON document has its questions: in the lists that everybody uses, or in those whose members have one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from botattack.errors import QuestionsError
from botattack.questions.files import Unfit, opened
from botattack.questions.lines import decode_json
from botattack.questions.naming import Columns, has_question
from botattack.questions.stream import LISTS, MEMBERS, Names, members

USUAL: Sequence[Names] = ((), *((name,) for name in LISTS))
MAX_SIZE = 64 << 20
"""Bytes of the largest document that is searched: it is read whole for that."""
_DEEP = 6
_LOOKED_AT = 100


def places_of(path: Path, columns: Columns) -> Sequence[Names]:
    """The usual places, if the first member there has a question; else those of the lists most of whose members have
    one. Raises QuestionsError if these are lists of different names."""
    with opened(path) as file:
        first = next(iter(members(file, *USUAL)), None)
    record = None if first is None else _decoded(first.text)
    if isinstance(record, str) or (isinstance(record, dict) and has_question(record, columns)):
        return USUAL
    if path.stat().st_size > MAX_SIZE:
        return USUAL
    with opened(path) as file:
        found = [*dict.fromkeys(_lists(_decoded(file.read()), columns, ()))]
    if len(found) > 1:
        raise QuestionsError(
            f"{path} has questions at {' and '.join(map(shown, found))}: keep one list, or call it `questions`"
        )
    return found or USUAL


def shown(place: Names) -> str:
    """A place as people write it, such as `data[].faqs`."""
    return "".join("[]" if name == MEMBERS else f".{name}" for name in place).lstrip(".") or "its top"


def _decoded(text: bytes) -> Any:
    try:
        return decode_json(text)
    except Unfit:
        return None


def _lists(value: Any, columns: Columns, way: Names) -> Iterator[Names]:
    if not isinstance(value, dict | list) or len(way) == _DEEP:
        return
    if isinstance(value, list) and _mostly_questions(value[:_LOOKED_AT], columns):
        yield way
        return
    for name, child in value.items() if isinstance(value, dict) else ((MEMBERS, each) for each in value):
        yield from _lists(child, columns, (*way, name))


def _mostly_questions(rows: list[Any], columns: Columns) -> bool:
    return 2 * sum(isinstance(row, dict) and has_question(row, columns) for row in rows) > len(rows)

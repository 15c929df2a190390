"""What a template may do with a value: find a part of it, filter it, write it into text; never without bound."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any
from uuid import UUID

from botattack.options import BadValue

MAX_OUTPUT = 1_000_000
"""Bytes of UTF-8 that one filled template may contain."""
MAX_WORK = 1_000_000
"""Characters that the filters of one filling may go through; keeps a filling under 50 ms."""


class TemplateError(BadValue):
    """A template that is wrong, or cannot be filled; each fault knows its path inside the value."""


@dataclass(frozen=True)
class Missing:
    """Stands for a value that is not there, and knows what it was called."""

    name: str
    hint: str = "add | default('')"


class Filling:
    """The values of one filling, and what it may still cost."""

    __slots__ = ("room", "values", "work")

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values, self.room, self.work = values, MAX_OUTPUT, MAX_WORK

    def emit(self, size: int) -> None:
        self.room -= size
        if self.room < 0:
            raise TemplateError(f"the filled template is longer than {MAX_OUTPUT:,} bytes")

    def spend(self, characters: int) -> None:
        self.work -= characters
        if self.work < 0:
            raise TemplateError(f"the filters have more than {MAX_WORK:,} characters to go through")


def size(value: object) -> int:
    if isinstance(value, str):
        return len(value) if value.isascii() else len(value.encode("utf-8", "surrogatepass"))
    if isinstance(value, Mapping):
        return sum(size(key) + size(item) + 1 for key, item in value.items())
    if isinstance(value, list | tuple):
        return sum(size(item) + 1 for item in value)
    return 8


def as_text(value: object) -> str:
    """A value inside text: itself, nothing for null, JSON for the rest."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def there(value: object) -> Any:
    if isinstance(value, Missing):
        raise TemplateError(f"{value.name} is not there", hint=value.hint)
    return value


def part_of(value: object, key: str | int) -> object:
    """Part of a JSON value; never an attribute of a Python object."""
    if isinstance(value, Missing):
        return value
    missing = Missing(f"[{key}]" if isinstance(key, int) else key)
    if isinstance(value, Mapping):
        return value.get(key, missing)
    if isinstance(value, list | tuple) and isinstance(key, int) and -len(value) <= key < len(value):
        return value[key]
    return missing


def uuid_of(name: str) -> str:
    """An id of what has this name, the same each time."""
    return str(UUID(bytes=blake2b(name.encode("utf-8", "replace"), digest_size=16).digest(), version=4))


def _uuid(values: Filling, value: object) -> str:
    values.spend(size(there(value)))
    return uuid_of(as_text(value))


def _tojson(values: Filling, value: object) -> str:
    # JSON of very many small values takes several times as long as text of their size.
    values.spend(10 * size(there(value)))
    return json.dumps(value, ensure_ascii=False)


def _join(values: Filling, value: Any, separator: object = "") -> str:
    if not isinstance(there(value), list | tuple):
        raise TemplateError("join needs a list")
    between = as_text(separator)
    values.spend(size(value) + size(between) * len(value))
    return between.join(map(as_text, value))


FILTERS: Mapping[str, tuple[Callable[..., Any], int]] = {
    "default": (lambda _, value, other="": other if value is None or isinstance(value, Missing) else value, 1),
    "join": (_join, 1),
    "tojson": (_tojson, 0),
    "uuid": (_uuid, 0),
}
"""What may be done with a value, and how many arguments that takes."""

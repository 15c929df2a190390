"""Records of a YAML file one by one, built from parser events: bounded, with lines, and nothing but text and lists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from botattack.errors import QuestionsError
from botattack.options import JsonObject
from botattack.questions.files import Unfit, opened
from botattack.questions.stream import LISTS

MAX_DEPTH = 8
"""How deep a record may nest."""
MAX_SIZE = 64 << 20
"""Bytes of the largest file, for the parser keeps a whole scalar in memory."""


def read(path: Path) -> Iterator[tuple[int, object | Unfit]]:
    """Line and value of each record; where the file is not YAML, the place and why, as the last one."""
    import yaml

    loader = yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader
    with opened(path) as file:
        if path.stat().st_size > MAX_SIZE:
            raise QuestionsError(f"{path} is larger than {MAX_SIZE >> 20} MB; a set of that size should be JSON lines")
        try:
            yield from _Records(path, yaml.parse(file, Loader=loader)).records()
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            yield (
                (mark.line + 1 if mark else 1),
                Unfit(f"it is not YAML: {error.problem}; nothing after it could be read"),
            )
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            yield 1, Unfit(f"it is not YAML: {error}; nothing after it could be read")


class _Records:
    def __init__(self, path: Path, events: Iterator[Any]) -> None:
        self._path = path
        self._events = events

    def records(self) -> Iterator[tuple[int, object]]:
        for event in self._events:
            kind = _kind(event)
            if kind == "SequenceStart":
                yield from self._list()
            elif kind == "MappingStart":
                yield from self._at_questions()
            elif kind == "Scalar":
                raise self._no_list()

    def _at_questions(self) -> Iterator[tuple[int, object]]:
        found = False
        while _kind(name := next(self._events)) != "MappingEnd":
            self._skip(name)  # it may be a list or a mapping itself
            value = next(self._events)
            if _kind(name) == "Scalar" and name.value in LISTS and _kind(value) == "SequenceStart":
                found = True
                yield from self._list()
            else:
                self._skip(value)
        if not found:
            raise self._no_list()

    def _no_list(self) -> QuestionsError:
        return QuestionsError(f"{self._path} contains no list of questions: start each with `- question: …`")

    def _list(self) -> Iterator[tuple[int, object]]:
        while _kind(event := next(self._events)) != "SequenceEnd":
            line = event.start_mark.line + 1
            faults: list[str] = []
            value = self._value(event, faults, 0)
            yield line, Unfit(faults[0]) if faults else value

    def _value(self, event: Any, faults: list[str], depth: int) -> Any:
        """The value that begins with `event`; all its events are taken, whatever is wrong with it."""
        kind = _kind(event)
        if depth == MAX_DEPTH and kind != "Scalar":
            faults.append("it is nested too deeply")
            return self._skip(event)
        if event.anchor:  # an alias names one, too
            faults.append("anchors and aliases are not read here; write the value out")
        if kind == "SequenceStart":
            return self._members(faults, depth)
        if kind == "MappingStart":
            return self._mapping(faults, depth)
        is_null = kind == "Alias" or (event.style in (None, "") and event.value in ("", "~", "null"))
        return None if is_null else event.value

    def _members(self, faults: list[str], depth: int) -> list[Any]:
        values = []
        while _kind(event := next(self._events)) != "SequenceEnd":
            values.append(self._value(event, faults, depth + 1))
        return values

    def _mapping(self, faults: list[str], depth: int) -> JsonObject:
        values: JsonObject = {}
        while _kind(event := next(self._events)) != "MappingEnd":
            # At MAX_DEPTH nothing but a scalar is read: a list or a mapping cannot be a key.
            name = self._value(event, faults, MAX_DEPTH)
            if name in values:
                faults.append(f"`{name}` is there twice")
            values[str(name)] = self._value(next(self._events), faults, depth + 1)
        return values

    def _skip(self, event: Any) -> None:
        depth = 0
        while True:
            kind = _kind(event)
            depth += kind.endswith("Start") - kind.endswith("End")
            if depth == 0:
                return
            event = next(self._events)


def _kind(event: object) -> str:
    return type(event).__name__.removesuffix("Event")

"""What is wrong within a value is said at its own place, with the keys and the words that fit there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Len

from botattack import registry
from botattack.config.checking import Checker
from botattack.config.schema import schema
from botattack.config.yaml import read_yaml
from botattack.errors import ConfigError
from botattack.protocols import Target, TargetKind

Write = Callable[[str, str], Path]


@dataclass(frozen=True)
class Inner:
    size: float = 0
    with_: str = ""


@dataclass(frozen=True)
class Other:
    colour: str = ""


@dataclass(frozen=True)
class Outer:
    """Holds each kind of value that files have."""

    one: Inner = Inner()
    perhaps: Inner | None = None
    several: tuple[Inner, ...] = ()
    pair: tuple[Inner, Other] = (Inner(), Other())
    named: Mapping[str, Inner] = field(default_factory=dict)
    listed: list[Inner] = field(default_factory=list)
    flag: bool = False
    text: str = ""
    number: float = 0.0
    word: Literal["red", "green", "blue"] = "red"
    some: Annotated[tuple[str, ...], Len(1)] = ("a",)
    two: Annotated[tuple[str, ...], Len(2)] = ("a", "b")
    long: Annotated[str, Len(1)] = "a"


@dataclass(frozen=True)
class Needs:
    must: int
    inner: Inner = Inner()


def problems(write: Write, cls: type, text: str) -> list[tuple[int, str, str, str]]:
    """The line, path, message and hint of each problem of a file, in the order of the file."""
    document, _ = read_yaml(write("a.yaml", text))
    checker = Checker(document)
    assert (checker.read(cls, document.value) is None) == bool(checker.problems)
    try:
        checker.finish()
    except ConfigError as error:
        return [(one.line, one.path, one.message, one.hint) for one in error.problems]
    return []


@pytest.mark.parametrize(
    ("at", "path", "keys"),
    [
        ("one: {%s}", "one", "size with"),
        ("perhaps: {%s}", "perhaps", "size with"),
        ("several: [{size: 1}, {%s}]", "several[1]", "size with"),
        ("pair: [{%s}, {}]", "pair[0]", "size with"),
        ("pair: [{}, {%s}]", "pair[1]", "colour"),
        ("named: {a: {}, b: {%s}}", "named.b", "size with"),
        ("listed: [{}, {}, {%s}]", "listed[2]", "size with"),
    ],
)
def test_a_wrong_key_is_told_with_those_of_its_own_place(write: Write, at: str, path: str, keys: str) -> None:
    """Both are those that a file may say: `with_` is written `with`."""
    known = ", ".join(keys.split())
    assert problems(write, Outer, at % "zzzz: 1") == [(1, f"{path}.zzzz", "no such key", f"known: {known}")]
    last = keys.rsplit(maxsplit=1)[-1]
    assert problems(write, Outer, at % f"{last}e: x")[0][3] == f"did you mean {last!r}?"
    assert problems(write, Outer, at % f"{last}: x") == []


@pytest.mark.parametrize(
    ("said", "message", "hint"),
    [
        ("flag: 'yes'", "expected true or false, found the text 'yes'", "write true"),
        ("flag: 'On'", "expected true or false, found the text 'On'", "write true"),
        ("flag: 'no'", "expected true or false, found the text 'no'", "write false"),
        ("flag: 'OFF'", "expected true or false, found the text 'OFF'", "write false"),
        ("flag: 'perhaps'", "expected true or false, found the text 'perhaps'", ""),
        ("flag: 1", "expected true or false, found the number 1", ""),
        ("text: 7", "expected text, found the number 7", "put it in quotes"),
        ("text: 7.5", "expected text, found the number 7.5", "put it in quotes"),
        ("text: true", "expected text, found true", "put it in quotes"),
        ("text: [a]", "expected text, found a list", ""),
        ("number: x", "expected a number, found the text 'x'", ""),
        ("some: a", "expected a list, found the text 'a'", "write [a]"),
        ("some: 1", "expected a list, found the number 1", ""),
        ("some: []", "must not be empty", ""),
        ("long: ''", "must not be empty", ""),
        ("two: [a]", "needs at least 2", ""),
        ("word: rd", "the text 'rd' is not a choice here", "did you mean 'red'?"),
        ("word: blau", "the text 'blau' is not a choice here", "did you mean 'blue'?"),
        ("word: 1", "the number 1 is not a choice here", "known: blue, green, red"),
        ("one: 3", "expected a mapping, found the number 3", "write {size: 3}; known: size, with"),
        ("one: x/y.z", "expected a mapping, found the text 'x/y.z'", "write {with: x/y.z}; known: size, with"),
        ("one: a b", "expected a mapping, found the text 'a b'", 'write {with: "a b"}; known: size, with'),
        ("one: 2.5", "expected a mapping, found the number 2.5", "write {size: 2.5}; known: size, with"),
        ("one: [1]", "expected a mapping, found a list", "known: size, with"),
    ],
)
def test_a_wrong_value_is_told_with_what_to_write(write: Write, said: str, message: str, hint: str) -> None:
    assert problems(write, Outer, said) == [(1, said.partition(":")[0], message, hint)]


def test_a_wrong_value_in_a_list_is_told_where_the_item_stands(write: Write) -> None:
    assert [path for _, path, *_ in problems(write, Outer, "two: [a, 1]\nsome: [2]")] == ["two[1]", "some[0]"]
    text = "two: [1]\nseveral:\n  - 4\n  - {size: x}\n"
    assert [(line, path) for line, path, *_ in problems(write, Outer, text)] == [
        (1, "two"),
        (1, "two[0]"),
        (3, "several[0]"),
        (4, "several[1].size"),
    ]


def test_what_must_be_written_is_missed_and_the_rest_is_read_without_it(write: Write) -> None:
    assert problems(write, Needs, "inner: {}") == [(1, "must", "is required, but not given", "")]
    for text, read in (
        ("must: 3\ninner: {size: x, with: y}\n", Needs(3, Inner(0, "y"))),
        ("must: 3\ninner: 4\n", Needs(3)),
        ("must: x\n", None),
    ):
        document, _ = read_yaml(write("a.yaml", text))
        checker = Checker(document)
        assert checker.read(Needs, document.value, partly=True) == read
        assert [checker.wrong_below(key) for key in ("must", "mus", "inner", "inne", "size")] == [
            read is None,
            False,
            read is not None,
            False,
            False,
        ]


@dataclass(frozen=True)
class Odd(TargetKind):
    """A plug whose options are called what a schema calls its own parts."""

    title: str
    """What title says."""
    default: str = "x"
    properties: tuple[str, ...] = ()
    metadata: Mapping[str, int] = field(default_factory=dict)
    none: str | None = None
    with_: bool = True

    def target(self, name: str, env: Mapping[str, str], folder: Path) -> Target:
        raise NotImplementedError

    def hosts(self, env: Mapping[str, str]) -> Mapping[tuple[str | int, ...], str]:
        del env
        return {}


def test_options_may_be_called_what_a_schema_calls_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BUILT_IN["targets"], "odd", f"{__name__}:Odd")
    registry.names.cache_clear()
    try:
        choices: Any = schema("target")["properties"]
    finally:
        registry.names.cache_clear()
        monkeypatch.undo()
    (odd,) = [one for one in choices["connect"]["oneOf"] if one["properties"]["kind"] == {"const": "odd"}]
    known = odd["properties"]
    assert [*known] == ["kind", "title", "default", "properties", "metadata", "none", "with"]
    assert odd["required"] == ["kind", "title"]
    assert odd["additionalProperties"] is False
    assert known["title"] == {"type": "string", "description": "What title says."}
    defaults = {name: part["default"] for name, part in known.items() if "default" in part}
    assert defaults == {"default": "x", "properties": [], "with": True}

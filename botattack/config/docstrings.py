"""What the docstrings of attacks say, taken apart: for `attacks show` and the catalogue page."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from botattack import registry
from botattack.config.plugs import AT, CHAIN
from botattack.text.wordlist import WordList

_OPTIONS = re.compile(r"^Options:\n(?P<body>(?:.+\n?)+)", re.MULTILINE)
_OPTION = re.compile(r"(?P<names>[a-z_]+(?:, [a-z_]+)*): (?P<text>.*)")
_WORDS = {int: "number", float: "number", str: "text", bool: "true or false", Any: "attack", WordList: "file"}


@dataclass(frozen=True)
class OptionEntry:
    """An option: what it takes, its default, and what it does, in lines."""

    name: str
    kind: str
    default: str
    text: tuple[str, ...]


@dataclass(frozen=True)
class AttackEntry:
    """An attack. `line` is the first sentence of its docstring, `text` all of it but the options."""

    name: str
    expect: str
    needs: str
    line: str
    text: str
    options: tuple[OptionEntry, ...]


def entries() -> list[AttackEntry]:
    """All attacks by name, those of third parties too; of one that cannot be loaded there is no more than its name."""
    return [_known(name) for name in sorted(registry.names("attacks"))]


def _known(name: str) -> AttackEntry:
    try:
        return entry_of(name)
    except registry.BrokenPlugin:
        return AttackEntry(name, "unknown", "", "", "", ())


def entry_of(name: str) -> AttackEntry:
    """Raises UnknownName with the nearest valid name, or BrokenPlugin."""
    cls = registry.find("attacks", name)
    text = inspect.cleandoc(cls.__doc__ or "")
    told = re.sub(r"\n{3,}", "\n\n", _OPTIONS.sub("", text)).strip()
    line = " ".join(told.split("\n\n", 1)[0].split())
    combines = name in (AT, CHAIN)
    needs = "what its attacks need" if combines else _needs(cls)
    expect = "as its attacks" if combines else cls.expect
    return AttackEntry(name, expect, needs, _sentence(line), told, tuple(_options(cls)))


def _needs(cls: type) -> str:
    if any(field.default is MISSING and field.default_factory is MISSING for field in fields(cls)):
        return "what its options ask for"
    return ", ".join(cls().parts()) or "no language part"


def _sentence(line: str) -> str:
    """Up to the first full stop that ends one, without its source."""
    first = re.split(r"(?<=[.:])\s+(?=[A-Z{`])", line, maxsplit=1)[0].rstrip(":.")
    return re.sub(r"\s\((?:dialogue|semantic|Persian|look-alike).*\)$", "", first) + "."


def _options(cls: type) -> Iterator[OptionEntry]:
    told = _told(cls)
    hints = get_type_hints(cls)
    for field in fields(cls):
        yield OptionEntry(field.name, _kind(hints[field.name]), _default(field), told.get(field.name, ()))


def _told(cls: type) -> Mapping[str, tuple[str, ...]]:
    """What docstrings say of options; a class overrules those it comes from."""
    found: dict[str, tuple[str, ...]] = {}
    for one in reversed(cls.__mro__):
        match = _OPTIONS.search(inspect.cleandoc(one.__doc__ or ""))
        if match:
            found.update(_parsed(match["body"].rstrip().splitlines()))
    return found


def _parsed(lines: Sequence[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    indent = min(len(line) - len(line.lstrip()) for line in lines)
    names: list[str] = []
    for line in lines:
        match = _OPTION.fullmatch(line[indent:])
        if match:
            names = match["names"].split(", ")
            found.update({name: [match["text"]] for name in names})
        else:
            for name in names:
                found[name].append(line.strip())
    return {name: tuple(text) for name, text in found.items()}


def _kind(hint: Any) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " | ".join(map(str, inner))
    if origin in (Union, UnionType):
        known = " or ".join(_kind(part) for part in inner if part is not NoneType)
        return f"{known} or none" if NoneType in inner else known
    if origin is tuple:
        return f"list of {_kind(inner[0])}"
    return str(_WORDS.get(hint, hint))


def _default(field: Field[Any]) -> str:
    if field.default is MISSING:
        return "required"
    value = field.default
    if isinstance(value, tuple):
        return "[" + ", ".join(map(str, value)) + "]"
    if value is None or isinstance(value, bool):
        return "none" if value is None else str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)

"""What docstrings say of attacks and of options: for `attacks show`, the catalogue page and the schema."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from itertools import pairwise
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from botattack import registry
from botattack.attacks.building.choosing import VariantKeys
from botattack.config.labels import AT, CHAIN, AttackLabel, Link
from botattack.config.yaml import words
from botattack.options import File
from botattack.protocols import Attack
from botattack.text.wordlist import WordList

_WORDS = {
    int: "number",
    float: "number",
    str: "text",
    bool: "true or false",
    Any: "attack",
    Attack: "attack",
    WordList: "file",
    File: "file",
}


@dataclass(frozen=True)
class OptionEntry:
    """An option: what it takes, its default, and what it does."""

    name: str
    kind: str
    default: str
    text: str


@dataclass(frozen=True)
class AttackEntry:
    """An attack. `plain` is its name in reports, `line` the first sentence of its docstring, `text` all of it. `shared`
    are those of its options that a campaign can give to all attacks at once."""

    name: str
    plain: str
    expect: str
    needs: str
    languages: str
    line: str
    text: str
    options: tuple[OptionEntry, ...]
    shared: tuple[OptionEntry, ...] = ()


def entries() -> list[AttackEntry]:
    """All attacks by name, those of third parties too; of one that cannot be loaded there is no more than its name."""
    return [_known(name) for name in sorted(registry.names("attacks"))]


def _known(name: str) -> AttackEntry:
    try:
        return entry_of(name)
    except registry.BrokenPlugin:
        return AttackEntry(name, name, "unknown", "", "", "", "", ())


def entry_of(name: str) -> AttackEntry:
    """Raises UnknownName with the nearest valid name, or BrokenPlugin."""
    cls = registry.find("attacks", name)
    text = inspect.cleandoc(cls.__doc__ or "")
    combines = name in (AT, CHAIN)
    needs = "what its attacks need" if combines else _needs(cls)
    expect = "as its attacks" if combines else _expect(cls)
    common = {option.name for option in options_in(VariantKeys)}
    options = tuple(option for option in options_in(cls) if option.name not in common)
    shared = tuple(option for option in options_in(cls) if option.name in common)
    told = _languages(cls, combines), _sentence(text), text
    return AttackEntry(name, cls.plain or name, expect, needs, *told, options, shared)


class Described(NamedTuple):
    """What reports call an attack, a sentence on what it does, one on what to do about it, whether a person might type
    such variants, and what its decoy is called."""

    plain: str
    does: str = ""
    advice: str = ""
    typed: bool = True
    planted: str = Attack.planted


@cache
def described(label: str) -> Described:
    """The attack of a label in a recording; of one that is not known here there is no more than the label. The advice
    of a chain is that of its last link."""
    links = [_described(link) for link in AttackLabel.parse(label).links]
    names = ", then ".join((links[0].plain, *(lowered(link.plain) for link in links[1:])))
    return Described(
        names,
        " ".join(filter(None, (link.does for link in links))),
        links[-1].advice,
        all(link.typed for link in links),
        links[-1].planted,
    )


def _described(link: Link) -> Described:
    try:
        cls = registry.find("attacks", link.name)
    except (registry.UnknownName, registry.BrokenPlugin):
        return Described(str(link))
    called = (cls.plain or link.name, *([f"({link.options})"] if link.options else ()))
    places = (place.partition(" ") for place in link.places)
    where = (words().where.get(kind, kind) + (f", number {only}" if only else "") for kind, _, only in places)
    does = _sentence(inspect.cleandoc(cls.__doc__ or ""))
    return Described(" ".join((*called, *where)), does, cls.advice, cls.typed, cls.planted)


def lowered(name: str) -> str:
    """A plain name within a sentence."""
    return name[:1].lower() + name[1:]


def _expect(cls: type[Attack]) -> str:
    if cls.expect is Attack.expect:
        return "same"
    return cls.expect if isinstance(cls.expect, str) else cls().expect


def _languages(cls: type, combines: bool) -> str:
    if combines or _asks_for_options(cls):
        return "as its attacks" if combines else "as its options say"
    languages = cls().languages
    return "any" if languages is None else ", ".join(sorted(languages))


def _asks_for_options(cls: type) -> bool:
    return any(field.default is MISSING and field.default_factory is MISSING for field in fields(cls))


def _needs(cls: type) -> str:
    if _asks_for_options(cls):
        return "what its options ask for"
    return ", ".join(cls().parts()) or "no language part"


def _sentence(text: str) -> str:
    """The first sentence of a docstring, without its source."""
    line = " ".join(text.split("\n\n", 1)[0].split())
    first = re.split(r"(?<=[.:])\s+(?=[A-Z{`])|(?<=\.)\s+(?=\")", line, maxsplit=1)[0].rstrip(":.")
    return (
        re.sub(
            r"\s\((?:dialogue|semantic|reasoning|Persian|look-alike|`expect).*\)$|\s\([^()]*\d[.\d]\d?[^()]*\)",
            "",
            first,
        )
        + "."
    )


def options_in(cls: type) -> Iterator[OptionEntry]:
    """What a file may say of a class."""
    told = field_docs(cls)
    hints = get_type_hints(cls)
    for field in (field for field in fields(cls) if field.init):
        yield OptionEntry(field.name, _kind(hints[field.name]), _default(field), told.get(field.name, ""))


@cache
def field_docs(cls: type) -> Mapping[str, str]:
    """What stands as a string below each field of a class or of those it comes from."""
    return {name: text for one in reversed(cls.__mro__) for name, text in _own_docs(one).items()}


def _own_docs(cls: type) -> Mapping[str, str]:
    return _docs_in(cls.__module__).get(cls.__qualname__.rpartition(".")[2], {})


@cache
def _docs_in(module: str) -> Mapping[str, Mapping[str, str]]:
    """The strings below the fields of each class of a module. It is parsed once: `inspect.getsource(cls)` does so for
    every class, and made a list of all attacks take 0.84 s instead of 0.48 s of CPU."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError, SyntaxError, KeyError):
        return {}
    # Of two classes of one name, the one that is nested less.
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    return {node.name: dict(_docs(node.body)) for node in reversed(nodes)}


def _docs(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for pair in pairwise(body):
        match pair:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, " ".join(text.split())


def _kind(hint: Any) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " | ".join(map(str, inner))
    if origin in (Union, UnionType):
        # A class that no file can hold is what a value becomes once it is read.
        written = [part for part in inner if part is not NoneType and (part in _WORDS or not isinstance(part, type))]
        known = " or ".join(map(_kind, written))
        return f"{known} or none" if NoneType in inner else known
    if origin is tuple:
        return f"list of {_kind(inner[0])}"
    return str(_WORDS.get(hint, hint))


def _default(field: Field[object]) -> str:
    if field.default is MISSING:
        return "required"
    value = field.default
    if isinstance(value, tuple):
        return "[" + ", ".join(map(str, value)) + "]"
    if value is None or isinstance(value, bool):
        return "none" if value is None else str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)

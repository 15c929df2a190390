"""Templates: `{{ question }}` inside a JSON value, filled structurally and bounded.

A template only places values. Text that is exactly one `{{ … }}` becomes the value itself, with its type; anything
else is text with the values written into it. Where that text is JSON, a value inside quotes is escaped. What is
placed is never read as a template or as JSON again, so a
question such as `{{ 7*7 }}` or `{"a": 1}` arrives as it is. An expression is a name with its parts, or a text in
quotes, and then filters: `{{ history[0].content }}`, `{{ turn + 1 }}`, `{{ poll.last | default('') }}`. There are no
loops, calls, attributes of Python objects or other arithmetic.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any

from botattack.errors import nearest
from botattack.options import BadValue, Mistake, Read
from botattack.templates.filters import FILTERS, Filling, Missing, TemplateError, as_text, part_of, size, there
from botattack.templates.nested_text import Escape, escapes

PLACEHOLDERS = ("question", "history", "passages", "session", "turn", "uuid", "env")
"""What every template may use; `env.NAME` is a declared environment name."""
HOLE = "\0"
MAX_PLACEHOLDERS = 1_000
MAX_DEPTH = 50

Path = tuple[str | int, ...]
Fill = Callable[["Filling"], Any]

_PIECE = re.compile(r"""\{\{((?:[^"'{}]|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\{(?!\{)|\}(?!\}))*)\}\}""", re.DOTALL)
_TEXT = r"""'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*\""""
_TEXTS = re.compile(_TEXT, re.DOTALL)
_BASE = re.compile(
    rf"\s*(?:(?P<text>{_TEXT})|(?P<name>[A-Za-z_]\w*)(?P<parts>(?:\.\w+|\[-?\d{{1,9}}\])*)(?:\s*\+\s*(?P<more>\d{{1,9}}))?)\s*",
    re.DOTALL | re.ASCII,
)
_FILTER = re.compile(rf"\|\s*(?P<name>\w+)\s*(?:\(\s*(?P<argument>{_TEXT})?\s*\)\s*)?", re.DOTALL | re.ASCII)
_PART = re.compile(r"\w+|-\d+", re.ASCII)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_JOINED = "texts are joined by writing one behind the other"
_SCALARS = frozenset({"question", "session", "turn", "uuid"})


@dataclass(frozen=True)
class Template:
    """A JSON value with placeholders.

    `names` holds the placeholders it uses, `env_places` where each environment name is used.
    """

    source: Any
    names: frozenset[str] = field(compare=False)
    env_places: tuple[tuple[Path, str], ...] = field(compare=False)
    parts: frozenset[tuple[str, str]] = field(compare=False)
    """Each (placeholder, part of it) that is used, as `add.id`."""
    _fill: Fill = field(compare=False, repr=False)

    @classmethod
    def compile(cls, value: object, extra: Collection[str] = ()) -> Template:
        """A template of a JSON value. `extra` names values this place knows beside PLACEHOLDERS.

        Raises TemplateError with every fault of the value at once.
        """
        compiler = _Compiler((*PLACEHOLDERS, *extra))
        fill = compiler.tree(value, ())
        if compiler.mistakes:
            raise TemplateError(mistakes=compiler.mistakes)
        return cls(value, frozenset(compiler.used), tuple(compiler.env_places), frozenset(compiler.parts), fill)

    @property
    def env_names(self) -> frozenset[str]:
        return frozenset(name for _, name in self.env_places)

    def fill(self, values: Mapping[str, object]) -> object:
        """The JSON value with `values` in place (`env` maps names to text). Parts may be shared: do not change it.

        Raises TemplateError if a value is not there, or where the result is over MAX_OUTPUT.
        """
        return self._fill(Filling(values))

    def __hash__(self) -> int:
        return hash(json.dumps(self.source, sort_keys=True))


Filled = Annotated[Template, Read(Template.compile, {})]
"""An option that is a template: any JSON value."""


class _Compiler:
    """Turns a JSON value into a function that fills it; collects faults instead of stopping at the first."""

    def __init__(self, known: tuple[str, ...]) -> None:
        self.known = known
        self.used: set[str] = set()
        self.env_places: list[tuple[Path, str]] = []
        self.parts: set[tuple[str, str]] = set()
        self.mistakes: list[Mistake] = []
        self.pieces = 0

    def tree(self, value: object, path: Path) -> Fill:
        if len(path) > MAX_DEPTH:
            self.mistakes.append(Mistake(f"nested deeper than {MAX_DEPTH} levels", path))
        elif isinstance(value, str):
            return self.text(value, path)
        elif isinstance(value, Mapping):
            return self.mapping(value, path)
        elif isinstance(value, list | tuple):
            items = [self.tree(item, (*path, index)) for index, item in enumerate(value)]
            return lambda values: [item(values) for item in items]
        return lambda _: value

    def mapping(self, value: Mapping[str, object], path: Path) -> Fill:
        for key in value:
            if "{{" in key:
                self.mistakes.append(Mistake("a template is allowed in a value, not in a key", (*path, key)))
        items = [(key, self.tree(item, (*path, key))) for key, item in value.items()]
        return lambda values: {key: item(values) for key, item in items}

    def text(self, source: str, path: Path) -> Fill:
        split = list(self.split(source, path))
        if not any(inside for inside, _ in split):
            return lambda _: source
        if len(split) == 1:
            return partial(_place, self.piece(split[0][1], path), path)
        escaped = escapes([None if inside else piece for inside, piece in split])
        pieces = [
            (_escaping(self.piece(piece, path), by) if by else self.piece(piece, path)) if inside else piece
            for (inside, piece), by in zip(split, escaped, strict=True)
        ]
        return partial(_interpolate, pieces, path)

    def split(self, source: str, path: Path) -> Iterator[tuple[bool, str]]:
        """(is an expression, its text) for each piece that is not empty."""
        end = 0
        for match in _PIECE.finditer(source):
            yield from self.literal(source[end : match.start()], path)
            yield True, match[1]
            end = match.end()
        yield from self.literal(source[end:], path)

    def literal(self, text: str, path: Path) -> Iterator[tuple[bool, str]]:
        if "{{" in text:
            self.mistakes.append(Mistake("'{{' is never closed", path, "write '}}' after the name"))
        for sign in ("{%", "{#"):
            if sign in text:
                fix = f"a template only places values; to send it as it is, write {{{{ '{sign}' }}}}"
                self.mistakes.append(Mistake(f"{sign!r} is not allowed", path, fix))
        if text:
            yield False, text

    def piece(self, expression: str, path: Path) -> Fill:
        self.pieces += 1
        if self.pieces > MAX_PLACEHOLDERS:
            if self.pieces == MAX_PLACEHOLDERS + 1:
                self.mistakes.append(Mistake(f"more than {MAX_PLACEHOLDERS:,} placeholders", path))
            return lambda _: ""
        try:
            return self.expression(expression, path)
        except BadValue as error:
            self.mistakes += [Mistake(fault.message, path, fault.hint) for fault in error.mistakes]
            return lambda _: ""

    def expression(self, source: str, path: Path) -> Fill:
        found = _BASE.match(source)
        fill, end = (self.base(found, path), found.end()) if found else (None, 0)
        while fill and end < len(source) and (found := _FILTER.match(source, end)):
            fill, end = _filtered(fill, found["name"], found["argument"]), found.end()
        if fill is None or end < len(source):
            told = f"{source.strip()!r} cannot be read" if source.strip() else "{{ }} is empty"
            raise TemplateError(told, hint="a template only places values: {{ name.part[0] | default('') }}")
        return fill

    def base(self, found: re.Match[str], path: Path) -> Fill:
        """A text in quotes, or a value by its name, a part of it, or a number more than it."""
        if (text := found["text"]) is not None:
            constant = _unquoted(text)
            return lambda _: constant
        name = found["name"]
        parts = [int(part) if part.lstrip("-").isdecimal() else part for part in _PART.findall(found["parts"])]
        if private := [part for part in parts if str(part).startswith("_")]:
            raise TemplateError(f"{private[0]!r} is not allowed", hint="names with a leading underscore are refused")
        if parts[name == "env" :] and name in {*_SCALARS, "env"}:
            raise TemplateError(f"{name} has no parts")
        if found["more"] and name in {*_SCALARS, "env"} - {"turn"}:
            raise TemplateError("only numbers can be added", hint=_JOINED)
        inner = self.name(name, *map(str, parts[: name == "env"]), path=path)
        if parts and name != "env":
            self.parts.add((name, str(parts[0])))
            inner = partial(_part_within, inner, parts)
        return partial(_sum, inner, int(found["more"])) if found["more"] else inner

    def name(self, name: str, part: str = "", *, path: Path) -> Fill:
        if name not in self.known:
            raise TemplateError(f"no placeholder is called {name!r}", hint=nearest(name, self.known))
        if name == "env" and not part:
            raise TemplateError("env needs a name", hint="write env.NAME")
        self.used.add(name)
        if not part:
            missing = Missing(name)
            return lambda values: values.values.get(name, missing)
        self.env_places.append((path, part))
        undeclared = Missing(f"env.{part}", "declare it under env:")
        return lambda values: values.values.get("env", {}).get(part, undeclared)


def _part_within(base: Fill, parts: list[str | int], values: Filling) -> Any:
    value = base(values)
    for part in parts:
        value = part_of(value, part)
    return value


def _filtered(inner: Fill, name: str, argument: str | None) -> Fill:
    if name not in FILTERS:
        raise TemplateError(f"no filter is called {name!r}", hint=nearest(name, FILTERS))
    apply, most = FILTERS[name]
    given = [] if argument is None else [_unquoted(argument)]
    if len(given) > most:
        raise TemplateError(f"the filter {name!r} takes no argument")
    return lambda values: apply(values, inner(values), *given)


def _unquoted(text: str) -> str:
    return _ESCAPE.sub(lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text[1:-1])


def _sum(base: Fill, more: int, values: Filling) -> Any:
    value = there(base(values))
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TemplateError("only numbers can be added", hint=_JOINED)
    return value + more


def _place(piece: Fill, path: Path, values: Filling) -> Any:
    try:
        value = there(piece(values))
        values.emit(size(value))
    except (TemplateError, RecursionError) as error:
        raise _at(path, error) from None
    return value


def _escaping(fill: Fill, by: Escape) -> Fill:
    """What a template places inside JSON or XML that is written as text."""

    def escape(values: Filling) -> str:
        value = there(fill(values))
        values.spend(10 * size(value))
        return by(value)

    return escape


def _interpolate(pieces: list[str | Fill], path: Path, values: Filling) -> str:
    try:
        texts = [piece if isinstance(piece, str) else as_text(there(piece(values))) for piece in pieces]
        values.emit(sum(map(size, texts)))
    except (TemplateError, RecursionError) as error:
        raise _at(path, error) from None
    return "".join(texts)


def _at(path: Path, error: TemplateError | RecursionError) -> TemplateError:
    faults = error.mistakes if isinstance(error, TemplateError) else (Mistake("a value is nested too deeply"),)
    return TemplateError(mistakes=(Mistake(fault.message, path, fault.hint) for fault in faults))


def literal(source: str) -> str:
    """A text with HOLE for whatever its placeholders give; texts that are written within placeholders stay."""
    return _PIECE.sub(lambda piece: HOLE.join(["", *map(_unquoted, _TEXTS.findall(piece[1]))]) or HOLE, source)

"""Templates: `{{ question }}` inside a JSON value, filled structurally and bounded.

A template only places values. Text that is exactly one `{{ … }}` becomes the value itself, with its type; anything
else is text with the values written into it. Where that text is JSON, a value inside quotes is escaped. What is
placed is never read as a template or as JSON again, so a
question such as `{{ 7*7 }}` or `{"a": 1}` arrives as it is. There are no loops, calls, attributes of Python objects
or arithmetic, but for sums such as `{{ turn + 1 }}`: expressions are parsed by jinja2, checked against an allow-list,
and never run by jinja2.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, Annotated, Any, cast

from botattack.errors import nearest
from botattack.options import BadValue, Mistake, Read
from botattack.templates.filters import (
    ARGUMENTS,
    FILTERS,
    Filling,
    Missing,
    TemplateError,
    as_text,
    counted,
    part_of,
    size,
    there,
)
from botattack.templates.nested_text import Escape, escapes

if TYPE_CHECKING:
    from jinja2 import Environment, nodes

PLACEHOLDERS = ("question", "history", "passages", "session", "turn", "uuid", "env")
"""What every template may use; `env.NAME` is a declared environment name."""
HOLE = "\0"
MAX_EXPRESSION = 2_000
MAX_PLACEHOLDERS = 1_000
MAX_DEPTH = 50

Path = tuple[str | int, ...]
Fill = Callable[["Filling"], Any]

_PIECE = re.compile(r"""\{\{((?:[^"'{}]|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\{(?!\{)|\}(?!\}))*)\}\}""", re.DOTALL)
_PLAIN = re.compile(r"\s*(?:env\.)?[A-Za-z][A-Za-z0-9_]*\s*")
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
            if _PLAIN.fullmatch(expression):
                return self.name(*expression.strip().split("."), path=path)
            return self.node(_parse(expression), path)
        except BadValue as error:
            self.mistakes += [Mistake(fault.message, path, fault.hint) for fault in error.mistakes]
            return lambda _: ""

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

    def node(self, node: nodes.Node, path: Path) -> Fill:
        compile_node = _NODES.get(type(node).__name__)
        if compile_node is None:
            raise TemplateError(_refusal(node), hint="a template only places values")
        return compile_node(self, node, path)

    def constant(self, node: nodes.Const, _: Path) -> Fill:
        value = node.value
        return lambda _: value

    def variable(self, node: nodes.Name, path: Path) -> Fill:
        return self.name(node.name, path=path)

    def attribute(self, node: nodes.Getattr, path: Path) -> Fill:
        return self.part(node.node, node.attr, path)

    def item(self, node: nodes.Getitem, path: Path) -> Fill:
        key = cast("nodes.Const", node.arg).value if type(node.arg).__name__ == "Const" else None
        if not isinstance(key, int | str) or isinstance(key, bool):
            raise TemplateError("only a fixed number or name is allowed in [ ]")
        return self.part(node.node, key, path)

    def part(self, base: nodes.Node, key: str | int, path: Path) -> Fill:
        name = _name(base)
        if isinstance(key, str) and key.startswith("_"):
            raise TemplateError(f"{key!r} is not allowed", hint="names with a leading underscore are refused")
        if name == "env":
            return self.name("env", str(key), path=path)
        if name in _SCALARS or type(base).__name__ == "Const" or _is_env(base):
            raise TemplateError(f"{name or 'this value'} has no parts")
        if name is not None:
            self.parts.add((name, str(key)))
        inner = self.node(base, path)
        return lambda values: part_of(inner(values), key)

    def filter(self, node: nodes.Filter, path: Path) -> Fill:
        if node.name not in FILTERS:
            raise TemplateError(f"no filter is called {node.name!r}", hint=nearest(node.name, FILTERS))
        least, most = ARGUMENTS.get(node.name, (0, 0))
        if node.kwargs or node.dyn_args or node.dyn_kwargs or not least <= len(node.args) <= most or node.node is None:
            raise TemplateError(f"the filter {node.name!r} takes {most or 'no'} argument{'s' * (most != 1)}")
        arguments = [self.node(argument, path) for argument in node.args]
        inner, apply = self.node(node.node, path), FILTERS[node.name]
        return lambda values: apply(values, inner(values), *(argument(values) for argument in arguments))

    def added(self, node: nodes.Add, path: Path) -> Fill:
        sides = (node.left, node.right)
        if any(_name(side) in _SCALARS - {"turn"} or isinstance(getattr(side, "value", 0), str) for side in sides):
            raise TemplateError("only numbers can be added", hint="write ~ to join texts")
        left, right = (self.node(side, path) for side in sides)
        return lambda values: _sum(there(left(values)), there(right(values)))

    def joined(self, node: nodes.Concat, path: Path) -> Fill:
        parts = [self.node(part, path) for part in node.nodes]
        return lambda values: "".join([counted(values, part(values)) for part in parts])


def _is_env(node: nodes.Node) -> bool:
    """Whether it is a value of the environment."""
    return type(node).__name__ in ("Getattr", "Getitem") and _name(cast("nodes.Getattr", node).node) == "env"


def _name(node: nodes.Node) -> str | None:
    # Jinja is imported where a template is parsed, and no earlier.
    return cast("nodes.Name", node).name if type(node).__name__ == "Name" else None


_NODES: Mapping[str, Callable[..., Fill]] = {
    "Const": _Compiler.constant,
    "Name": _Compiler.variable,
    "Getattr": _Compiler.attribute,
    "Getitem": _Compiler.item,
    "Filter": _Compiler.filter,
    "Concat": _Compiler.joined,
    "Add": _Compiler.added,
}


def _sum(left: object, right: Any) -> Any:
    if not all(isinstance(value, int | float) and not isinstance(value, bool) for value in (left, right)):
        raise TemplateError("only numbers can be added", hint="write ~ to join texts")
    return left + right


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
    return _PIECE.sub(lambda piece: HOLE if _PLAIN.fullmatch(piece[1]) else _written(piece[1]), source)


def _written(expression: str) -> str:
    from jinja2 import TemplateSyntaxError

    plain = {"variable_begin": "", "variable_end": "", "tilde": ""}
    try:
        tokens = [*_environment().lexer.tokenize(f"{{{{{expression}}}}}")]
    except TemplateSyntaxError:
        return expression
    return "".join(token.value if token.type == "string" else plain.get(token.type, HOLE) for token in tokens)


@cache
def _environment() -> Environment:
    from jinja2 import Environment

    return Environment()  # noqa: S701  # parses expressions; renders nothing


def _parse(expression: str) -> nodes.Node:
    from jinja2 import TemplateSyntaxError
    from jinja2.parser import Parser

    if len(expression) > MAX_EXPRESSION:
        raise TemplateError(f"an expression is longer than {MAX_EXPRESSION:,} characters")
    try:
        parser = Parser(_environment(), expression, state="variable")
        node = parser.parse_expression()
        if parser.stream.eos:
            return node
        problem = f"unexpected {parser.stream.current.value!r}"
    except TemplateSyntaxError as error:
        problem = error.message or "nested too deeply"
    except RecursionError:
        problem = "nested too deeply"
    shown = expression.strip()
    raise TemplateError(f"{shown!r} cannot be read: {problem}" if shown else "{{ }} is empty")


_WORDS = {
    "Call": "a call",
    "CondExpr": "a condition",
    "Compare": "a comparison",
    "List": "a list",
    "Dict": "a mapping",
    "Tuple": "a tuple",
    "Slice": "a slice",
    "Test": "a test",
}


def _refusal(node: nodes.Node) -> str:
    return f"{_WORDS.get(type(node).__name__, 'arithmetic or logic')} is not allowed in a template"

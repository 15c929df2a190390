"""YAML files as plain values that remember where each was.

Scalars are those of YAML 1.2: `no` is text, `12:30` is text, `010` is ten. Duplicate keys, tags, merge keys and
aliases that expand without bound are refused.
"""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from botattack.config.literals import names_secret, secret_number, unquoted, written_secrets
from botattack.errors import ConfigError, Problem, nearest_path

if TYPE_CHECKING:
    import yaml

MAX_BYTES = 256_000
MAX_DEPTH = 50
MAX_VALUES = 20_000
"""Values a file may contain once its aliases are expanded."""

Where = tuple[str | int, ...]
Mark = tuple[int, int]
"""Line and column, from 1."""

_LINE_BREAK = re.compile("[\n\x85\u2028\u2029]")
_BAD_CHARACTER = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_INT = re.compile(r"[-+]?[0-9]{1,400}|0o[0-7]{1,400}|0x[0-9a-fA-F]{1,400}", re.ASCII)
_FLOAT = re.compile(
    r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", re.ASCII
)
_WRITTEN = re.compile(r"\s*[^#\s]")
"""A line with more than a comment."""
_KEY_COLON = re.compile(r":(?:\s|$)")
_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_UTF_16_32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class Source:
    """A file's name and lines, as its problems show them."""

    file: str
    lines: tuple[str, ...] = ()

    def problem(
        self, mark: Mark, message: str, hint: str = "", path: Where = (), secrets: Collection[str] | None = None
    ) -> Problem:
        """Its line is shown unless it contains one of the secrets; if nobody knows these yet, unless it names one."""
        line, column = mark
        source = self.lines[line - 1] if line <= len(self.lines) else ""
        if names_secret(source) if secrets is None else any(secret in source for secret in secrets):
            source = ""
        shown = "".join(c if c.isprintable() else " " for c in source)
        file, place, message, hint = map(_printable, (self.file, dotted(path), message, hint))
        return Problem(file, line, column, place, message, hint, shown if len(shown) <= 300 else "")

    def refusal(self, message: str, hint: str = "", mark: Mark = (1, 1)) -> ConfigError:
        return ConfigError((self.problem(mark, message, hint),))


@dataclass(frozen=True)
class Document:
    """A file's value with the place of every part; `problems` are those of its form.

    A path is the keys and indexes that lead to a part.
    """

    source: Source
    value: Any
    values: Mapping[Where, Mark]
    keys: Mapping[Where, Mark]
    problems: tuple[Problem, ...] = ()

    @property
    def mapping(self) -> dict[str, Any]:
        """The value; an empty mapping if it is none."""
        return self.value if isinstance(self.value, dict) else {}

    def problem(self, path: Where, message: str, hint: str = "", *, at_key: bool = False) -> Problem:
        """A problem at a part, or at the nearest part around it that is in the file."""
        near = path
        while near and near not in self.values:
            near = near[:-1]
        first, other = (self.keys, self.values) if at_key or near != path else (self.values, self.keys)
        mark = first.get(near) or other.get(near, (1, 1))
        found = reduce(lambda value, part: value[part], near, self.value)
        secrets = self._secrets | secret_number(found, near)
        message, hint = (unquoted(said, found, secrets) for said in (message, hint))
        return self.source.problem(mark, message, hint, path, secrets)

    @cached_property
    def _secrets(self) -> frozenset[str]:
        return written_secrets(self.mapping)

    def find(self, place: str) -> Where:
        """The path of the part that a dotted place names, or of the nearest part around it."""
        known = {dotted(path): path for path in self.values}
        while place and place not in known:
            place = place[: max(place.rfind("."), place.rfind("["), 0)]
        return known.get(place, ())


def dotted(path: Where) -> str:
    """`connect.request.json.messages[0]`"""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def _printable(text: str) -> str:
    """No file may steer the terminal that shows its problems."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def read_yaml(path: Path) -> tuple[Document, bytes]:
    """The document of a file and its bytes; raises ConfigError with one clear sentence if there is none."""
    source = Source(str(path))
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise source.refusal("there is no such file", nearest_path(path) or "check the path") from None
    except IsADirectoryError:
        raise source.refusal("this is a folder", "name a file inside it") from None
    except OSError as error:
        raise source.refusal(f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise source.refusal(f"cannot be read: {error}") from None
    return parse(data, source.file), data


def parse(data: bytes, file: str) -> Document:
    """The document of a file's bytes; raises ConfigError if they are not YAML at all."""
    source, text = _decode(data, file)
    try:
        root = _loader()(text).get_single_node()
    except _mark_error() as error:
        raise ConfigError((_rephrased(error, source),)) from None
    if root is None:
        raise source.refusal("the file is empty", "'botattack schema' shows what it can contain")
    return _DocumentBuilder(source).document(root)


def scalar(text: str) -> Any:
    """What a plain scalar means in YAML 1.2."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    if _FLOAT.fullmatch(text):
        return float(text.replace(".inf", "inf").replace(".nan", "nan").replace(".Inf", "inf").replace(".NaN", "nan"))
    return text


def _decode(data: bytes, file: str) -> tuple[Source, str]:
    source = Source(file)
    if len(data) > MAX_BYTES:
        raise source.refusal(f"the file is larger than {MAX_BYTES // 1000} kB", "keep questions in a file of their own")
    if data.startswith(_UTF_16_32):
        raise source.refusal("the file is UTF-16 or UTF-32", "save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", "replace")
        mark = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise source.refusal(f"byte 0x{data[error.start]:02x} is not UTF-8", "save the file as UTF-8", mark) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    source = Source(file, tuple(_LINE_BREAK.split(text)))
    if bad := _BAD_CHARACTER.search(text):
        before_it = _LINE_BREAK.split(text[: bad.start()])
        mark = len(before_it), len(before_it[-1]) + 1
        raise source.refusal(f"the character U+{ord(bad[0]):04X} is not allowed in YAML", "delete it", mark)
    return source, text


@cache
def _mark_error() -> type[yaml.MarkedYAMLError]:
    import yaml

    return yaml.MarkedYAMLError


@cache
def _loader() -> Any:
    """A composer without constructors: it cannot make objects, only nodes."""
    import yaml

    class Nodes(yaml.SafeLoader):
        depth = 0

        # PyYAML reads YAML 1.1, in which `no` is false and 012 is ten. The tags tell only whether there were quotes:
        # `scalar` reads plain text by YAML 1.2, and whatever tag a file writes is another and refused.
        def resolve(self, kind: Any, _: object, implicit: Any) -> Any:
            if kind is yaml.ScalarNode:
                return "plain" if implicit[0] else "text"
            return "mapping" if kind is yaml.MappingNode else "list"

        def compose_node(self, parent: Any, index: Any) -> Any:
            self.depth += 1
            if self.depth > MAX_DEPTH:
                mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
                raise yaml.MarkedYAMLError(None, None, f"nested deeper than {MAX_DEPTH} levels", mark)
            node = super().compose_node(parent, index)
            self.depth -= 1
            return node

    return Nodes


class _DocumentBuilder:
    """Turns nodes into values; collects what is wrong with their form."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.values: dict[Where, Mark] = {}
        self.keys: dict[Where, Mark] = {}
        self.problems: list[Problem] = []
        self.room = MAX_VALUES

    def document(self, root: yaml.Node) -> Document:
        value = self.value(root, ())
        return Document(self.source, value, self.values, self.keys, tuple(self.problems))

    def wrong(self, node: yaml.Node, path: Where, message: str, hint: str = "") -> None:
        self.problems.append(self.source.problem(_mark(node), message, hint, path))

    def value(self, node: yaml.Node, path: Where) -> Any:
        self.values[path] = _mark(node)
        self.room -= 1
        if self.room < 0 or len(path) > MAX_DEPTH:
            hint = "each alias (*name) counts as what it repeats"
            message = (
                f"the file contains more than {MAX_VALUES:,} values" if self.room < 0 else "an alias contains itself"
            )
            raise self.source.refusal(message, hint, _mark(node))
        if node.tag == "mapping":
            return dict(self.items(node, path))
        if node.tag == "list":
            return [self.value(item, (*path, i)) for i, item in enumerate(node.value)]
        return self.scalar(node, path)

    def items(self, node: yaml.Node, path: Where) -> Iterator[tuple[str, Any]]:
        seen: dict[str, Mark] = {}
        for key_node, value_node in node.value:
            key = self.key(key_node, path)
            if key is None:
                continue
            if key in seen:
                first = seen[key]
                self.wrong(key_node, (*path, key), f"{key!r} is there twice", f"the first is on line {first[0]}")
                continue
            seen[key] = self.keys[*path, key] = _mark(key_node)
            yield key, self.value(value_node, (*path, key))

    def key(self, node: yaml.Node, path: Where) -> str | None:
        if node.tag == "mapping":
            self.wrong(node, path, "braces open a mapping here", 'put a template in quotes: "{{ … }}"')
        elif node.tag not in ("plain", "text"):
            self.wrong(node, path, "a key must be plain text")
        elif node.tag == "plain" and node.value == "<<":
            self.wrong(node, path, "merge keys (<<) are not part of YAML 1.2", "write the keys out")
        elif node.tag == "plain" and not isinstance(scalar(node.value), str):
            self.wrong(node, path, f"the key {node.value!r} is not text", f'put it in quotes: "{node.value}"')
        else:
            return self.whole(node, node.value, path)
        return None

    def scalar(self, node: yaml.Node, path: Where) -> object:
        if node.tag not in ("plain", "text"):
            self.wrong(node, path, f"the tag {node.tag.replace('tag:yaml.org,2002:', '!!')} is not allowed")
            return None
        value = scalar(node.value) if node.tag == "plain" else node.value
        if isinstance(value, float) and not math.isfinite(value):
            self.wrong(node, path, f"{node.value} is not a number that can be used")
            return 0.0
        return self.whole(node, value, path) if isinstance(value, str) else value

    def whole(self, node: yaml.Node, text: str, path: Where) -> str:
        """The text with surrogate pairs, which JSON escapes write, as the characters they mean."""
        if text.isascii():
            return text
        try:
            return text.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            self.wrong(node, path, "half of a surrogate pair is not a character", "write the whole character")
            return ""


class Words(msgspec.Struct):
    """What messages about files say, and attacks are called, in `words.yaml`."""

    moved: dict[str, str]
    expected: dict[str, str]
    faults: tuple[tuple[str, str, str], ...]
    where: dict[str, str]


@cache
def words() -> Words:
    """Read when something is wrong with a file."""
    return msgspec.yaml.decode((files("botattack.config") / "words.yaml").read_bytes(), type=Words)


def _mark(node: yaml.Node) -> Mark:
    return node.start_mark.line + 1, node.start_mark.column + 1


def _rephrased(error: yaml.MarkedYAMLError, source: Source) -> Problem:
    said = str(error.problem)
    message, hint = next(((plain, fix) for sign, plain, fix in words().faults if sign in said), (said, ""))
    marks = (error.problem_mark, error.context_mark)
    # What is missing is noticed only later, so what lacks it is shown.
    mark = next(filter(None, reversed(marks) if hint in ("close it", "write key: value") else marks), None)
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    if line <= len(source.lines) and re.search(r"(?<!['\"])\{\{", source.lines[line - 1]):
        hint = 'put a template in quotes: "{{ … }}"'
    if re.match("mapping values|expected '<document start>'", said) and (bare := _without_colon(source, line)):
        (line, column), message, hint = bare, "a ':' is missing after a key", "write key: value"
    return source.problem((line, column), message, hint)


def _without_colon(source: Source, line: int) -> Mark | None:
    """Where the line before this one begins, if it has no colon: YAML takes both for one text, until a colon comes."""
    before = [(number, text) for number, text in enumerate(source.lines[: line - 1], 1) if _WRITTEN.match(text)]
    number, text = before[-1] if before else (0, ":")
    return None if _KEY_COLON.search(text) else (number, len(text) - len(text.lstrip()) + 1)

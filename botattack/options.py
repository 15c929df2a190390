"""Markers for option fields of plain dataclasses: what a value in a YAML file must be, and how it is read.

`Annotated[float, Read(seconds)]`, or `Seconds` for short, means: the file contains what `seconds` accepts. Whatever
`read` raises as ValueError is shown at the field's place in the file. Nothing here needs pydantic until a file is
validated. A field whose name ends in `_` (`with_`) is written without it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

from botattack.patterns import BadPattern, compiled

JsonObject = dict[str, Any]  # nobody has checked its values: whoever takes one does


@dataclass(frozen=True)
class Mistake:
    """What is wrong inside a value: one sentence, the path below the value, and how to fix it."""

    message: str
    path: tuple[str | int, ...] = ()
    hint: str = ""


class BadValue(ValueError):
    """A value that cannot be read: one mistake, or all `mistakes` in it at once."""

    def __init__(
        self, message: str = "", path: tuple[str | int, ...] = (), hint: str = "", *, mistakes: Iterable[Mistake] = ()
    ) -> None:
        self.mistakes = tuple(mistakes) or (Mistake(message, path, hint),)
        super().__init__("; ".join(one.message + (f" ({one.hint})" if one.hint else "") for one in self.mistakes))


@dataclass(frozen=True)
class Read:
    """Reads (and checks) a raw YAML value; raises ValueError with one sentence where it is wrong.

    `schema` is the JSON Schema of the raw value.
    """

    read: Callable[[Any], object]
    schema: Mapping[str, object] = field(default_factory=dict, compare=False)

    def __get_pydantic_core_schema__(self, source: object, handler: object) -> object:
        from pydantic_core import core_schema

        del source, handler
        return core_schema.no_info_plain_validator_function(
            self.read, metadata={"pydantic_js_functions": [lambda _schema, _handler: dict(self.schema)]}
        )


@dataclass(frozen=True)
class OneOrMore:
    """Marks a tuple that may be written as one item without a list around it."""

    def __get_pydantic_core_schema__(self, source: object, handler: Any) -> Any:
        from pydantic_core import core_schema

        several = handler(source)

        def schema(_: object, handler: Any) -> JsonObject:
            return {"anyOf": [(made := handler(several))["items"], made]}

        return core_schema.no_info_before_validator_function(
            _several, several, metadata={"pydantic_js_functions": [schema]}
        )


@dataclass(frozen=True)
class NotEmpty:
    """Marks a tuple that names at least one."""

    def __get_pydantic_core_schema__(self, source: object, handler: Any) -> Any:
        return {**handler(source), "min_length": 1}


def _several(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, list | tuple) else (value,)


AsGiven = Read(lambda value: value)
"""Marks what was read before, such as an attack by its name."""

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_PER = {"s": 1.0, "sec": 1.0, "second": 1.0, "m": 60.0, "min": 60.0, "minute": 60.0, "h": 3600.0, "hour": 3600.0}
_NUMBER = r"\d{1,9}(?:\.\d{1,9})?"
_DURATION = re.compile(rf"({_NUMBER})\s*({'|'.join(_SECONDS)})", re.ASCII)
_RATE = re.compile(rf"({_NUMBER})\s*/\s*({'|'.join(_PER)})", re.ASCII)
_PERCENT = re.compile(rf"({_NUMBER})\s*%", re.ASCII)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_bare(value: object) -> bool:
    """Whether a number is there without its unit."""
    return _is_number(value) or (isinstance(value, str) and re.fullmatch(_NUMBER, value, re.ASCII) is not None)


def seconds(value: object) -> float:
    """Seconds, at least 0, from `30s`, `1200ms`, `2m`, `1h`; a bare number does not say its unit and is refused."""
    match = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    if match:
        return float(match[1]) * _SECONDS[match[2]]
    if _is_bare(value):
        raise BadValue("expected a duration, found a number without a unit", hint=f"write {value}s")
    raise BadValue(f"expected a duration, found {shown(value)}", hint="write it like 30s, 1200ms or 2m")


def deadline(value: object) -> float:
    """Seconds above 0."""
    if (length := seconds(value)) > 0:
        return length
    raise BadValue("a deadline must be above 0")


def rate(value: object) -> float:
    """Requests a second from `5/s`, `300/min`, `1000/h`; `unlimited`, which must be written, is infinity."""
    if value == "unlimited":
        return math.inf
    match = _RATE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match and float(match[1]) > 0:
        return float(match[1]) / _PER[match[2]]
    if match:
        raise BadValue("a rate must be above 0", hint="leave it out to let botattack learn it")
    if _is_bare(value):
        raise BadValue("expected a rate, found a number without a unit", hint=f"write {value}/s")
    raise BadValue(f"expected a rate, found {shown(value)}", hint="write it like 5/s, 300/min or unlimited")


def share(value: Any) -> float:
    """A share from 0 to 1, written `0.05` or `5%`."""
    match = _PERCENT.fullmatch(value.strip()) if isinstance(value, str) else None
    number = float(match[1]) / 100 if match else value
    if _is_number(number) and 0 <= number <= 1:
        return float(number)
    raise BadValue(f"expected a share from 0 to 1, found {shown(value)}", hint="write it like 0.05 or 5%")


def whole_number(value: object, least: int = 0) -> int:
    """A whole number that is not below the least."""
    if isinstance(value, int) and not isinstance(value, bool) and least <= value < 2**63:
        return value
    raise BadValue(f"expected a whole number of at least {least}, found {shown(value)}")


count = partial(whole_number, least=1)


def amount(value: Any) -> float:
    """A number of at least 0."""
    if _is_number(value) and value >= 0:
        return float(value)
    raise BadValue(f"expected an amount of at least 0, found {shown(value)}", hint="write a number such as 0.002")


def above_zero(value: Any) -> float:
    """A number above 0."""
    if _is_number(value) and value > 0:
        return float(value)
    raise BadValue(f"expected a number above 0, found {shown(value)}", hint="write a number such as 2.5")


def word(value: object) -> str:
    """Text that is not empty."""
    if isinstance(value, str) and value.strip():
        return value
    raise BadValue(f"expected text, found {shown(value)}", hint=_quoting(value))


def words(value: object) -> tuple[str, ...]:
    """A list of texts; `off` is an empty one."""
    if value == "off":
        return ()
    if not isinstance(value, list | tuple):
        raise BadValue(f"expected a list of texts or off, found {shown(value)}", hint="begin each text with '- '")
    found, mistakes = [], []
    for at, item in enumerate(value):
        try:
            found.append(word(item))
        except BadValue as error:
            mistakes += [Mistake(one.message, (at,), one.hint) for one in error.mistakes]
    if mistakes:
        raise BadValue(mistakes=mistakes)
    return tuple(found)


def pattern(value: object) -> str:
    """A regular expression of the `regex` package, checked, kept as text."""
    text = word(value)
    try:
        compiled(text)
    except BadPattern as error:
        raise BadValue(f"{text if len(text) < 60 else text[:57] + '…'!r} {error}") from None
    return text


def shown(value: object) -> str:
    """A raw value as an error message shows it."""
    if isinstance(value, str):
        return f"the text {value if len(value) < 60 else value[:57] + '…'!r}" if value else "empty text"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "nothing"}[value]
    if isinstance(value, int | float):
        return f"the number {value}"
    return "a list" if isinstance(value, list | tuple) else "a mapping"


def _quoting(value: object) -> str:
    said = str(value).lower() if isinstance(value, bool) else value
    return f'put it in quotes: "{said}"' if isinstance(value, bool | int | float) else ""


class Reaching:
    """An option that reaches beyond the file that names it: a file, code, a program, a model.

    The trust check (`config.trust`) walks these, wherever they stand among options. Nothing else may name such a thing:
    what opens a file, imports a module or starts a program takes one of these and no text.
    """

    @property
    def file(self) -> File | None:
        """The file it is read from, where that is one of the target file's own."""
        return None


@dataclass(frozen=True)
class File(Reaching):
    """A file that a target file names; it lies in the target file's folder or below."""

    text: str

    @property
    def file(self) -> File:
        return self

    def seen_from(self, folder: Path) -> Path:
        """Its place on disk, links followed, wherever that is; raises BadValue for links that lead in a circle."""
        try:
            return (folder / self.text).resolve()
        except RuntimeError:  # Python 3.13 returns such a path
            raise BadValue(f"the links of {self.text!r} lead in a circle", hint="name a file") from None

    def is_below(self, folder: Path) -> bool:
        """Whether it lies in `folder` or below, links followed."""
        return self.seen_from(folder).is_relative_to(folder.resolve())

    def under(self, folder: Path) -> Path:
        """Its place on disk; raises BadValue if it leaves `folder`, links followed."""
        if not self.is_below(folder):
            raise BadValue(f"{self.text!r} leaves the folder of this file", hint="put it into the folder of this file")
        return self.seen_from(folder)


_CODE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")
_CODE_FILE = re.compile(r"file://(?P<file>[^:\0]+\.py):(?P<name>[A-Za-z_]\w*)")
_PACKAGE = re.compile(r"[A-Za-z_]\w*", re.ASCII)


@dataclass(frozen=True)
class Code(Reaching):
    """Python code that a target file names: `module:attribute`, or `file://x.py:function` in its own folder.

    Whoever loads the file has decided whether it may run; nothing is imported before.
    """

    text: str

    @property
    def file(self) -> File | None:
        match = _CODE_FILE.fullmatch(self.text)
        return File(match["file"]) if match else None

    @property
    def module(self) -> str:
        """The module to import; empty for a file."""
        return "" if self.file else self.text.partition(":")[0]

    @property
    def attribute(self) -> str:
        return self.text.rpartition(":")[2]


@dataclass(frozen=True)
class Command(Reaching):
    """A program with its arguments that a target file wants started, never through a shell."""

    words: tuple[str, ...]


@dataclass(frozen=True)
class Executable(Reaching):
    """A program that a target file names by its path, seen from the target file's folder."""

    text: str

    def seen_from(self, folder: Path) -> Path:
        """Its place on disk; links are not followed, as programs look at the name they are called by."""
        return (folder / self.text).absolute()


@dataclass(frozen=True)
class Model(Reaching):
    """The weights of a model: an installed package, or a file, seen from the target file's folder."""

    text: str

    @property
    def file(self) -> File | None:
        """None for a package, whose name has no `.` and no `/`."""
        return None if _PACKAGE.fullmatch(self.text) else File(self.text)


def file(value: object) -> File:
    """A path that stays in the folder of the file that names it."""
    if isinstance(value, dict):
        raise BadValue("expected a path, found a mapping", hint="put these lines into a file and write its path here")
    return File(word(value))


def executable(value: object) -> Executable:
    """The path of a program."""
    return Executable(word(value))


def model(value: object) -> Model:
    """The name of a package, or the path of a file."""
    return Model(word(value))


def code(value: object) -> Code:
    """`module:attribute` or `file://x.py:function`."""
    text = word(value)
    if not (_CODE.fullmatch(text) or _CODE_FILE.fullmatch(text)):
        raise BadValue(f"{text!r} names no code", hint="write module:attribute or file://x.py:function")
    return Code(text)


def command(value: object) -> Command:
    """A program and its arguments, as a list of texts."""
    if not isinstance(value, list | tuple) or not value:
        raise BadValue(f"expected a list, found {shown(value)}", hint="write [program, argument, …]")
    wrong = [(i, item) for i, item in enumerate(value) if not isinstance(item, str)]
    if wrong:
        raise BadValue(mistakes=[Mistake(f"expected text, found {shown(item)}", (i,)) for i, item in wrong])
    return Command(tuple(value))


_TEXT = {"type": "string", "minLength": 1}
_LENGTH = {"type": "string", "pattern": rf"^\s*{_NUMBER}\s*({'|'.join(_SECONDS)})\s*$"}
Seconds = Annotated[float, Read(seconds, _LENGTH)]
"""A duration, in seconds once read."""
Deadline = Annotated[float, Read(deadline, _LENGTH)]
"""A duration above 0."""
Rate = Annotated[
    float, Read(rate, {"type": "string", "pattern": rf"^(unlimited|\s*{_NUMBER}\s*/\s*({'|'.join(_PER)})\s*)$"})
]
"""Requests a second once read; infinity for `unlimited`."""
Share = Annotated[
    float,
    Read(
        share,
        {
            "anyOf": [
                {"type": "number", "minimum": 0, "maximum": 1},
                {"type": "string", "pattern": rf"^\s*{_NUMBER}\s*%\s*$"},
            ]
        },
    ),
]
T = TypeVar("T")
Some = Annotated[tuple[T, ...], NotEmpty()]
"""A list that names at least one."""
Count = Annotated[int, Read(count, {"type": "integer", "minimum": 1})]
Several = Annotated[int, Read(partial(whole_number, least=2), {"type": "integer", "minimum": 2})]
Times = Annotated[int, Read(whole_number, {"type": "integer", "minimum": 0})]
Amount = Annotated[float, Read(amount, {"type": "number", "minimum": 0})]
Word = Annotated[str, Read(word, _TEXT)]
Pattern = Annotated[str, Read(pattern, {**_TEXT, "format": "regex"})]
Words = Annotated[tuple[str, ...], Read(words, {"anyOf": [{"const": "off"}, {"type": "array", "items": _TEXT}]})]
FileName = Annotated[File, Read(file, _TEXT)]
CodeName = Annotated[
    Code, Read(code, {"type": "string", "pattern": r"^(file://[^:]+\.py|[A-Za-z_][\w.]*):[A-Za-z_]\w*$"})
]
Program = Annotated[Command, Read(command, {"type": "array", "items": {"type": "string"}, "minItems": 1})]
ProgramFile = Annotated[Executable, Read(executable, _TEXT)]
ModelName = Annotated[Model, Read(model, _TEXT)]

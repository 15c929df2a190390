"""Where in a bot's reply a value stands: JSONPath, regular expression, or the whole text. Pure."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from time import thread_time
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import msgspec

from botattack.errors import BrokenReply, ExtractionFailed
from botattack.options import BadValue, Code, JsonObject, Read, code, pattern, shown
from botattack.targets.foreign_code import imported
from botattack.targets.messages.jsonpath import PATH_SECONDS, compiled, follow, json_path
from botattack.targets.messages.markup import readable
from botattack.targets.messages.regexes import Pattern, bounded, whole

if TYPE_CHECKING:
    from jsonpath import JSONPath

MAX_RAW = 262_144
"""Characters of a reply that a recording keeps; a longer one is not kept, and cannot be extracted again."""
MAX_DEPTH = 50
"""Lists and objects inside one another that a value may have: it is recorded, masked and compared."""
_MARK = "\x1e"
PLAIN = re.compile(r"\$(?:\.[A-Za-z_]\w*|\['[^'\\]*'\]|\[-?\d{1,9}\]|\[\*\]|\.\*)*", re.ASCII)
_STEP = re.compile(r"\.([A-Za-z_]\w*)|\['([^'\\]*)'\]|\[(-?\d+)\]|\[\*\]|\.\*", re.ASCII)
_ENDS = "\0\x1e\x03\x04"
"""Control characters with which protocols of sockets end a message."""
_URL_SAFE = str.maketrans("-_", "+/")
_decode = msgspec.json.Decoder().decode


class StreamInstead(ExtractionFailed):
    """A reply that is a stream of this form where one JSON was to come. Kinds with a key for that name it."""

    def __init__(self, sentence: str, form: str, said: str) -> None:
        super().__init__(sentence, said=said, delivered=True)
        self.sentence, self.form = sentence, form

    def advise(self, place: str, keys: str) -> None:
        """Says what to set at a place of the target file."""
        self.args, self.place = (f"{self.sentence} (set {keys})",), place


class Body:
    """A reply's text, parsed when first needed. `values` are those that earlier calls of the conversation left."""

    def __init__(
        self,
        text: str,
        values: Mapping[str, Any] | None = None,
        header: Callable[[str], str] = lambda _: "",
    ) -> None:
        self.text = text
        self.values = values or {}
        self.header = header
        """The header of a name, as long as the reply is not read again from a recording."""

    @classmethod
    def of_raw(cls, raw: str) -> Body:
        """The body that `raw` was made of."""
        if not raw.startswith(_MARK):
            return cls(raw)
        values, _, text = raw[1:].partition("\n")
        return cls(text, _decode(values))

    @classmethod
    def of_value(cls, value: object, values: Mapping[str, object]) -> Body:
        """A part of a reply, to look for something in it."""
        part = cls(value if isinstance(value, str) else "", values)
        if not isinstance(value, str):
            vars(part)["json"] = value
        return part

    @property
    def raw(self) -> str:
        """What `Reply.raw` keeps: the text, after a line with the values where there are any; empty if too long, so
        that a text without a character has such a line, too."""
        whole = self.text
        if self.values or not whole or whole.startswith(_MARK):
            whole = f"{_MARK}{msgspec.json.encode(self.values).decode()}\n{whole}"
        return whole if len(whole) <= MAX_RAW else ""

    @property
    def status(self) -> object:
        """The status of an error page, kept among the values; None for every other reply."""
        return self.values.get("status")

    @cached_property
    def json(self) -> Any:
        """Raises BrokenReply for JSON that was cut off, ExtractionFailed for what never was JSON."""
        try:
            return _decode(self.text)
        except (msgspec.DecodeError, RecursionError):
            return _lenient(self.text.strip(_ENDS))


def _lenient(text: str) -> Any:
    """What the standard library reads and msgspec does not: NaN, half surrogates, very large numbers."""
    try:
        return _whole(json.loads(text))
    except RecursionError:
        raise BrokenReply("the reply's JSON is nested too deeply", delivered=True) from None
    except ValueError as error:
        if isinstance(error, json.JSONDecodeError) and text.lstrip()[:1] in ("{", "[") and _cut(error, text):
            raise BrokenReply(f"the reply's JSON is cut off after {len(text)} characters", delivered=True) from None
    if form := stream_format(text):
        raise StreamInstead("the reply is a stream of pieces, not one JSON", form, text)
    what = "HTML" if re.match(r"\s*<(!doctype|html|\?xml|head|body)", text, re.IGNORECASE) else "not JSON"
    raise ExtractionFailed(f"the reply is {what if text.strip() else 'empty'}", said=text, delivered=True)


def stream_format(text: str) -> str:
    """The format of a stream that a text looks like: server-sent events, or JSON lines; empty for neither."""
    if re.match(r"\s*(?:data|event|id|retry)?:", text):
        return "sse"
    first, *others = text.strip().split("\n", 2)
    try:
        values = [_decode(line) for line in (first, *others[:1])]
    except (msgspec.DecodeError, RecursionError):
        return ""
    return "ndjson" if len(values) == 2 and all(isinstance(value, dict) for value in values) else ""


def json_or_none(text: str) -> object:
    """The JSON of a text; None for what is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def leaves(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every scalar of a JSON value with its path."""
    if isinstance(value, list | dict):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*path, key))
    else:
        yield path, value


def _whole(value: object) -> object:
    """Without half surrogates, which no recording and no request could hold."""
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return {whole(key): _whole(item) for key, item in value.items()} if isinstance(value, dict) else value


def _cut(error: json.JSONDecodeError, text: str) -> bool:
    return error.pos >= len(text.rstrip()) - 1 or error.msg.startswith("Unterminated string")


class Selector(Protocol):
    """Finds values in a reply; an empty list if there is none."""

    @property
    def source(self) -> str: ...

    def find(self, body: Body) -> list[object]: ...


@dataclass(frozen=True)
class WholeText:
    source: str = "body"

    def find(self, body: Body) -> list[object]:
        return [body.text]


@dataclass(frozen=True)
class JsonPath:
    """A JSONPath. Plain ones (names, numbers, `*`) are walked here, twenty times faster than by the library, which
    reads the rest. In filters, `_` holds the values taken from earlier calls: `$.items[?@.to == _.request.id]`."""

    source: str

    @cached_property
    def _steps(self) -> tuple[str | int | None, ...] | None:
        if not PLAIN.fullmatch(self.source):
            return None
        steps = _STEP.finditer(self.source)
        return tuple(int(m[3]) if m[3] else m[1] if m[1] is not None else m[2] for m in steps)

    @cached_property
    def _compiled(self) -> JSONPath:
        return compiled(self.source)

    def find(self, body: Body) -> list[object]:
        if self._steps is None:
            try:
                return follow(self._compiled, body.json, body.values)
            except ValueError as error:
                raise ExtractionFailed(f"{self.source} {error}", delivered=True) from None
        found = [body.json]
        for step in self._steps:
            found = _walk(step, found)
        return found


def _walk(step: str | int | None, found: list[object]) -> list[object]:
    if isinstance(step, str):
        return [value[step] for value in found if isinstance(value, dict) and step in value]
    if step is None:
        return [item for value in found for item in _items(value)]
    return [value[step] for value in found if isinstance(value, list) and -len(value) <= step < len(value)]


def _items(value: object) -> Any:
    return value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()


@dataclass(frozen=True)
class ByCode(Code):
    """A function of the user's: it is given the whole text, and returns a text, a list of texts, or None."""

    function: Callable[[str], object] | None = field(default=None, compare=False)

    @property
    def source(self) -> str:
        return self.text

    def bound(self, folder: Path) -> ByCode:
        """With its function; raises ConfigError if that cannot be loaded."""
        return ByCode(self.text, imported(self, folder, "connect.extract"))

    def find(self, body: Body) -> list[object]:
        assert self.function is not None  # noqa: S101  # bound before anything is asked
        try:
            found = self.function(body.text)
        except Exception as error:
            sentence = f"{self.source} failed: {type(error).__name__}"
            raise ExtractionFailed(sentence, said=str(error), delivered=True) from error
        return [] if found is None else [found]


@dataclass(frozen=True)
class Base64:
    """The text that the reply's text is the base64 of."""

    source: str = "base64"

    def find(self, body: Body) -> list[object]:
        plain = body.text.strip().translate(_URL_SAFE)
        try:
            return [b64decode(plain + "=" * (-len(plain) % 4), validate=True).decode()]
        except ValueError:
            raise ExtractionFailed("there is no base64 of a text", said=body.text, delivered=True) from None


@dataclass(frozen=True)
class Html:
    """The text that HTML shows, without tags and entities."""

    source: str = "html"

    def find(self, body: Body) -> list[object]:
        return [clean(body.text, html=True)]


@dataclass(frozen=True)
class Chain:
    """Places one after another, each in what is at the one before. JSONPaths read a text as JSON."""

    places: tuple[Selector, ...]

    @property
    def source(self) -> str:
        return " then ".join(place.source for place in self.places)

    def find(self, body: Body) -> list[object]:
        bodies, found, end = [body], list[object](), thread_time() + PATH_SECONDS
        for place in self.places:
            found = []
            for each in bodies:
                try:
                    found += place.find(each)
                except (ExtractionFailed, BrokenReply) as error:
                    if each is body:
                        raise
                    sentence = f"{place.source} cannot be applied to what was found before it: {error}"
                    raise ExtractionFailed(sentence, said=error.said, delivered=True) from None
                if thread_time() > end:  # what the next is looked for in may be very many
                    sentence = f"{self.source} cannot be followed in {PATH_SECONDS:g} s; make it simpler"
                    raise ExtractionFailed(sentence, delivered=True)
            bodies = [Body.of_value(value, body.values) for value in found]
        return found


BODY = WholeText()
_NAMED: dict[str, Selector] = {each.source: each for each in (BODY, Base64(), Html())}


def selector(value: object) -> Selector:
    """`$.a.b` (JSONPath), `{regex: …}`, `body` (the whole text), `base64`, `html`, or a list. Raises BadValue."""
    if isinstance(value, str) and value in _NAMED:
        return _NAMED[value]
    if isinstance(value, list | tuple) and value:
        return Chain(tuple(_selectors(value)))
    if isinstance(value, Mapping) and set(value) == {"regex"}:
        return Pattern(pattern(value["regex"]))
    if isinstance(value, str) and value.startswith("$"):
        return JsonPath(value if PLAIN.fullmatch(value) else json_path(value))
    if isinstance(value, str) and value.startswith("^"):
        hint = "write where: {type: text-delta} next to `pieces`, or in a mark, and here the rest as $.text"
        raise BadValue(f"{value!r}: pieces are no longer chosen by ^", hint=hint)
    hint = "write a JSONPath such as $.reply.text, {regex: …}, body, base64, html, or a list of these"
    raise BadValue(f"expected the place of a value in the reply, found {shown(value)}", hint=hint)


def _selectors(values: Sequence[object]) -> Iterator[Selector]:
    for at, value in enumerate(values):
        try:
            yield selector(value)
        except BadValue as error:
            raise BadValue(mistakes=(replace(one, path=(at, *one.path)) for one in error.mistakes)) from None


def answer_selector(value: object) -> Selector:
    """What `selector` takes, or `file://x.py:function`. Raises BadValue."""
    return ByCode(code(value).text) if isinstance(value, str) and value.startswith("file://") else selector(value)


_ONE: list[JsonObject] = [
    {"type": "string", "pattern": r"^(\$.*|body|base64|html)$"},
    {"type": "object", "properties": {"regex": {"type": "string"}}, "required": ["regex"]},
]
PLACES = [*_ONE, {"type": "array", "items": {"anyOf": _ONE}, "minItems": 1}]
Selected = Annotated[Selector, Read(selector, {"anyOf": PLACES})]
"""An option that says where in a reply a value stands."""
SelectedByCode = Annotated[
    Selector, Read(answer_selector, {"anyOf": [*PLACES, {"type": "string", "pattern": "^file://"}]})
]
"""`Selected`, or a function of the user's that finds it."""


def find(place: Selector, name: str, body: Body) -> list[object]:
    """What is at a place; a failure names the option to fix."""
    try:
        found = place.find(body)
    except (ExtractionFailed, BrokenReply) as error:
        error.place = error.place or name
        raise
    if is_deep(found):
        sentence = f"what is at {place.source} is nested deeper than {MAX_DEPTH} levels"
        raise ExtractionFailed(sentence, delivered=True, place=name)
    return found


def is_deep(found: list[object]) -> bool:
    """Whether something among them is nested deeper than MAX_DEPTH."""
    level = found
    for _ in range(MAX_DEPTH):
        level = [item for value in level if isinstance(value, list | dict) for item in _items(value)]
        if not level:
            return False
    return True


def texts(found: list[object], name: str) -> list[str]:
    """Each as text; null is nothing, a list is its items, an object is refused."""
    result: list[str] = []
    for value in found:
        if isinstance(value, str):
            result.append(value)
        elif isinstance(value, list):
            result += texts(value, name)
        elif isinstance(value, dict):
            sentence = "there is an object, not a text"
            raise ExtractionFailed(sentence, said=json.dumps(value), delivered=True, place=name)
        elif value is not None:
            result.append(json.dumps(value))
    return result


def clean(text: str, html: bool) -> str:
    """Text that can be written as UTF-8, without tags if asked."""
    text = whole(text)
    return readable(bounded(text)) if html and ("<" in text or "&" in text) else text

"""How a request is described in a target file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, Any
from urllib.parse import urlsplit

from botattack.options import BadValue, Mistake, Read, Seconds, shown
from botattack.targets.messages.conditions import Condition
from botattack.targets.messages.selectors import PLACES, Body, Selector, selector
from botattack.templates import Template

STEPS = ("login", "open", "request", "poll")
"""The calls of a conversation; each one's `take` values are placed as `{{ open.NAME }}` in those that follow."""
OF_DOCUMENTS = frozenset({"document", "add"})
"""What only the calls below `documents` place: {{ document.name }}, {{ document.text }}, and what `add` takes."""
NAMES = ("messages", "seed", *STEPS, *sorted(OF_DOCUMENTS))
"""What templates of an HTTP target know besides the common placeholders."""
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HOST_NAME = re.compile(r"\[[0-9A-Fa-f:.]+\]|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f.]*|[\w.-]+")
_HOST = re.compile(rf"({_HOST_NAME.pattern})(:\d{{1,5}})?")
PLACEHOLDER = re.compile(r"\{\{[^{}]*\}\}")

template: Callable[[Any], Template] = partial(Template.compile, extra=NAMES)


def read_url(value: object) -> Template:
    """An absolute URL; what templates place in it is percent-encoded, unless it is nothing but one placeholder."""
    if not isinstance(value, str):
        raise BadValue(f"expected a URL, found {shown(value)}")
    if not re.match(r"(https?|wss?)://|\{\{", value):
        raise BadValue(f"{value!r} is not a whole URL", hint="start it with http:// or https://")
    compiled, known = template(value), _before_values(value)
    if "{{" not in known and value != known and not re.match(r"\w+://[^/?#]+[/?#]", known or "x://x/"):
        raise BadValue("the host of a URL cannot depend on the question or a reply")
    return compiled


def read_method(value: object) -> str:
    if isinstance(value, str) and value.upper() in _METHODS:
        return value.upper()
    raise BadValue(f"expected an HTTP method, found {shown(value)}", hint=f"one of {', '.join(_METHODS)}")


def read_mapping(value: object) -> Template:
    """Names with a template each."""
    if not isinstance(value, Mapping):
        raise BadValue(f"expected names with values, found {shown(value)}")
    return template(value)


def read_headers(value: object) -> Template:
    bad = [name for name in value if not _HEADER.fullmatch(str(name))] if isinstance(value, Mapping) else []
    if bad:
        raise BadValue(mistakes=(Mistake(f"{name!r} is not a header name", (name,)) for name in bad))
    return read_mapping(value)


def read_text(value: object) -> Template:
    if not isinstance(value, str):
        raise BadValue(f"expected text, found {shown(value)}")
    return template(value)


def read_host(value: object) -> str:
    """`name` or `name:port`, lower case; an IPv6 address with a port is in brackets."""
    if isinstance(value, str) and _HOST.fullmatch(value):
        return value.lower()
    raise BadValue(
        f"expected a host name, found {shown(value)}", hint="write it like api.example.org or 127.0.0.1:8080"
    )


def host_of(host: str) -> str:
    """Without its port."""
    return _HOST_NAME.match(host)[0].strip("[]")  # type: ignore[index]


@dataclass(frozen=True)
class Header:
    """A header of the reply."""

    name: str

    @property
    def source(self) -> str:
        return f"the header {self.name}"

    def find(self, body: Body) -> list[object]:
        return [value] if (value := body.header(self.name)) else []


def read_taken(value: object) -> Selector:
    """What `selector` takes, or `{header: NAME}`. Raises BadValue."""
    if not isinstance(value, Mapping) or set(value) != {"header"}:
        return selector(value)
    if not _HEADER.fullmatch(str(value["header"])):
        raise BadValue(f"{value['header']!r} is not a header name", ("header",), "write it like Mcp-Session-Id")
    return Header(value["header"])


@dataclass(frozen=True)
class Upload:
    """A field that is a file made of text, as a document is uploaded."""

    text: Template
    filename: Template
    type: str = "text/plain; charset=utf-8"

    @property
    def templates(self) -> tuple[Template, ...]:
        return self.text, self.filename


Part = Template | Upload
_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+(?:\s*;\s*[\w.+-]+=[\w.+-]+)*", re.ASCII)


def read_multipart(value: Any) -> Mapping[str, Part]:
    """Names with a template each, or with {text, filename, type}."""
    read_mapping(value)
    read: dict[str, Part] = {}
    faults: list[Mistake] = []
    for name, part in value.items():
        try:
            read[name] = _read_upload(part) if isinstance(part, Mapping) else template(part)
        except BadValue as error:
            faults += [replace(fault, path=(name, *fault.path)) for fault in error.mistakes]
    if faults:
        raise BadValue(mistakes=faults)
    return read


def _read_upload(value: Mapping[str, object]) -> Upload:
    if not {"text", "filename"} <= set(value) <= {"text", "filename", "type"}:
        raise BadValue("a file made of text takes text, filename and type")
    kind = value.get("type", Upload.type)
    if not isinstance(kind, str) or not _TYPE.fullmatch(kind):
        raise BadValue(f"expected a content type, found {shown(kind)}", ("type",), "write it like text/plain")
    return Upload(template(value["text"]), template(value["filename"]), kind)


Url = Annotated[Template, Read(read_url, {"type": "string"})]
ProxyUrl = Annotated[Template | None, Read(read_url, {"type": "string"})]
Host = Annotated[str, Read(read_host, {"type": "string"})]
Method = Annotated[str, Read(read_method, {"enum": list(_METHODS)})]
Headers = Annotated[Template | None, Read(read_headers, {"type": "object"})]
Pairs = Annotated[Template | None, Read(read_mapping, {"type": "object"})]
Parts = Annotated[Mapping[str, Part] | None, Read(read_multipart, {"type": "object"})]
Text = Annotated[Template | None, Read(read_text, {"type": "string"})]
Json = Annotated[Template | None, Read(template)]
Message = Annotated[Template, Read(template)]
_IN_HEADER = {"type": "object", "properties": {"header": {"type": "string"}}, "required": ["header"]}
Taken = Annotated[Selector, Read(read_taken, {"anyOf": [*PLACES, _IN_HEADER]})]


@dataclass(frozen=True)
class Request:
    """One HTTP request; at most one of json, form, multipart and text is its body."""

    url: Url
    """The whole URL. Placed values are percent-encoded, unless the URL is nothing but one placeholder."""
    method: Method = ""
    """POST with a body, else GET."""
    headers: Headers = None
    """By name."""
    query: Pairs = None
    """Parameters added to the URL."""
    json: Json = None
    """A body of any JSON value. {{ turn }} counts the messages of a conversation from 0, {{ turn + 1 }} from 1."""
    form: Pairs = None
    """A body of URL-encoded fields."""
    multipart: Parts = None
    """A body of fields, each a text, or {text, filename, type} for a file made of text."""
    text: Text = None
    """A body as it is; in JSON or XML, what placeholders give is escaped."""
    take: Mapping[str, Taken] = field(default_factory=dict)
    """Values of the reply, by name, that later calls place as {{ request.NAME }} (or open, poll, login); {header: NAME}
    is that header. What a later reply lacks keeps its value; of a stream, the first piece counts that has it."""

    def __post_init__(self) -> None:
        bodies = [name for name in ("json", "form", "multipart", "text") if vars(self)[name] is not None]
        if len(bodies) > 1:
            raise BadValue(f"{' and '.join(bodies)} cannot be used together", hint="keep one of them")

    @property
    def names(self) -> frozenset[str]:
        """The placeholders that it uses."""
        return frozenset[str]().union(*(part.names for part in self.templates))

    @property
    def templates(self) -> tuple[Template, ...]:
        fields = (self.multipart or {}).values()
        uploads = [one for part in fields if isinstance(part, Upload) for one in part.templates]
        parts = (self.url, self.headers, self.query, self.json, self.form, self.text, *fields, *uploads)
        return tuple(part for part in parts if isinstance(part, Template))


@dataclass(frozen=True)
class Poll(Request):
    """A request that is repeated until an answer is in its reply. If it says what it has got so far, by what it takes
    itself (?after={{ poll.last | default('') }}), the answer is made of all its replies."""

    every: Seconds = 0.5
    """The time between two requests."""
    until: Condition | None = None
    """A place that must contain something other than null, false or empty before the answer counts, or what must be
    there, as {where: {status: completed}}."""
    quiet: Seconds = 0.0
    """How long the answer must stay unchanged before it counts."""

    @property
    def goes_on(self) -> bool:
        """Whether each reply has only what came after the one before."""
        return "poll" in self.names


def _before_values(source: str) -> str:
    """A URL up to the first placeholder that is not an environment name."""
    return source[: next((m.start() for m in PLACEHOLDER.finditer(source) if "env" not in m[0]), None)]


def known_url(part: Template, env: Mapping[str, str]) -> str:
    """A URL as far as it is known before the run, host included; empty if an earlier reply gives it whole."""
    return str(template(_before_values(part.source)).fill({"env": env}))


def host_in(url: str) -> str:
    """The host of a URL, without its port; empty if it names none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""

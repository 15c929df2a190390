"""How a request is described in a target file, and how it is filled: structurally, so that no question can add a
header, a parameter or a field."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote, urlencode, urlsplit

import msgspec

from botattack.errors import RequestRefused
from botattack.model import content_id
from botattack.options import BadValue, File, Mistake, Read, Seconds, file, shown
from botattack.targets.messages.selectors import Selected
from botattack.templates import Template, TemplateError

if TYPE_CHECKING:
    from botattack.net import Call

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
_PLACEHOLDER = re.compile(r"\{\{[^{}]*\}\}")
_encode = msgspec.json.Encoder().encode

template: Callable[[Any], Template] = partial(Template.compile, extra=NAMES)


def read_url(value: Any) -> Template:
    """An absolute URL; what templates place in it is percent-encoded, unless it is nothing but one placeholder."""
    if not isinstance(value, str):
        raise BadValue(f"expected a URL, found {shown(value)}")
    if not re.match(r"(https?|wss?)://|\{\{", value):
        raise BadValue(f"{value!r} is not a whole URL", hint="start it with http:// or https://")
    compiled, known = template(value), _before_values(value)
    if "{{" not in known and value != known and not re.match(r"\w+://[^/?#]+[/?#]", known or "x://x/"):
        raise BadValue("the host of a URL cannot depend on the question or a reply")
    return compiled


def read_method(value: Any) -> str:
    if isinstance(value, str) and value.upper() in _METHODS:
        return value.upper()
    raise BadValue(f"expected an HTTP method, found {shown(value)}", hint=f"one of {', '.join(_METHODS)}")


def read_mapping(value: Any) -> Template:
    """Names with a template each."""
    if not isinstance(value, Mapping):
        raise BadValue(f"expected names with values, found {shown(value)}")
    return template(value)


def read_headers(value: Any) -> Template:
    bad = [name for name in value if not _HEADER.fullmatch(str(name))] if isinstance(value, Mapping) else []
    if bad:
        raise BadValue(mistakes=(Mistake(f"{name!r} is not a header name", (name,)) for name in bad))
    return read_mapping(value)


def read_text(value: Any) -> Template:
    if not isinstance(value, str):
        raise BadValue(f"expected text, found {shown(value)}")
    return template(value)


def read_host(value: Any) -> str:
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
class FilePart:
    """A field that is a file of the target file's folder. It is always the same: no template chooses a file."""

    file: File
    type: str = "application/octet-stream"


@dataclass(frozen=True)
class Upload:
    """A field that is a file made of text, as a document is uploaded."""

    text: Template
    filename: Template
    type: str = "text/plain; charset=utf-8"

    @property
    def templates(self) -> tuple[Template, ...]:
        return self.text, self.filename


Part = Template | FilePart | Upload
_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+(?:\s*;\s*[\w.+-]+=[\w.+-]+)*", re.ASCII)


def read_multipart(value: Any) -> Mapping[str, Part]:
    """Names with a template each, with {file, type}, or with {text, filename, type}."""
    read_mapping(value)
    read: dict[str, Part] = {}
    faults: list[Mistake] = []
    for name, part in value.items():
        try:
            keys = part if isinstance(part, Mapping) else {}
            make = _read_file_part if "file" in keys else _read_upload if "filename" in keys else template
            read[name] = make(part)
        except BadValue as error:
            faults += [replace(fault, path=(name, *fault.path)) for fault in error.mistakes]
    if faults:
        raise BadValue(mistakes=faults)
    return read


def _read_file_part(value: Mapping[str, Any]) -> FilePart:
    name, kind = value["file"], value.get("type", FilePart.type)
    if not set(value) <= {"file", "type"}:
        raise BadValue("a file takes no more than file and type")
    if not isinstance(name, str) or not name.strip() or "{{" in name:
        raise BadValue(f"expected the name of a file, found {shown(name)}", ("file",), "no template chooses it")
    if not isinstance(kind, str) or not _TYPE.fullmatch(kind):
        raise BadValue(f"expected a content type, found {shown(kind)}", ("type",), "write it like text/plain")
    return FilePart(File(name), kind)


def _read_upload(value: Mapping[str, Any]) -> Upload:
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
RawFile = Annotated[File | None, Read(file, {"type": "string"})]


@dataclass(frozen=True)
class Request:
    """One HTTP request; at most one of json, form, multipart, text and raw is its body."""

    url: Url
    """The whole URL. Placed values are percent-encoded, unless the URL is nothing but one placeholder."""
    method: Method = ""
    """POST with a body, else GET."""
    headers: Headers = None
    """By name."""
    query: Pairs = None
    """Parameters added to the URL."""
    json: Json = None
    """A body of any JSON value."""
    form: Pairs = None
    """A body of URL-encoded fields."""
    multipart: Parts = None
    """A body of fields, each a text, {file, type} with a file in this folder, or {text, filename, type} for a file made
    of text."""
    text: Text = None
    """A body as it is."""
    raw: RawFile = None
    """A file with a whole HTTP request, as copied from a proxy; of `url` only scheme, host and port are used then."""
    take: Mapping[str, Selected] = field(default_factory=dict)
    """Values of the reply, by name, that later calls place as {{ request.NAME }} (or open, poll, login)."""

    def __post_init__(self) -> None:
        bodies = [name for name in ("json", "form", "multipart", "text", "raw") if vars(self)[name] is not None]
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
    """A request that is repeated until an answer is in its reply."""

    every: Seconds = 0.5
    """The time between two requests."""
    until: Selected | None = None
    """A place that must contain something other than null, false or empty before the answer counts."""
    quiet: Seconds = 0.0
    """How long the answer must stay unchanged before it counts."""


Fill = Callable[[Mapping[str, Any]], Any]


def filler(part: Template | None, env: Mapping[str, str], place: str) -> Fill:
    """Fills a template; parts that only the environment changes are filled once."""
    if part is None:
        return lambda _: None
    if part.names <= {"env"}:
        constant = part.fill({"env": env})
        return lambda _: constant

    def fill(values: Mapping[str, Any]) -> Any:
        try:
            return part.fill(values)
        except TemplateError as error:
            where = ".".join(map(str, (place, *error.mistakes[0].path)))
            raise RequestRefused(str(error), delivered=False, place=where) from None

    return fill


class Caller:
    """Makes the calls of one `Request`, whose raw file has been read. `place` is its position in the target file, such
    as `connect.request`."""

    def __init__(self, request: Request, env: Mapping[str, str], folder: Path, place: str) -> None:
        from botattack.net import Call

        self.request = request
        self._made = Call
        self.names = request.names
        self._place = place
        self._url = url_filler(request.url, env, f"{place}.url")
        self._query = filler(request.query, env, f"{place}.query")
        self._headers = _constant_or(filler(request.headers, env, f"{place}.headers"), request.headers, self._pairs)
        self._content = _content(request, env, folder, place)
        self._method = request.method or ("POST" if self._content else "GET")

    def call(self, values: Mapping[str, Any]) -> Call:
        """Raises RequestRefused if a value is missing or does not fit its place."""
        address, query = self._url(values), self._query(values)
        if query:
            address += ("&" if "?" in address else "?") + urlencode(_listed(query), doseq=True, errors="replace")
        pairs = self._headers(values)
        if self._content is None:
            return self._made(self._method, address, pairs)
        kind, body = self._content(values)
        if kind and not any(name == "content-type" for name, _ in pairs):
            pairs = (*pairs, ("content-type", kind))
        return self._made(self._method, address, pairs, body)

    def _pairs(self, filled: Any) -> tuple[tuple[str, str], ...]:
        pairs = tuple((name, as_text(value)) for name, value in (filled or {}).items())
        for name, value in pairs:
            if not value.isprintable():
                sentence = f"the header {name} would contain a line break or a control character{self._whose(name)}"
                raise RequestRefused(sentence, delivered=False, place=f"{self._place}.headers.{name}")
        return tuple((name.lower(), value) for name, value in pairs)

    def _whose(self, header: str) -> str:
        placed = self.request.headers.env_places if self.request.headers is not None else ()
        names = ", ".join(name for path, name in placed if path[0] == header)
        return f" (look at the end of the value of {names})" if names else ""


def _before_values(source: str) -> str:
    """A URL up to the first placeholder that is not an environment name."""
    return source[: next((m.start() for m in _PLACEHOLDER.finditer(source) if "env" not in m[0]), None)]


def known_url(part: Template, env: Mapping[str, str]) -> str:
    """A URL as far as it is known before the run, host included; empty if an earlier reply gives it whole."""
    return str(template(_before_values(part.source)).fill({"env": env}))


def host_in(url: str) -> str:
    """The host of a URL, without its port; empty if it names none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _constant_or(fill: Fill, part: Template | None, then: Callable[[Any], Any]) -> Fill:
    if part is None or part.names <= {"env"}:
        done = then(fill({}))
        return lambda _: done
    return lambda values: then(fill(values))


def url_filler(part: Template, env: Mapping[str, str], place: str) -> Fill:
    """Fills a URL, percent-encoding what is placed in it."""
    fill = filler(part, env, place)
    if part.names <= {"env"} or _PLACEHOLDER.fullmatch(part.source):
        return fill
    return lambda values: fill({**_quoted(values), "env": env})


def _quoted(value: Any) -> Any:
    """Every text percent-encoded, so that it stays inside its place in a URL."""
    if isinstance(value, str):
        return quote(value, safe="", errors="replace")
    if isinstance(value, Mapping):
        return {key: _quoted(item) for key, item in value.items()}
    return [_quoted(item) for item in value] if isinstance(value, list | tuple) else value


def as_text(value: Any) -> str:
    """A filled value where only text can stand: itself, nothing for null, JSON for the rest."""
    return value if isinstance(value, str) else "" if value is None else _encode(value).decode()


def _listed(pairs: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(k, [as_text(item) for item in v] if isinstance(v, list | tuple) else as_text(v)) for k, v in pairs.items()]


Content = Callable[[Mapping[str, Any]], tuple[str, bytes]]


def _content(request: Request, env: Mapping[str, str], folder: Path, place: str) -> Content | None:
    """What makes the body: its content type and bytes."""
    if request.json is not None:
        fill_json = filler(request.json, env, f"{place}.json")
        return lambda values: ("application/json", _encode(fill_json(values)))
    if request.form is not None:
        fill_form = filler(request.form, env, f"{place}.form")
        kind = "application/x-www-form-urlencoded"
        return lambda values: (kind, urlencode(_listed(fill_form(values)), doseq=True, errors="replace").encode())
    if request.multipart is not None:
        return _multipart(request.multipart, env, folder, f"{place}.multipart")
    if request.text is not None:
        fill_text = filler(request.text, env, f"{place}.text")
        return lambda values: ("text/plain; charset=utf-8", as_text(fill_text(values)).encode("utf-8", "replace"))
    return None


def _multipart(parts: Mapping[str, Part], env: Mapping[str, str], folder: Path, place: str) -> Content:
    """What makes a multipart/form-data body; its files are read once, now. Raises ValueError or OSError if one
    cannot be."""
    made = [_part(name, part, env, folder, place) for name, part in parts.items()]
    return lambda values: multipart([part(values) for part in made])


def multipart(parts: Sequence[bytes]) -> tuple[str, bytes]:
    """The boundary is a hash of the content, so it is the same each time and not inside."""
    boundary = content_id("multipart", [str(part) for part in parts])
    body = b"".join(b"--%s\r\n%s\r\n" % (boundary.encode(), part) for part in parts)
    return f"multipart/form-data; boundary={boundary}", body + f"--{boundary}--\r\n".encode()


def _part(
    name: str, part: Part, env: Mapping[str, str], folder: Path, place: str
) -> Callable[[Mapping[str, Any]], bytes]:
    disposition = f'content-disposition: form-data; name="{_in_quotes(name)}"'
    if isinstance(part, FilePart):
        path = part.file.under(folder)
        head = f'{disposition}; filename="{_in_quotes(path.name)}"\r\ncontent-type: {part.type}\r\n\r\n'
        constant = head.encode() + path.read_bytes()
        return lambda _: constant
    if isinstance(part, Upload):
        text, filename = (filler(one, env, f"{place}.{name}") for one in part.templates)

        def upload(values: Mapping[str, Any]) -> bytes:
            called = _in_quotes(as_text(filename(values)))
            head = f'{disposition}; filename="{called}"\r\ncontent-type: {part.type}\r\n\r\n'
            return (head + as_text(text(values))).encode("utf-8", "replace")

        return upload
    fill = filler(part, env, f"{place}.{name}")
    return lambda values: f"{disposition}\r\n\r\n{as_text(fill(values))}".encode("utf-8", "replace")


def _in_quotes(name: str) -> str:
    return quote(name, safe=" !#$&'()*+,-./:;<=>?@[]^_`{|}~")

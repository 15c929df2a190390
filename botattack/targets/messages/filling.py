"""How the request of a target file is filled: structurally, so that no question can add a header, a parameter or a
field."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import msgspec

from botattack.errors import RequestRefused
from botattack.model import content_id
from botattack.targets.messages.calls import PLACEHOLDER, Part, Request, Upload
from botattack.templates import Template, TemplateError

if TYPE_CHECKING:
    from botattack.net.messages import Call

_encode = msgspec.json.Encoder().encode

Fill = Callable[[Mapping[str, Any]], Any]


def filler(part: Template | None, env: Mapping[str, str], place: str) -> Fill:
    """Fills a template; parts that only the environment changes are filled once."""
    if part is None:
        return lambda _: None
    if part.names <= {"env"}:
        constant = part.fill({"env": env})
        return lambda _: constant

    def fill(values: Mapping[str, object]) -> object:
        try:
            return part.fill(values)
        except TemplateError as error:
            where = ".".join(map(str, (place, *error.mistakes[0].path)))
            raise RequestRefused(str(error), delivered=False, place=where) from None

    return fill


class Caller:
    """Makes the calls of one `Request`. `place` is its position in the target file, such
    as `connect.request`."""

    def __init__(self, request: Request, env: Mapping[str, str], place: str) -> None:
        from botattack.net.messages import Call

        self.request = request
        self._made = Call
        self.names = request.names
        self._place = place
        self._url = url_filler(request.url, env, f"{place}.url")
        self._query = filler(request.query, env, f"{place}.query")
        self._headers = _constant_or(filler(request.headers, env, f"{place}.headers"), request.headers, self._pairs)
        self._content = _content(request, env, place)
        self._method = request.method or ("POST" if self._content else "GET")

    def call(self, values: Mapping[str, object]) -> Call:
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


def _constant_or(fill: Fill, part: Template | None, then: Callable[[object], object]) -> Fill:
    if part is None or part.names <= {"env"}:
        done = then(fill({}))
        return lambda _: done
    return lambda values: then(fill(values))


def url_filler(part: Template, env: Mapping[str, str], place: str) -> Fill:
    """Fills a URL, percent-encoding what is placed in it."""
    fill = filler(part, env, place)
    if part.names <= {"env"} or PLACEHOLDER.fullmatch(part.source):
        return fill
    return lambda values: fill({**_quoted(values), "env": env})


def _quoted(value: object) -> Any:
    """Every text percent-encoded, so that it stays inside its place in a URL."""
    if isinstance(value, str):
        return quote(value, safe="", errors="replace")
    if isinstance(value, Mapping):
        return {key: _quoted(item) for key, item in value.items()}
    return [_quoted(item) for item in value] if isinstance(value, list | tuple) else value


def as_text(value: object) -> str:
    """A filled value where only text can stand: itself, nothing for null, JSON for the rest."""
    return value if isinstance(value, str) else "" if value is None else _encode(value).decode()


def _listed(pairs: Mapping[str, object]) -> list[tuple[str, object]]:
    return [(k, [as_text(item) for item in v] if isinstance(v, list | tuple) else as_text(v)) for k, v in pairs.items()]


Content = Callable[[Mapping[str, Any]], tuple[str, bytes]]


def _content(request: Request, env: Mapping[str, str], place: str) -> Content | None:
    """What makes the body: its content type and bytes."""
    if request.json is not None:
        fill_json = filler(request.json, env, f"{place}.json")
        return lambda values: ("application/json", _encode(fill_json(values)))
    if request.form is not None:
        fill_form = filler(request.form, env, f"{place}.form")
        kind = "application/x-www-form-urlencoded"
        return lambda values: (kind, urlencode(_listed(fill_form(values)), doseq=True, errors="replace").encode())
    if request.multipart is not None:
        return _multipart(request.multipart, env, f"{place}.multipart")
    if request.text is not None:
        fill_text = filler(request.text, env, f"{place}.text")
        return lambda values: ("text/plain; charset=utf-8", as_text(fill_text(values)).encode(errors="replace"))
    return None


def _multipart(parts: Mapping[str, Part], env: Mapping[str, str], place: str) -> Content:
    """What makes a multipart/form-data body."""
    made = [_part(name, part, env, place) for name, part in parts.items()]
    return lambda values: multipart([part(values) for part in made])


def multipart(parts: Sequence[bytes]) -> tuple[str, bytes]:
    """The boundary is a hash of the content, so it is the same each time and not inside."""
    boundary = content_id("multipart", [str(part) for part in parts])
    body = b"".join(b"--%s\r\n%s\r\n" % (boundary.encode(), part) for part in parts)
    return f"multipart/form-data; boundary={boundary}", body + f"--{boundary}--\r\n".encode()


def _part(name: str, part: Part, env: Mapping[str, str], place: str) -> Callable[[Mapping[str, object]], bytes]:
    disposition = f'content-disposition: form-data; name="{_in_quotes(name)}"'
    if isinstance(part, Upload):
        text, filename = (filler(one, env, f"{place}.{name}") for one in part.templates)

        def upload(values: Mapping[str, object]) -> bytes:
            called = _in_quotes(as_text(filename(values)))
            head = f'{disposition}; filename="{called}"\r\ncontent-type: {part.type}\r\n\r\n'
            return (head + as_text(text(values))).encode(errors="replace")

        return upload
    fill = filler(part, env, f"{place}.{name}")
    return lambda values: f"{disposition}\r\n\r\n{as_text(fill(values))}".encode(errors="replace")


def _in_quotes(name: str) -> str:
    return quote(name, safe=" !#$&'()*+,-./:;<=>?@[]^_`{|}~")

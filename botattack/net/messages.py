"""What is sent and what comes: a call, the headers and cookies that go with it, and how people are shown them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import httpx
import msgspec
from msgspec.structs import replace as with_

from botattack.net.wire import Incoming, Route
from botattack.version import __version__

USER_AGENT = f"botattack/{__version__} (+robustness audit)"
_PRIVATE = frozenset({"authorization", "cookie", "proxy-authorization", "set-cookie"})
_OWN_HEADERS = (("user-agent", USER_AGENT), ("accept", "*/*"), ("accept-encoding", "gzip, deflate"))

Pairs = tuple[tuple[str, str], ...]


class Call(msgspec.Struct, frozen=True):
    """One request to make. Header names are lower case; they win over our own."""

    method: str
    url: str
    headers: Pairs = ()
    body: bytes = b""

    def redirected(self, status: int, url: httpx.URL) -> Call:
        """As browsers do: 307 and 308 keep method and body, the others turn into a GET."""
        if status in (307, 308) or self.method in ("GET", "HEAD"):
            return with_(self, url=str(url))
        kept = tuple(pair for pair in self.headers if not pair[0].startswith("content-"))
        return Call("GET", str(url), kept)


class Cookies:
    """The cookies of one conversation."""

    def __init__(self) -> None:
        self._jar: httpx.Cookies | None = None

    def given(self, call: Call, url: httpx.URL) -> Call:
        """A call with the cookies for its URL, unless it has its own."""
        if self._jar is None or any(name == "cookie" for name, _ in call.headers):
            return call
        request = httpx.Request(call.method, url)
        request.headers.encoding = "utf-8"
        self._jar.set_cookie_header(request)
        cookie = request.headers.get("cookie")
        return with_(call, headers=(*call.headers, ("cookie", cookie))) if cookie else call

    def take(self, call: Call, url: httpx.URL, reply: Incoming) -> None:
        if reply.header("set-cookie"):
            self._jar = self._jar or httpx.Cookies()
            response = httpx.Response(reply.status, headers=reply.headers, request=httpx.Request(call.method, url))
            self._jar.extract_cookies(response)

    def learn(self, others: Cookies) -> None:
        """Takes the cookies of a login over."""
        if others._jar is not None:
            self._jar = self._jar or httpx.Cookies()
            self._jar.update(others._jar)


def written(method: str, headers: Pairs, added: Pairs, length: int) -> dict[str, str]:
    """All headers of a request with a body of that length: those of its call win over ours and those of its route."""
    own = {name for name, _ in headers}
    found = joined((*(pair for pair in (*added, *_OWN_HEADERS) if pair[0] not in own), *headers))
    if length or method in ("PATCH", "POST", "PUT"):
        found.setdefault("content-type", "application/octet-stream")
    if length or method not in ("GET", "HEAD", "OPTIONS"):
        found["content-length"] = str(length)
    return found


def joined(headers: Pairs) -> dict[str, str]:
    """Headers by name; values of the same name as one."""
    found: dict[str, str] = {}
    for name, value in headers:
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


@lru_cache(256)
def head(method: str, target: str, headers: Pairs, added: Pairs, length: int) -> bytes:
    """What stands before a body. Most requests of a run have one of a few; raises ValueError where a part of it would
    end its line."""
    fields = written(method, headers, added, length)
    lines = (f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()))
    if any(mark in line for line in lines for mark in "\r\n\0"):
        raise ValueError("a line break or a NUL stands in its head")
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


def sent(call: Call, route: Route) -> str:
    """A request as people read it."""
    fields = written(call.method, call.headers, route.added, len(call.body))
    return _shown(f"{call.method} {route.url}", fields, call.body)


def came(reply: Incoming) -> str:
    """The head of a reply as people read it."""
    return _shown(f"HTTP {reply.status}", reply.headers)


def _shown(first: str, headers: Mapping[str, str], body: bytes = b"") -> str:
    """A message as people read it, without the values of headers that say who asks."""
    hidden = {name: f"[{len(headers[name])} characters]" for name in _PRIVATE & set(headers)}
    lines = [first, *(f"{name}: {hidden.get(name, value)}" for name, value in headers.items())]
    return "\n".join([*lines, *(["", body.decode("utf-8", "replace")] if body else [])])

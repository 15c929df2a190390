"""What is sent and what comes: a call, the headers and cookies that go with it, and how people are shown them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import httpx
import msgspec
from msgspec.structs import replace as with_

from botattack.version import __version__

if TYPE_CHECKING:
    import aiohttp

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
        """As browsers do: 303 turns into a GET, and so does a POST by 301 and 302; else method and body are kept. A
        DELETE that turned into a GET would look done."""
        if self.method in ("GET", "HEAD") or status not in ((301, 302, 303) if self.method == "POST" else (303,)):
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

    def take(self, call: Call, url: httpx.URL, reply: aiohttp.ClientResponse) -> None:
        if "set-cookie" in reply.headers:
            self._jar = self._jar or httpx.Cookies()
            response = httpx.Response(reply.status, headers=_headers(reply), request=httpx.Request(call.method, url))
            self._jar.extract_cookies(response)

    def learn(self, others: Cookies) -> None:
        """Takes the cookies of a login over."""
        if others._jar is not None:
            self._jar = self._jar or httpx.Cookies()
            self._jar.update(others._jar)


@lru_cache(256)
def fields(method: str, headers: Pairs, added: Pairs, has_body: bool) -> Pairs:
    """The headers that aiohttp is given for a request: those of its call win over ours and those of its route. Raises
    ValueError if one of them would end its line."""
    kind = (("content-type", "application/octet-stream"),) if has_body or method in ("PATCH", "POST", "PUT") else ()
    own = {name for name, _ in headers} | {"content-length"}
    ours = tuple(pair for pair in (*added, *_OWN_HEADERS, *kind) if pair[0] not in own)
    found = ours + tuple(pair for pair in headers if pair[0] != "content-length")
    text = "".join(part for pair in found for part in pair)
    text.encode()
    if any(mark in text for mark in "\r\n\0"):
        raise ValueError("its head contains a line break or a NUL")
    return found


def header(reply: aiohttp.ClientResponse, name: str) -> str:
    """Looked up in any case; empty if there is none."""
    return ", ".join(reply.headers.getall(name, ()))


def sent(request: aiohttp.ClientRequest) -> str:
    """A request as people read it."""
    headers = {name.lower(): value for name, value in request.headers.items()}
    return _shown(f"{request.method} {request.url}", headers, request.body.decode(errors="replace"))


def came(reply: aiohttp.ClientResponse) -> str:
    """The head of a reply as people read it."""
    return _shown(f"HTTP {reply.status}", _headers(reply))


def _headers(reply: aiohttp.ClientResponse) -> httpx.Headers:
    return httpx.Headers(list(reply.raw_headers), encoding="latin-1")


def _shown(first: str, headers: Mapping[str, str], body: str = "") -> str:
    """A message as people read it, without the values of headers that say who asks."""
    hidden = {name: f"[{len(headers[name])} characters]" for name in _PRIVATE & set(headers)}
    lines = [first, *(f"{name}: {hidden.get(name, value)}" for name, value in headers.items())]
    return "\n".join([*lines, *(["", body] if body else [])])

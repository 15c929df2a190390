"""What is sent and what comes: a call, the headers and cookies that go with it, and how people are shown them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import httpx
import msgspec
from msgspec.structs import replace as with_

from botattack import __version__

USER_AGENT = f"botattack/{__version__} (+robustness audit)"
_PRIVATE = frozenset({"authorization", "cookie", "proxy-authorization", "set-cookie"})
_OWN_HEADERS = (("user-agent", USER_AGENT), ("accept", "*/*"), ("accept-encoding", "gzip, deflate"))


class Call(msgspec.Struct, frozen=True):
    """One request to make. Header names are lower case; they win over our own."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = ()
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

    def give(self, request: httpx.Request) -> None:
        if self._jar is not None:
            self._jar.set_cookie_header(request)

    def take(self, response: httpx.Response) -> None:
        if "set-cookie" in response.headers:
            self._jar = self._jar or httpx.Cookies()
            self._jar.extract_cookies(response)

    def learn(self, others: Cookies) -> None:
        """Takes the cookies of a login over."""
        if others._jar is not None:
            self._jar = self._jar or httpx.Cookies()
            self._jar.update(others._jar)


def sent(request: httpx.Request) -> str:
    """A request as people read it, with the headers that aiohttp adds."""
    head = {"host": request.url.netloc.decode(), **request.headers}
    if request.content or request.method not in ("GET", "HEAD", "OPTIONS"):
        head["content-length"] = str(len(request.content))
    if request.content or request.method in ("PATCH", "POST", "PUT"):
        head.setdefault("content-type", "application/octet-stream")
    return _shown(f"{request.method} {request.url}", head, request.content)


def came(response: httpx.Response) -> str:
    """The head of a reply as people read it."""
    return _shown(f"HTTP {response.status_code}", response.headers)


def _shown(first: str, headers: Mapping[str, str], body: bytes = b"") -> str:
    """A message as people read it, without the values of headers that say who asks."""
    hidden = {name: f"[{len(headers[name])} characters]" for name in _PRIVATE & set(headers)}
    lines = [first, *(f"{name}: {hidden.get(name, value)}" for name, value in headers.items())]
    return "\n".join([*lines, *(["", body.decode("utf-8", "replace")] if body else [])])


def headers_of(pairs: Iterable[tuple[str, str]]) -> httpx.Headers:
    return httpx.Headers([(name.encode(), value.encode()) for name, value in pairs])


@lru_cache(64)
def all_headers(pairs: tuple[tuple[str, str], ...]) -> httpx.Headers:
    """Those of a call after our own, which they win over; most calls of a run have the same."""
    names = {name for name, _ in pairs}
    return headers_of((*(pair for pair in _OWN_HEADERS if pair[0] not in names), *pairs))

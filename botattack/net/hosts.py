"""Which hosts a request may go to, and what TLS files are shown and trusted on the way."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import unquote

import httpx

from botattack.errors import reason

WEB = ("http", "https")


@dataclass(frozen=True)
class Tls:
    """PEM files: `ca` is trusted beside the system's and certifi's; `cert` and `key` are shown to the bot (mutual
    TLS)."""

    ca: str = ""
    cert: str = ""
    key: str = ""

    def load(self, context: ssl.SSLContext) -> None:
        """Raises ValueError, in a sentence, where a file cannot be used."""
        context.load_default_certs()
        with suppress(ImportError):
            import certifi

            context.load_verify_locations(certifi.where())
        if self.ca:
            with _used(self.ca):
                context.load_verify_locations(self.ca)
        if self.cert:
            with _used(self.cert):
                context.load_cert_chain(self.cert, self.key or None)


@contextmanager
def _used(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = reason(error) if isinstance(error, FileNotFoundError) else "it contains no usable PEM"
        raise ValueError(f"{name} cannot be used: {why}") from None


def _origin(scheme: str, host: str, port: int | None) -> str:
    return f"{scheme}://{host}:{port or (443 if scheme == 'https' else 80)}"


@dataclass(frozen=True)
class Hosts:
    """Where requests may go. A URL names its own origin and the step up from http to https; `HOST` or `HOST:PORT`
    name both schemes."""

    entries: frozenset[str]

    @classmethod
    def of(cls, urls: Iterable[str], extra: Iterable[str] = ()) -> Hosts:
        """Raises ValueError if one is not an http, https, ws or wss URL with a host and without credentials."""
        entries = {entry for url in urls for entry in _named(url)}
        for host in extra:
            name, port = re.fullmatch(r"(\[.*\]|[^:]*|.*:.*:.*?)(?::(\d+))?", host.lower(), re.DOTALL).groups()  # type: ignore[union-attr]
            name = name.strip("[]")
            entries |= {_origin(scheme, name, int(port)) for scheme in WEB} if port else {name}
        return cls(frozenset(entries))

    def allow(self, url: httpx.URL) -> bool:
        """Raises UnicodeError if the name of its host is none."""
        scheme, host = _web(url.scheme), url.host
        return scheme in WEB and (host in self.entries or _origin(scheme, host, url.port) in self.entries)

    def __str__(self) -> str:
        return ", ".join(sorted({re.sub(r"^https?://|:(80|443)$", "", entry) for entry in self.entries}))


def in_parts(text: str) -> tuple[bool, str, int, str]:
    """Whether a URL is asked over TLS, its host, its port, and the rest: the same for every spelling of it. Raises
    ValueError."""
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL as error:
        raise ValueError(str(error)) from None
    secure = _web(url.scheme) == "https"
    return secure, url.host, url.port or (443 if secure else 80), unquote(url.raw_path.decode())


def _web(scheme: str) -> str:
    return {"ws": "http", "wss": "https"}.get(scheme, scheme)


def _named(text: str) -> Iterator[str]:
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL as error:
        raise ValueError(f"{text!r} is not a URL: {error}") from None
    scheme = _web(url.scheme)
    if scheme not in WEB or not url.host:
        raise ValueError(f"{text!r} is not a URL that starts with http:// or https:// and names a host")
    if url.userinfo:
        raise ValueError("a URL must not contain a user name or password; put them under auth")
    yield _origin(scheme, url.host, url.port)
    if scheme == "http":
        yield _origin("https", url.host, url.port if url.port not in (None, 80) else None)

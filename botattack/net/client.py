"""The client: a request leaves only to a host that was named, is never sent twice by itself, asks its `Pace` for leave
each time (redirect hops too), and comes back as a bounded `Response` or as the right `TargetError`.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cached_property, lru_cache

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from botattack.addresses import is_here
from botattack.errors import (
    BrokenReply,
    HostRefused,
    RateLimited,
    RequestRefused,
    TargetError,
)
from botattack.net.faults import ERRORS, Elsewhere, told_apart
from botattack.net.hosts import Hosts, Tls
from botattack.net.messages import USER_AGENT, Call, Cookies, all_headers, came, headers_of, sent
from botattack.net.response import Response
from botattack.net.socket import Socket
from botattack.net.statuses import refusal
from botattack.protocols import Pace, Tell

MAX_BODY = 1_000_000
"""Bytes of a body, after decompression."""
MAX_HOPS = 5
CONNECT_SECONDS = 10.0
# Servers drop idle connections after 5 s or more; letting go first avoids requests that die unanswered.
IDLE_SECONDS = 4.0
_LIMITS = {"timeout": {"connect": CONNECT_SECONDS}}


class Exchange:
    """`async with` gives the reply to one call. A class, for an asynchronous generator costs a tenth of an asking."""

    def __init__(self, client: Client, call: Call, pace: Pace, cookies: Cookies | None) -> None:
        self._client = client
        self._asked = (call, pace, cookies)

    async def __aenter__(self) -> Response:
        client = self._client
        self._response, where = await client._followed(*self._asked)
        return Response(self._response, where, client._max_body, client.tell)

    async def __aexit__(self, *error: object) -> None:
        await _let_go(self._response)


async def _let_go(response: httpx.Response) -> None:
    """Gives its connection back, or closes it where the body was not read."""
    with suppress(*ERRORS):
        await response.stream.aclose()  # type: ignore[union-attr]


class Client:
    """A pool of connections for one target, bound to the event loop that first uses it.

    `proxy` is a URL; no proxy is taken from the environment. `clock` gives the wall time, for Retry-After dates.
    The caller bounds the time of a request with asyncio.timeout; only connecting has a bound of its own.
    """

    def __init__(
        self,
        hosts: Hosts,
        *,
        tls: Tls | None = None,
        proxy: str = "",
        max_body: int = MAX_BODY,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._hosts = hosts
        self._proxy = httpx.Proxy(proxy) if proxy else None
        self._max_body = max_body
        self._clock = clock
        self._checked = lru_cache(1024)(self._looked_at)
        self._tls = tls or Tls()
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._session: aiohttp.ClientSession | None = None
        self.tell: Tell | None = None
        self.here = False
        """Whether only loopback addresses may be connected to. To be set before the first call."""

    @cached_property
    def _encrypted(self) -> None:
        """Loads the authorities on the first https request; it takes 30 ms, and most bots on loopback need none."""
        self._tls.load(self._context)

    @cached_property
    def _connector(self) -> aiohttp.TCPConnector:
        made = _socket_here if self.here else None
        return aiohttp.TCPConnector(limit=0, keepalive_timeout=IDLE_SECONDS, ssl=self._context, socket_factory=made)

    @cached_property
    def _transport(self) -> AiohttpTransport:
        self._session = aiohttp.ClientSession(connector=self._connector, cookie_jar=aiohttp.DummyCookieJar())
        # aiohttp would silently send a GET again on a connection that the server has closed.
        self._session._retry_connection = False
        return AiohttpTransport(verify=self._context, trust_env=False, client=self._session, proxy=self._proxy)

    def open(self, call: Call, pace: Pace, cookies: Cookies | None = None) -> Exchange:
        """Sends a call, follows redirects on the same host, and gives the 2xx reply with its body still to be read.

        Raises HostRefused, Unreachable, BrokenReply, RateLimited (the pace is already shut), ServerFailed or
        RequestRefused; what `pace.leave` raises passes through.
        """
        return Exchange(self, call, pace, cookies)

    async def _followed(self, call: Call, pace: Pace, cookies: Cookies | None) -> tuple[httpx.Response, str]:
        """The 2xx reply, and the host that gave it."""
        for _ in range(MAX_HOPS + 1):
            url, where = self._checked(call.url)
            await pace.leave()
            response = await self._send(call, url, where, cookies)
            if response.status_code < 300:
                return response, where
            try:
                call = call.redirected(response.status_code, await self._next_hop(response, url, pace))
            finally:
                await _let_go(response)
        raise BrokenReply(f"{url.host} redirects more than {MAX_HOPS} times")

    async def fetch(self, call: Call, pace: Pace, cookies: Cookies | None = None) -> tuple[Response, bytes]:
        """`open` and the whole body."""
        async with self.open(call, pace, cookies) as response:
            return response, await response.read()

    @asynccontextmanager
    async def socket(self, call: Call, pace: Pace, cookies: Cookies | None = None) -> AsyncIterator[Socket]:
        """A WebSocket, opened with the URL and headers of a call; raises what `open` raises. Redirects are refused.

        Closing waits at most a second for the bot's own goodbye.
        """
        url, where = self._checked(call.url)
        request = httpx.Request("GET", url, headers=headers_of(call.headers))
        if cookies is not None:
            cookies.give(request)
        session = aiohttp.ClientSession(
            connector=self._connector,
            connector_owner=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
            middlewares=(self._handshake(where, pace),),
        )
        headers = {
            "user-agent": USER_AGENT,
            **{name: value for name, value in request.headers.items() if name != "host"},
        }
        proxy = str(self._proxy.url) if self._proxy else None
        closing = aiohttp.ClientWSTimeout(ws_close=1.0)
        await pace.leave()
        async with session:
            with told_apart(where):
                socket = await session.ws_connect(
                    str(url), headers=headers, max_msg_size=self._max_body, timeout=closing, proxy=proxy
                )
            try:
                yield Socket(socket, where, pace, self.tell)
            finally:
                await socket.close()

    def _handshake(self, where: str, pace: Pace) -> aiohttp.ClientMiddlewareType:
        """Refuses redirects, which aiohttp would follow to any host, and tells failures as for requests."""

        async def middleware(request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
            response = await send(request)
            if response.status == 101:
                return response
            headers = {name.lower(): value for name, value in response.headers.items()}
            response.close()
            if 300 <= response.status < 400:
                raise HostRefused(f"{where} redirects its WebSocket, which is not followed", status=response.status)
            raise refusal(response.status, headers, where, pace, self._clock)

        return middleware

    @staticmethod
    def no_cookies() -> Cookies:
        """For a conversation that begins."""
        return Cookies()

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
        if "_connector" in self.__dict__:
            await self._connector.close()

    def _looked_at(self, text: str) -> tuple[httpx.URL, str]:
        """A URL that may be asked, and its host; raises what `open` raises of one that may not."""
        try:
            url = httpx.URL(text)
        except httpx.InvalidURL as error:
            raise RequestRefused(f"{text[:200]!r} is not a URL: {error}", delivered=False) from None
        if not self._hosts.allow(url):
            name = url.netloc.decode("ascii", "replace") or text[:200]
            raise HostRefused(f"{name} is not named in the target file, only {self._hosts}", delivered=False)
        if self.here and self._proxy and not is_here(url.host):
            sentence = f"a proxy may take {url.host} for any machine; name an address, or add consent for that host"
            raise HostRefused(sentence, delivered=False)
        if url.scheme in ("https", "wss"):
            self._encrypted  # noqa: B018 - loads once
        return url, url.netloc.decode()

    async def _send(self, call: Call, url: httpx.URL, where: str, cookies: Cookies | None) -> httpx.Response:
        # Given as a stream, httpx leaves host and length to aiohttp: both would write them.
        body = httpx.ByteStream(call.body)
        request = httpx.Request(call.method, url, headers=all_headers(call.headers), stream=body, extensions=_LIMITS)
        request.read()
        request.headers.encoding = "utf-8"  # else httpx tries encodings at each look
        if cookies is not None:
            cookies.give(request)
        if self.tell is not None:
            self.tell("sent", sent(request))
        with told_apart(where):
            try:
                response = await self._transport.handle_async_request(request)
            except ValueError as error:  # aiohttp's word on a line break in a header
                raise RequestRefused(f"this request cannot be sent to {where}: {error}", delivered=False) from error
        response.headers.encoding = "latin-1"
        if self.tell is not None:
            self.tell("came", came(response))
        if cookies is not None:
            cookies.take(response)
        return response

    async def _next_hop(self, response: httpx.Response, url: httpx.URL, pace: Pace) -> httpx.URL:
        status = response.status_code
        if status not in (301, 302, 303, 307, 308) or "location" not in response.headers:
            where = url.netloc.decode()
            # The pace is shut before anything more is read.
            failure = refusal(status, response.headers, where, pace, self._clock)
            said = "" if isinstance(failure, RateLimited) else await self._excerpt(response, where)
            failure.args = (f"{failure}{said}",)
            raise failure
        try:
            hop = url.join(response.headers["location"])
        except (httpx.InvalidURL, ValueError):
            raise BrokenReply(f"{url.host} redirects to something that is not a URL", status=status) from None
        if hop.host != url.host or hop.userinfo or not self._hosts.allow(hop):
            name = hop.netloc.decode("ascii", "replace")
            raise HostRefused(
                f"{url.netloc.decode()} redirects to {name}, which the target file does not name", status=status
            )
        return hop

    async def _excerpt(self, response: httpx.Response, where: str) -> str:
        """The start of an error page, on one line; what has not come by then is not waited for long."""
        said = b""
        with suppress(TargetError, TimeoutError):
            async with asyncio.timeout(1.0):
                async for piece in Response(response, where, self._max_body).pieces():
                    said += piece
        text = " ".join("".join(c if c.isprintable() else " " for c in said[:2000].decode("utf-8", "replace")).split())
        return f": {text[:200]}" if text else ""


def _socket_here(found: aiohttp.AddrInfoType) -> socket.socket:
    """A socket for an address that is this machine's; raises Elsewhere."""
    family, kind, protocol, _, where = found
    if not is_here(str(where[0])):
        raise Elsewhere(str(where[0]))
    return socket.socket(family=family, type=kind, proto=protocol)

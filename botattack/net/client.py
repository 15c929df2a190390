"""The client: a request leaves only to a host that was named, is never sent twice by itself, asks its `Pace` for leave
each time (redirect hops too), and comes back as a bounded `Response` or as the right `TargetError`.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cached_property, lru_cache
from typing import Any

import aiohttp
import httpx

from botattack.addresses import is_here
from botattack.closing import in_time
from botattack.errors import BrokenReply, HostRefused, RateLimited, RequestRefused, TargetError
from botattack.net.connections import CONNECTING, Connections, Route, let_go
from botattack.net.faults import refusal, told_apart
from botattack.net.hosts import Hosts, Tls
from botattack.net.messages import Call, Cookies, Pairs, came, fields, header, sent
from botattack.net.response import Response
from botattack.net.socket import Socket
from botattack.protocols import Pace, Tell

MAX_BODY = 1_000_000
"""Bytes of a body, after decompression."""
MAX_HOPS = 5
LAST_PORT = 65_535
GOODBYE_SECONDS = 1.0
"""How long a bot may take to answer that a WebSocket is closed."""


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
        self.tell: Tell | None = None
        self.sets_cookies = False
        """Whether any reply set a cookie."""
        self.here = False
        """Whether only loopback addresses may be connected to. To be set before the first call."""

    @cached_property
    def _encrypted(self) -> None:
        """Loads the authorities on the first https request; it takes 30 ms, and most bots on loopback need none."""
        self._tls.load(self._context)

    @cached_property
    def _connections(self) -> Connections:
        return Connections(self._context, self.here)

    @cached_property
    def _session(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=self._connections,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=CONNECTING,
            auto_decompress=False,
            middlewares=(self._sent_once,),
        )

    @asynccontextmanager
    async def open(self, call: Call, pace: Pace, cookies: Cookies | None = None) -> AsyncIterator[Response]:
        """Sends a call, follows redirects on the same host, and gives the 2xx reply with its body still to be read.

        Raises HostRefused, Unreachable, BrokenReply, RateLimited (the pace is already shut), ServerFailed or
        RequestRefused; what `pace.leave` raises passes through.
        """
        reply, route = await self._followed(call, pace, cookies)
        try:
            yield Response(reply, route, self._max_body, self.tell)
        finally:
            let_go(reply)

    async def _followed(self, call: Call, pace: Pace, cookies: Cookies | None) -> tuple[aiohttp.ClientResponse, Route]:
        """The 2xx reply, and where it came from."""
        for _ in range(MAX_HOPS + 1):
            route = self._checked(call.url)
            await pace.leave()
            reply = await self._send(call, route, cookies)
            if 200 <= reply.status < 300:
                return reply, route
            try:
                call = call.redirected(reply.status, await self._next_hop(reply, route, pace))
            finally:
                let_go(reply)
        raise BrokenReply(f"{route.url.host} redirects more than {MAX_HOPS} times")

    async def fetch(self, call: Call, pace: Pace, cookies: Cookies | None = None) -> tuple[Response, bytes]:
        """`open` and the whole body."""
        async with self.open(call, pace, cookies) as response:
            return response, await response.read()

    @asynccontextmanager
    async def socket(self, call: Call, pace: Pace, cookies: Cookies | None = None) -> AsyncIterator[Socket]:
        """A WebSocket, opened with the URL and headers of a call; raises what `open` raises. Redirects are refused.

        Closing waits at most GOODBYE_SECONDS for the bot's own goodbye, then aborts the connection.
        """
        route = self._checked(call.url)
        where = route.where
        if cookies is not None:
            call = cookies.given(call, route.url)
        opened: list[asyncio.WriteTransport] = []
        session = aiohttp.ClientSession(
            connector=self._connections,
            connector_owner=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=CONNECTING,
            middlewares=(self._handshake(where, pace, opened.append),),
        )
        headers = self._fields(call, route)
        await pace.leave()
        async with session:
            with told_apart(where):
                socket = await session.ws_connect(
                    route.asked, headers=headers, max_msg_size=self._max_body, **self._by_proxy(route)
                )
            try:
                yield Socket(socket, where, pace, self.tell)
            finally:
                await in_time(socket.close(), GOODBYE_SECONDS, opened[0].abort)

    def _handshake(
        self, where: str, pace: Pace, opened: Callable[[asyncio.WriteTransport], None]
    ) -> aiohttp.ClientMiddlewareType:
        """Refuses redirects, which aiohttp would follow to any host, and tells failures as for requests; `opened` is
        given the connection."""

        async def middleware(request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
            with told_apart(where):
                response = await send(request)
            if response.status == 101:
                if response.connection is None or response.connection.transport is None:
                    raise aiohttp.ServerDisconnectedError
                opened(response.connection.transport)
                return response
            let_go(response)
            if 300 <= response.status < 400:
                raise HostRefused(f"{where} redirects its WebSocket, which is not followed", status=response.status)
            raise refusal(response.status, response.headers, where, pace, self._clock)

        return middleware

    @staticmethod
    def no_cookies() -> Cookies:
        """An empty cookie jar for a new conversation."""
        return Cookies()

    async def close(self) -> None:
        if "_connections" in self.__dict__:
            await in_time(self._connections.close())

    def _looked_at(self, text: str) -> Route:
        """A URL that may be asked, and the way there; raises what `open` raises of one that may not."""
        try:
            url = httpx.URL(text)
            allowed = self._hosts.allow(url)
        except (httpx.InvalidURL, UnicodeError) as error:
            raise RequestRefused("this is not a URL", said=f"{text} ({error})", delivered=False) from None
        if not allowed:
            sentence = f"the target file names only {self._hosts}, not this host"
            raise HostRefused(sentence, said=url.netloc.decode("ascii", "replace") or text, delivered=False)
        if self.here and self._proxy and not is_here(url.host):
            sentence = f"a proxy may take {url.host} for any machine; name an address, or add consent for that host"
            raise HostRefused(sentence, delivered=False)
        if url.scheme in ("https", "wss"):
            self._encrypted  # noqa: B018 - loads once
        try:
            return self._route(url)
        except ValueError as error:
            raise RequestRefused("this URL cannot be asked", said=f"{text} ({error})", delivered=False) from None

    def _route(self, url: httpx.URL) -> Route:
        if (url.port or 0) > LAST_PORT:
            raise ValueError(f"no port is above {LAST_PORT}")
        added: Pairs = (("authorization", _basic(url.username, url.password)),) if url.userinfo else ()
        # Inside a tunnel the bot would read what is meant for the proxy.
        if self._proxy and url.scheme in ("http", "ws"):
            added += _signed(self._proxy)
        return Route(url, url.netloc.decode(), str(url.copy_with(userinfo=b"")), added)

    def _by_proxy(self, route: Route) -> dict[str, Any]:
        if not self._proxy:
            return {}
        # aiohttp adds the host itself if it is missing, but then finds none of its connections again.
        headers = {"Host": route.where, **dict(_signed(self._proxy))}
        return {"proxy": str(self._proxy.url), "proxy_headers": headers}

    async def _send(self, call: Call, route: Route, cookies: Cookies | None) -> aiohttp.ClientResponse:
        if cookies is not None:
            call = cookies.given(call, route.url)
        headers, body, way = self._fields(call, route), call.body or None, self._by_proxy(route)
        reply = await self._session.request(
            call.method, route.asked, headers=headers, data=body, allow_redirects=False, **way
        )
        if self.tell is not None:
            self.tell("came", came(reply))
        self.sets_cookies = self.sets_cookies or "set-cookie" in reply.headers
        if reply.status == 101:
            let_go(reply)
            raise BrokenReply(f"{route.where} switches to another protocol, which nobody asked for")
        if cookies is not None:
            cookies.take(call, route.url, reply)
        return reply

    @staticmethod
    def _fields(call: Call, route: Route) -> Pairs:
        try:
            return fields(call.method, call.headers, route.added, bool(call.body))
        except ValueError as error:
            raise RequestRefused(f"this request cannot be sent to {route.where}: {error}", delivered=False) from error

    async def _sent_once(
        self, request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        """A middleware that raises the right TargetError: after some errors of its own, aiohttp would send again."""
        if self.tell is not None:
            self.tell("sent", sent(request))
        with told_apart(request.url.raw_authority):
            return await send(request)

    async def _next_hop(self, reply: aiohttp.ClientResponse, route: Route, pace: Pace) -> httpx.URL:
        status, url = reply.status, route.url
        if status not in (301, 302, 303, 307, 308) or not (location := header(reply, "location")):
            # The pace is shut before anything more is read.
            failure = refusal(status, reply.headers, route.where, pace, self._clock)
            if not isinstance(failure, RateLimited):
                failure.said = await self._page(reply, route)
            raise failure
        try:
            hop = url.join(location)
            allowed = hop.host == url.host and not hop.userinfo and self._hosts.allow(hop)
        except (httpx.InvalidURL, ValueError):
            raise BrokenReply(f"{url.host} redirects to something that is not a URL", status=status) from None
        if not allowed:
            name = hop.netloc.decode("ascii", "replace")
            sentence = f"{route.where} redirects to a host that the target file does not name"
            raise HostRefused(sentence, said=name, status=status)
        return hop

    async def _page(self, reply: aiohttp.ClientResponse, route: Route) -> str:
        """An error page; what has not come by then is not waited for long."""
        said = b""
        with suppress(TargetError, TimeoutError):
            async with asyncio.timeout(1.0):
                async for piece in Response(reply, route, self._max_body).pieces():
                    said += piece
        return said.decode(errors="replace")


def _basic(user: str, password: str) -> str:
    return "Basic " + b64encode(f"{user}:{password}".encode("latin-1")).decode()


def _signed(proxy: httpx.Proxy) -> tuple[tuple[str, str], ...]:
    """The header that tells a proxy who asks."""
    return (("proxy-authorization", _basic(*proxy.auth)),) if proxy.auth else ()

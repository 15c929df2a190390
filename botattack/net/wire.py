"""One exchange over a connection of aiohttp's pool. aiohttp connects, encrypts, goes through proxies and parses; its
session around that costs more than all of it, for what no bot needs: a task to write with, headers made thrice.
"""

from __future__ import annotations

from typing import NamedTuple

import aiohttp
import httpx
from aiohttp.connector import Connection
from aiohttp.http import RawResponseMessage
from aiohttp.streams import StreamReader

from botattack.errors import BrokenReply, Unreachable

CONNECT_SECONDS = 10.0
MOST_STALE = 8
"""Connections, one after the other, that may be found unusable before one request."""
_CONNECTING = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS)


class Route(NamedTuple):
    """Where a URL leads."""

    url: httpx.URL
    where: str
    """Its host and port, as people read them."""
    target: str
    """What of it stands in the first line of a request."""
    added: tuple[tuple[str, str], ...]
    """Headers that come of the URL and the way there: the host, and who asks."""
    asks: aiohttp.ClientRequest
    """What the connector is asked for a connection with."""


class Incoming:
    """A reply whose head has come. Its connection goes back to the pool once all of its body has come."""

    def __init__(self, connection: Connection, head: RawResponseMessage, body: StreamReader) -> None:
        self._connection = connection
        self._head = head
        self.status = head.code
        self.body = body
        body.on_eof(self._came)

    def header(self, name: str) -> str:
        """Looked up in any case; empty where there is none."""
        headers = self._head.headers
        return ", ".join(headers.getall(name)) if name in headers else ""

    @property
    def headers(self) -> httpx.Headers:
        return httpx.Headers(list(self._head.raw_headers), encoding="latin-1")

    def _came(self) -> None:
        transport = self._connection.transport
        if transport is not None and transport.get_write_buffer_size():
            # It answered before it had heard everything: the rest would stand before the next request.
            _drop(self._connection)
        else:
            self._connection.release()

    def let_go(self) -> None:
        """Ends the connection if the body has not come. The bot may not read either, and would hold up a mere close."""
        _drop(self._connection)


async def exchange(connector: aiohttp.BaseConnector, route: Route, message: bytes, *, bare: bool) -> Incoming:
    """Sends a message once and reads the head of its reply, which is `bare` where no body follows. Raises what aiohttp
    raises, and TargetError of a server that keeps to no order."""
    connection = await _connected(connector, route)
    try:
        protocol, transport = connection.protocol, connection.transport
        if protocol is None or transport is None or transport.is_closing():
            raise aiohttp.ServerDisconnectedError
        protocol.set_response_params(skip_payload=bare, read_until_eof=True, auto_decompress=False)
        transport.write(message)
        head, body = await protocol.read()
        while 100 <= head.code < 200:
            if head.code == 101:
                raise BrokenReply(f"{route.where} switches to another protocol, which nobody asked for")
            head, body = await protocol.read()
    except BaseException:
        _drop(connection)
        raise
    return Incoming(connection, head, body)


async def _connected(connector: aiohttp.BaseConnector, route: Route) -> Connection:
    """A connection on which nothing waits to be read: the next reply would be taken for it."""
    for _ in range(MOST_STALE):
        try:
            connection = await connector.connect(route.asks, [], _CONNECTING)
        except TimeoutError as error:
            raise aiohttp.ConnectionTimeoutError(f"no connection to {route.where} in time") from error
        protocol = connection.protocol
        if protocol is None or not protocol.is_connected() or not protocol.should_close:
            return connection
        _drop(connection)
    raise Unreachable(f"{route.where} speaks before it is asked", delivered=False)


def _drop(connection: Connection) -> None:
    """At once, for a server that does not read would hold on to what was not sent yet."""
    if connection.transport is not None:
        connection.transport.abort()
    connection.close()

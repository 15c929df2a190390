"""The pool of connections: each is given back only if the next request can be sure of it."""

from __future__ import annotations

import asyncio
import socket
import ssl
from functools import partial
from typing import NamedTuple

import aiohttp
import httpx
from aiohttp.connector import Connection
from aiohttp.tracing import Trace

from botattack.addresses import is_here
from botattack.errors import Unreachable
from botattack.net.faults import Elsewhere

CONNECTING = aiohttp.ClientTimeout(total=None, sock_connect=10.0)
"""Whoever asks bounds the time of a whole request; this one bounds connecting."""
# Servers drop idle connections after 5 s or more; letting go first avoids requests that die unanswered.
IDLE_SECONDS = 4.0
MOST_STALE = 8
"""Connections, one after the other, that may be found unusable before one request."""


class Route(NamedTuple):
    """Where a URL leads."""

    url: httpx.URL
    where: str
    """Its host and port, as people read them."""
    asked: str
    """What aiohttp is asked for: without credentials."""
    added: tuple[tuple[str, str], ...]
    """Headers that come of the URL and the way there: who asks."""


class Connections(aiohttp.TCPConnector):
    """With `here`, connects to loopback addresses alone."""

    def __init__(self, context: ssl.SSLContext, here: bool) -> None:
        made = _socket_here if here else None
        super().__init__(limit=0, keepalive_timeout=IDLE_SECONDS, ssl=context, socket_factory=made)

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - aiohttp's own name
    ) -> Connection:
        """A connection on which nothing waits to be read: the next reply would be taken for it. aiohttp looks for that
        only when a connection is given back."""
        for _ in range(MOST_STALE):
            connection = await super().connect(req, traces, timeout)
            protocol, transport = connection.protocol, connection.transport
            if protocol is not None and transport is not None and not protocol.should_close:
                connection.add_callback(partial(_cut, transport))
                return connection
            connection.close()
        raise Unreachable(f"{req.url.raw_authority} speaks before it is asked", delivered=False)


def _cut(transport: asyncio.Transport) -> None:
    """Ends a connection that is given back before all was sent. A bot that does not read would hold up a mere close,
    and one that answers early would get the rest before the next request."""
    if transport.get_write_buffer_size():
        transport.abort()


def let_go(reply: aiohttp.ClientResponse) -> None:
    """Ends the connection of a reply whose body has not come."""
    if reply.connection is not None and reply.connection.transport is not None:
        reply.connection.transport.abort()
    reply.close()


def _socket_here(found: aiohttp.AddrInfoType) -> socket.socket:
    """A socket for an address that is this machine's; raises Elsewhere."""
    family, kind, protocol, _, where = found
    if not is_here(str(where[0])):
        raise Elsewhere(str(where[0]))
    return socket.socket(family=family, type=kind, proto=protocol)

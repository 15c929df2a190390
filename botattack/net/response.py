"""What came back: a head, and a body that is read bounded."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterator

import aiohttp

from botattack.errors import BrokenReply, ExtractionFailed
from botattack.net.connections import Route
from botattack.net.faults import told_apart
from botattack.net.messages import header
from botattack.protocols import Tell

_GZIP = 0x1F
"""The first byte of a member."""
_AROUND = 18
"""Bytes of a member around what it holds."""


class Response:
    """A 2xx reply whose body has not been read yet."""

    def __init__(self, incoming: aiohttp.ClientResponse, route: Route, max_body: int, tell: Tell | None = None) -> None:
        self._incoming = incoming
        self._route = route
        self._max = max_body
        self._tell = tell
        self.status = incoming.status

    def header(self, name: str) -> str:
        """Looked up in any case; empty if there is none."""
        return header(self._incoming, name)

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body as it comes, decompressed; raises ExtractionFailed past the cap, BrokenReply where it breaks
        off."""
        body, inflate = self._incoming.content, _Inflate(self.header("content-encoding"), self._max, self._route.where)
        with told_apart(self._route.where):
            while piece := await body.readany():
                plain = inflate(piece)
                if self._tell is not None:
                    self._tell("body", plain.decode(errors="replace"))
                yield plain
        inflate.end()

    async def read(self) -> bytes:
        """The whole of `pieces`."""
        return b"".join([piece async for piece in self.pieces()])


class _Inflate:
    """Decompresses without ever holding more than the cap. aiohttp's own takes a gzip that was cut short for whole."""

    def __init__(self, encoding: str, cap: int, where: str) -> None:
        self._room, self._cap, self._where = cap, cap, where
        encoding = encoding.strip().lower()
        if encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise BrokenReply(f"the reply of {where} is compressed in a way that was not asked for", said=encoding)
        self._packed, self._bare = encoding not in ("", "identity"), encoding == "deflate"
        self._member: zlib._Decompress | None = None
        self._over = False

    def __call__(self, piece: bytes) -> bytes:
        if self._packed:
            return b"".join(self._plain(piece))
        self._spend(len(piece))
        return piece

    def _plain(self, piece: bytes) -> Iterator[bytes]:
        """Of one member after the other, as gzip allows; what follows the last of them is no part of the reply."""
        while piece:
            self._over |= self._member is not None and self._member.eof and piece[0] != _GZIP
            if self._over:
                return self._spend(len(piece))
            if self._member is None or self._member.eof:
                # An endless row of empty members comes to an end, too.
                self._spend(0 if self._member is None else _AROUND)
                self._member = zlib.decompressobj(self._window(piece[0]))
            plain = self._member.decompress(piece, self._room + 1)
            self._spend(len(plain))
            yield plain
            piece = self._member.unused_data

    def _window(self, first: int) -> int:
        """Some servers send what they call deflate without the head of zlib, or with that of gzip."""
        bare = self._bare and first & 15 != zlib.DEFLATED and first != _GZIP
        return -zlib.MAX_WBITS if bare else zlib.MAX_WBITS | 32

    def _spend(self, size: int) -> None:
        self._room -= size
        if self._room < 0:
            said = f"the reply of {self._where} is longer than {self._cap:,} bytes, the most that max_body allows"
            raise ExtractionFailed(said, delivered=True)

    def end(self) -> None:
        if self._member is not None and not self._member.eof:
            raise BrokenReply(f"the compressed reply of {self._where} was cut short")

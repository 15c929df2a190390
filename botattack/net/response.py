"""What came back: a head, and a body that is read bounded."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator

from botattack.errors import BrokenReply
from botattack.net.faults import told_apart
from botattack.net.wire import Incoming, Route
from botattack.protocols import Tell


class Response:
    """A 2xx reply whose body has not been read yet."""

    def __init__(self, incoming: Incoming, route: Route, max_body: int, tell: Tell | None = None) -> None:
        self._incoming = incoming
        self._route = route
        self._max = max_body
        self._tell = tell
        self.status = incoming.status

    def header(self, name: str) -> str:
        """Looked up in any case; empty where there is none."""
        return self._incoming.header(name)

    @property
    def url(self) -> str:
        return str(self._route.url)

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body as it comes, decompressed; raises BrokenReply past the cap or where it breaks off."""
        inflate, body = self._inflate(), self._incoming.body
        with told_apart(self._route.where):
            while not body.at_eof():
                if piece := await body.readany():
                    yield self._plain(piece, inflate)
        inflate.end()

    async def read(self) -> bytes:
        """The whole of `pieces`; without them, for they cost more than the reading."""
        inflate, body, whole = self._inflate(), self._incoming.body, list[bytes]()
        with told_apart(self._route.where):
            while not body.at_eof():
                if piece := await body.readany():
                    whole.append(self._plain(piece, inflate))
        inflate.end()
        return b"".join(whole)

    def _inflate(self) -> _Inflate:
        return _Inflate(self.header("content-encoding"), self._max, self._route.where)

    def _plain(self, piece: bytes, inflate: _Inflate) -> bytes:
        plain = inflate(piece)
        if self._tell is not None:
            self._tell("body", plain.decode("utf-8", "replace"))
        return plain


class _Inflate:
    """Decompresses without ever holding more than the cap."""

    def __init__(self, encoding: str, cap: int, where: str) -> None:
        self._room, self._cap, self._where = cap, cap, where
        encoding = encoding.strip().lower()
        if encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise BrokenReply(f"the reply of {where} is compressed as {encoding[:20]!r}, which was not asked for")
        self._zlib = zlib.decompressobj(zlib.MAX_WBITS | 32) if encoding not in ("", "identity") else None
        self._begun = False

    def __call__(self, piece: bytes) -> bytes:
        if self._zlib is not None:
            self._begun = True
            if self._zlib.eof:
                # It would keep what follows the end, which nobody reads, for good.
                self._room -= len(piece)
                piece = b""
            else:
                piece = self._zlib.decompress(piece, self._room + 1)
        self._room -= len(piece)
        if self._room < 0:
            raise BrokenReply(f"the reply of {self._where} is longer than {self._cap:,} bytes")
        return piece

    def end(self) -> None:
        if self._zlib is not None and not self._zlib.eof and self._begun:
            raise BrokenReply(f"the compressed reply of {self._where} was cut short")

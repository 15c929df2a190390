"""What leaves a page, and what is still on its way to it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import playwright.async_api as pw

_LOADS = frozenset({"stylesheet", "image", "media", "font", "script", "texttrack", "manifest"})
"""Kinds of resources that a page loads for itself."""
_POLLS = 2
"""Requests for the same, after which a page is taken to ask whether there is anything new."""


class Traffic:
    """The requests and WebSocket frames of a page and its workers since the last `mark`.

    Whatever could hold a message counts: every frame, and every request but one that loads a part of the page, or
    opens a WebSocket, and carries nothing (no body, no query).
    """

    def __init__(self, page: pw.Page) -> None:
        self.left = 0
        """How many left."""
        self._coming: set[pw.Request] = set()
        self._standing: set[pw.Request] = set()
        self._asked: Counter[tuple[str, str]] = Counter()
        self._heard = False
        page.on("request", self._begins)
        page.on("requestfinished", self._ends)
        page.on("requestfailed", self._ends)
        page.on("websocket", self._opens)

    def mark(self) -> None:
        self.left = 0
        self._standing |= self._coming
        self._coming.clear()
        self._asked.clear()
        self._heard = False

    @property
    def coming(self) -> frozenset[Any]:
        """The requests whose responses have not ended."""
        return frozenset(self._coming)

    @property
    def over(self) -> bool:
        """Whether nothing that can be seen may bring more: no response is open, from before the mark either, no
        WebSocket has brought anything since, and the page does not ask for the same again and again."""
        return not (self._coming or self._standing or self._heard) and max(self._asked.values(), default=0) < _POLLS

    def _begins(self, request: pw.Request) -> None:
        if not _only_loads(request):
            self.left += 1
            self._coming.add(request)
            self._asked[request.method, request.url.partition("?")[0]] += 1

    def _ends(self, request: pw.Request) -> None:
        self._coming.discard(request)
        self._standing.discard(request)

    def _opens(self, socket: pw.WebSocket) -> None:
        self.left += "?" in socket.url
        socket.on("framesent", self._sends)
        socket.on("framereceived", self._hears)

    def _hears(self, _: Any) -> None:
        self._heard = True

    def _sends(self, _: Any) -> None:
        self.left += 1


def _only_loads(request: pw.Request) -> bool:
    if request.url.startswith(("data:", "blob:")):
        return True
    return request.resource_type in _LOADS and request.method == "GET" and "?" not in request.url

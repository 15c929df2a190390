"""What leaves a page, and what is still on its way to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import playwright.async_api as pw

_LOADS = frozenset({"stylesheet", "image", "media", "font", "script", "texttrack", "manifest"})
"""Kinds of resources that a page loads for itself."""


class Traffic:
    """The requests and WebSocket frames of a page and its workers since the last `mark`.

    Whatever could hold a message counts: every frame, and every request but one that loads a part of the page, or
    opens a WebSocket, and carries nothing (no body, no query).
    """

    def __init__(self, page: pw.Page) -> None:
        self.left = 0
        """How many left."""
        self._coming: set[pw.Request] = set()
        page.on("request", self._begins)
        page.on("requestfinished", self._ends)
        page.on("requestfailed", self._ends)
        page.on("websocket", self._opens)

    def mark(self) -> None:
        self.left = 0
        self._coming.clear()

    @property
    def coming(self) -> frozenset[Any]:
        """The requests whose responses have not ended."""
        return frozenset(self._coming)

    def _begins(self, request: pw.Request) -> None:
        if not _only_loads(request):
            self.left += 1
            self._coming.add(request)

    def _ends(self, request: pw.Request) -> None:
        self._coming.discard(request)

    def _opens(self, socket: pw.WebSocket) -> None:
        self.left += "?" in socket.url
        socket.on("framesent", self._sends)

    def _sends(self, _: Any) -> None:
        self.left += 1


def _only_loads(request: pw.Request) -> bool:
    if request.url.startswith(("data:", "blob:")):
        return True
    return request.resource_type in _LOADS and request.method == "GET" and "?" not in request.url

"""What leaves a page, and what is still on its way to it."""

from __future__ import annotations

import base64
import re
from binascii import Error as NotBase64
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import unquote_plus

if TYPE_CHECKING:
    import playwright.async_api as pw

_LOADS = frozenset({"stylesheet", "image", "media", "font", "script", "texttrack", "manifest"})
"""Kinds of resources that a page loads for itself."""
_POLLS = 2
"""Requests for the same, after which a page is taken to ask whether there is anything new."""
_OPAQUE = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
"""What may be base64."""
_URLSAFE = str.maketrans("+/", "-_", "=")


class Traffic:
    """The requests and WebSocket frames of a page and its workers since the last `mark`.

    Whatever could hold a message counts: every frame, and every request but one that loads a part of the page, or
    opens a WebSocket, and carries nothing (no body, no query).
    """

    def __init__(self, page: pw.Page) -> None:
        self.left = 0
        """How many left."""
        self.failed: list[pw.Response] = []
        """The responses since then that say that a request failed (status 400 or more)."""
        self._sent: list[str | bytes] = []
        self._coming: set[pw.Request] = set()
        self._standing: set[pw.Request] = set()
        self._asked: Counter[tuple[str, str]] = Counter()
        self._heard = False
        page.on("request", self._begins)
        page.on("requestfinished", self._ends)
        page.on("requestfailed", self._ends)
        page.on("response", self._answers)
        page.on("websocket", self._opens)

    def mark(self) -> None:
        self.left = 0
        self.failed.clear()
        self._sent.clear()
        self._standing |= self._coming
        self._coming.clear()
        self._asked.clear()
        self._heard = False

    @property
    def coming(self) -> frozenset[object]:
        """The requests whose responses have not ended."""
        return frozenset(self._coming)

    @property
    def over(self) -> bool:
        """Whether nothing that can be seen may bring more: no response is open, from before the mark either, no
        WebSocket has brought anything since, and the page does not ask for the same again and again."""
        return not (self._coming or self._standing or self._heard) and max(self._asked.values(), default=0) < _POLLS

    def carries(self, message: str) -> bool:
        """Whether anything that left since then may carry a message: it contains its words, in JSON, in a URL or in
        base64, or bytes that are no text."""
        return any(_carries(sent, message) for sent in self._sent)

    def refusal(self, message: str) -> pw.Response | None:
        """The response that says that a message was not taken, once no other is awaited."""
        carried = [each for each in self.failed if _carries(each.request.post_data_buffer or each.url, message)]
        return carried[-1] if carried and not self._coming else None

    def _begins(self, request: pw.Request) -> None:
        if not _only_loads(request):
            self.left += 1
            self._sent += [request.url, request.post_data_buffer or ""]
            self._coming.add(request)
            self._asked[request.method, request.url.partition("?")[0]] += 1

    def _ends(self, request: pw.Request) -> None:
        self._coming.discard(request)
        self._standing.discard(request)

    def _answers(self, response: pw.Response) -> None:
        if response.status >= 400 and response.request in self._coming:
            self.failed.append(response)

    def _opens(self, socket: pw.WebSocket) -> None:
        self.left += "?" in socket.url
        self._sent.append(socket.url)
        socket.on("framesent", self._sends)
        socket.on("framereceived", self._hears)

    def _hears(self, _: object) -> None:
        self._heard = True

    def _sends(self, payload: str | bytes) -> None:
        self.left += 1
        self._sent.append(payload)


def _carries(sent: str | bytes, message: str) -> bool:
    sought = _bare(message)
    return any(sought in _bare(text) for text in _readings(sent, message))


def _readings(sent: str | bytes, message: str) -> Iterator[str]:
    """What was sent, as it is read in each of the ways a message is packed; the message itself where it may be packed
    in a way that cannot be read."""
    if isinstance(sent, bytes):
        text = sent.decode(errors="ignore")
        if len(sent) - len(text.encode()) >= len(message):
            yield message
        sent = text
    yield from (sent, unquote_plus(sent))
    unescaped = re.sub(r"\\\\*u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), sent)
    yield re.sub(r"\\+[nrtbf]?", " ", unescaped)
    for run in _OPAQUE.findall(sent):
        with suppress(NotBase64):
            yield base64.urlsafe_b64decode(run.translate(_URLSAFE) + "==").decode(errors="ignore")


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def _only_loads(request: pw.Request) -> bool:
    if request.url.startswith(("data:", "blob:")):
        return True
    return request.resource_type in _LOADS and request.method == "GET" and "?" not in request.url

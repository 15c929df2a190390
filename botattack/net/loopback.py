"""Pages for a browser on this machine: served on loopback alone, and only to whoever has the address with its token."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Literal

from aiohttp import web

HOST = "127.0.0.1"
LARGEST = 64_000
"""Bytes of a form."""
HEADERS = {
    "Cache-Control": "no-store",
    # Beside that of the page itself, which cannot say this.
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # The address has the token: nobody else learns where a click came from.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True)
class Visit:
    """What a browser asks for: the parts of the path behind the token, and the form where it sends one."""

    path: tuple[str, ...]
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Page:
    """What it gets: a text, or, if `to` is set, the address of another page."""

    text: str = ""
    status: int = 200
    kind: Literal["text/html", "text/plain"] = "text/html"
    to: str = ""


async def serve(
    answer: Callable[[Visit], Page], token: str, port: int, ready: Callable[[str], None], stop: asyncio.Event
) -> None:
    """Serves until `stop` is set; `ready` hears the address, port 0 is one that is free. `answer` is called in threads.

    Refused are another Host, a path without the token, and a form that another site sends. Raises OSError if the port
    is taken.
    """
    desk = _Desk(answer, token)
    app = web.Application(client_max_size=LARGEST)
    app.router.add_route("*", "/{tail:.*}", desk.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, HOST, port)
        await site.start()
        bound = runner.addresses[0][1]
        desk.hosts = frozenset((f"{HOST}:{bound}", f"localhost:{bound}"))
        ready(f"http://{HOST}:{bound}/{token}/")
        await stop.wait()
    finally:
        await runner.cleanup()


class _Desk:
    def __init__(self, answer: Callable[[Visit], Page], token: str) -> None:
        self._answer = answer
        self._token = token
        self.hosts: frozenset[str] = frozenset()

    async def handle(self, request: web.Request) -> web.Response:
        refused = self._refused(request)
        if refused:
            return web.Response(text=refused, status=403, headers=HEADERS)
        if request.method not in ("GET", "HEAD", "POST"):
            return web.Response(text="Only GET and POST are known here.", status=405, headers=HEADERS)
        form = None
        if request.method == "POST":
            form = {key: value for key, value in (await request.post()).items() if isinstance(value, str)}
        path = tuple(filter(None, request.path.split("/")[2:]))
        page = await asyncio.to_thread(self._answer, Visit(path, dict(request.query), form))
        if page.to:
            return web.Response(status=303, headers={**HEADERS, "Location": f"/{self._token}/{page.to}"})
        return web.Response(text=page.text, status=page.status, content_type=page.kind, headers=HEADERS)

    def _refused(self, request: web.Request) -> str:
        """Why this request is refused; empty if it is not. Of another name that
        leads to this machine (DNS rebinding), the Host is none of ours."""
        if request.host not in self.hosts:
            return "This address is not served here; open the one that botattack printed."
        if not compare_digest(request.path.split("/")[1].encode(errors="replace"), self._token.encode()):
            return "The address lacks its token; open the one that botattack printed."
        if request.method == "POST":
            origin, site = request.headers.get("Origin", ""), request.headers.get("Sec-Fetch-Site", "same-origin")
            if site != "same-origin" or (origin and origin.removeprefix("http://") not in self.hosts):
                return "Another site sent this; open the address that botattack printed."
        return ""

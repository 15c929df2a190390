"""A browser that runs elsewhere: the way to it, and what keeps it to the hosts a target file names.

Playwright gets a WebSocket of this machine. What leaves it goes through the door of every request: to the
named host alone, without redirects, and only to loopback if nobody allowed more. So the address, and the secrets in it,
never reach Playwright either.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from contextlib import AsyncExitStack, suppress
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit, urlunsplit

from botattack.addresses import addresses, is_here, is_loopback
from botattack.errors import BrokenReply, HostRefused, RequestRefused, TargetError, Unreachable
from botattack.options import JsonObject
from botattack.protocols import Unpaced
from botattack.targets.browser.launch import Walls, brief
from botattack.targets.browser.page_failures import is_end
from botattack.targets.messages.calls import host_in

if TYPE_CHECKING:
    import playwright.async_api as pw

PLACE = "connect.browser"
CONNECTING = 30.0
LARGEST = 64_000_000
"""Bytes of one message of a browser: a picture of a long page takes a few millions."""
NOWHERE = "http://127.0.0.1:9"
"""An address at which no proxy listens: whatever a browser sends there is lost on its own machine."""
_PROBE = "http://wall.invalid/"
"""A name that no host can have: a browser that goes around its proxy finds no address, and asks nobody."""
_OTHER_VERSION = 428
"""What a Playwright server answers to another version."""
_WHAT = "the remote browser cannot be used"


class Remote:
    """A browser at an address: ws://… of a Playwright server, or http://… of a debugging port."""

    def __init__(self, address: str, pages: Iterable[str], walls: Walls) -> None:
        """`pages` are the URLs that it opens. Raises ValueError if the address is none."""
        from botattack.net.hosts import Hosts

        self._url = urlsplit(address)
        self._hosts = Hosts.of([f"{self._url.scheme}://{self._url.netloc.rpartition('@')[2]}"])
        self._pages = [host for host in map(host_in, pages) if host]
        self._walls = walls
        self._here = False
        self._open = AsyncExitStack()

    def stay_here(self, walls: Walls) -> None:
        """Keeps it, and the pages, to this machine."""
        self._walls, self._here = walls, True

    @property
    def context(self) -> JsonObject:
        """What keeps a context to the walls: all it asks goes to a proxy that is none, except what the walls allow."""
        return {"proxy": {"server": NOWHERE, "bypass": ",".join(["<-loopback>", *self._walls.named])}}

    async def start(self, playwright: pw.Playwright) -> pw.Browser:
        """The browser, once it has proven that it keeps to the walls; raises Unreachable, RequestRefused or
        HostRefused."""
        from playwright.async_api import Error

        kind = playwright.chromium
        try:
            async with asyncio.timeout(CONNECTING):
                self._check_pages()
                # Without `no_defaults` Playwright would change how tabs look that others have opened.
                reach = kind.connect if self._is_playwrights else partial(kind.connect_over_cdp, no_defaults=True)
                browser = await reach(await self._connected(), timeout=CONNECTING * 1000)
                await self._prove(browser)
        except (TargetError, Error, TimeoutError) as error:
            await self.close()
            raise _told(error) from error
        return browser

    async def close(self) -> None:
        """Hangs up. A browser behind a debugging port stays as it is; a Playwright server ends the one it started."""
        await self._open.aclose()

    @property
    def _is_playwrights(self) -> bool:
        return self._url.scheme.startswith("ws") and "/devtools/" not in self._url.path

    def _check_pages(self) -> None:
        """The same name or address is another machine there."""
        try:
            is_near = is_loopback(addresses(self._url.hostname or ""))
        except OSError as error:
            raise Unreachable("its host has no address", said=str(error)) from None
        for page in self._pages:
            if self._here and not is_here(page):
                sentence = f"it may take {page} for any machine; write an address, or add consent for that host"
                raise HostRefused(sentence)
            if not is_near and is_here(page):
                raise HostRefused(f"{page} is its own machine, not this one; write the address that the bot has there")

    async def _connected(self) -> str:
        """The URL of a WebSocket of this machine that leads to the browser."""
        from botattack.net.client import Client
        from botattack.net.messages import Call
        from botattack.net.relay import relayed

        client = Client(self._hosts, max_body=LARGEST)
        client.here = self._here
        self._open.push_async_callback(client.close)
        url = self._url
        headers = ("user-agent", f"Playwright/{version('playwright')}"), ("x-playwright-browser", "chromium")
        if url.scheme.startswith("http"):
            asked = url._replace(path=f"{url.path.rstrip('/')}/json/version")
            _, said = await client.fetch(Call("GET", urlunsplit(asked)), Unpaced())
            url = _debugger(url, said)
        opened = client.socket(Call("GET", urlunsplit(url), headers), Unpaced())
        socket = await self._open.enter_async_context(opened)
        return await self._open.enter_async_context(relayed(socket, LARGEST))

    async def _prove(self, browser: pw.Browser) -> None:
        from playwright.async_api import Error

        context = await browser.new_context(**self.context)
        try:
            page = await context.new_page()
            await page.goto(_PROBE, timeout=CONNECTING * 1000)
            said = "it opened a page of another host"
        except Error as error:
            said = brief(error)
            if is_end(error):
                raise
        finally:
            with suppress(Error):
                await context.close()
        if "ERR_PROXY_CONNECTION_FAILED" not in said:
            sentence = "it does not keep to the hosts that this file names; use a Chromium without a proxy of its own"
            raise HostRefused(sentence, said=said)


def _debugger(url: SplitResult, said: bytes) -> SplitResult:
    """The WebSocket that a debugging port names, on the host that was asked: it may know itself by another name."""
    try:
        named = urlsplit(str(json.loads(said)["webSocketDebuggerUrl"]))
    except (ValueError, KeyError, TypeError):
        named = urlsplit("")
    if not named.path.startswith("/"):
        raise BrokenReply("this is no debugging port; write ws://… if it is a Playwright server")
    scheme = "wss" if url.scheme == "https" else "ws"
    return url._replace(scheme=scheme, path=named.path, query=named.query or url.query)


def _told(error: Exception) -> TargetError:
    """The failure of an asking for which there was no browser. That it asks to wait is nothing the bot did."""
    if isinstance(error, RequestRefused) and error.status == _OTHER_VERSION:
        sentence = f"it has another version of Playwright than this machine, which has {version('playwright')}"
        return RequestRefused(f"{_WHAT}: {sentence}", delivered=False, place=PLACE)
    if isinstance(error, TargetError):
        kind = type(error) if isinstance(error, RequestRefused | HostRefused) else Unreachable
        return kind(f"{_WHAT}: {error}", said=error.said, delivered=False, place=PLACE)
    why = "it did not answer in time" if isinstance(error, TimeoutError) else brief(error)
    return Unreachable(_WHAT, said=why, delivered=False, place=PLACE)

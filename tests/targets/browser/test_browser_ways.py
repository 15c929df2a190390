"""No way out of a page that we know of leads to a host that the file does not name, in each kind of browser."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser as Chromium
from playwright.async_api import async_playwright

from botattack.targets.browser.browser_kind import Browser
from botattack.targets.browser.launch import Walls, start
from tests.servers import ways
from tests.servers.browsers import debugged, playwright_server
from tests.targets.asking import Tally, options, unit_of
from tests.targets.browser.conftest import Make, described

pytestmark = [pytest.mark.anyio, pytest.mark.live]
WITNESSES = {"fetch", "image", "frame", "STUN", "TURN over TCP", "data channel over UDP", "WebTransport", "window"}
"""Ways of each kind that an ordinary Chromium must take: where one stays shut, the test shows nothing."""
KINDS = ("its flags alone", "own", "playwright", "debugged")
PATIENT = {"timeout": "200s"}
"""A page that tries more than a hundred ways at once takes a busy machine its time to open. Where Playwright is asked
to open it, `commit` is enough: the page itself says when it has tried them all."""
Open = Callable[[str, str], Awaitable[None]]


async def ordinary(chromium: str, stack: AsyncExitStack) -> Chromium:
    playwright = await stack.enter_async_context(async_playwright())
    browser = await playwright.chromium.launch(executable_path=chromium, chromium_sandbox=False)
    stack.push_async_callback(browser.close)
    return browser


@pytest.fixture
async def opened(made: Make, chromium: str, tmp_path: Path, anyio_backend: str) -> AsyncIterator[Open]:
    """Opens a URL in a browser of some kind, and leaves it open until the test ends."""
    async with AsyncExitStack() as stack:

        async def page_of(browser: Chromium, url: str) -> None:
            await (await (await browser.new_context()).new_page()).goto(url, wait_until="commit")

        async def ask(target: Any) -> None:
            await stack.enter_async_context(target.session(unit_of("x"), Tally()))

        async def begin(kind: str, url: str) -> None:
            match kind:
                case "ordinary":
                    await page_of(await ordinary(chromium, stack), url)
                case "its flags alone":
                    playwright = await stack.enter_async_context(async_playwright())
                    made_of: Any = options(Browser, described(url))
                    browser = await start(playwright, made_of, Walls([url], ()), headless=True, folder=tmp_path)
                    stack.push_async_callback(browser.close)
                    await page_of(browser, url)
                case "own":
                    await ask(made(url, settled=PATIENT, executable=chromium))
                case "playwright":
                    await ask(
                        made(url, settled=PATIENT, browser=await stack.enter_async_context(playwright_server(chromium)))
                    )
                case "debugged":
                    found = debugged(chromium, tmp_path / "profile")
                    await ask(made(url, settled=PATIENT, browser=await stack.enter_async_context(found)))

        yield begin


async def test_no_way_out_of_a_page_is_open(opened: Open) -> None:
    """An ordinary Chromium tries the same ways afterwards: what has left it by then has had its time in ours. Flags
    are renamed without a word, and what scripts take away may come back, so each must do alone."""
    async with AsyncExitStack() as stack, asyncio.timeout(600):
        every = {kind: await stack.enter_async_context(ways.listening()) for kind in KINDS}
        # One after another, as each tries more than a hundred ways at once; all are open while the ordinary one tries.
        for kind, ours in every.items():
            await opened(kind, await ours.serve())
            await ours.tried.wait()
        others = await stack.enter_async_context(ways.listening())
        await opened("ordinary", await others.serve())
        await others.reached(75, WITNESSES)
        assert {kind: ours.came for kind, ours in every.items()} == {kind: set() for kind in KINDS}


async def test_no_name_of_another_host_is_looked_up(made: Make, chromium: str, tmp_path: Path) -> None:
    """The question could be part of a name. What Chromium looks up is in its own log, once it has ended."""
    log, logging = tmp_path / "log.json", tmp_path / "logging"
    logging.write_text(f'#!/bin/sh\nexec {chromium} --log-net-log={log} "$@"\n')
    logging.chmod(0o700)

    def looked_up() -> set[str]:
        found = json.loads(log.read_text())
        kind = found["constants"]["logEventTypes"]["DNS_TRANSACTION"]
        asked = json.dumps([event for event in found["events"] if event["type"] == kind])
        return set(re.findall(r"[a-z]+\.ways\.test", asked))

    async with ways.listening() as tried, asyncio.timeout(600):
        url = f"{await tried.serve()}/names"
        async with AsyncExitStack() as stack:
            browser = await ordinary(str(logging), stack)
            await (await browser.new_page()).goto(url, wait_until="commit")
            await tried.tried.wait()
        assert looked_up() >= {"fetch.ways.test", "image.ways.test", "stun.ways.test"}
        tried.tried.clear()
        target = made(url, settled=PATIENT, executable=str(logging))
        async with target.session(unit_of("x"), Tally()):
            await tried.tried.wait()
        await target.close()
        assert looked_up() == set()

"""Pages asked through a browser that runs elsewhere: a Playwright server, and a Chromium with remote debugging."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from botattack.errors import HostRefused, RequestRefused, TargetError, Unreachable, excerpt
from botattack.model import Prompt
from tests.servers import pages
from tests.servers.browsers import careless, debugged, playwright_server
from tests.servers.http import Server, always, replying, response
from tests.targets.asking import Tally, ask, unit_of
from tests.targets.browser.conftest import Make

pytestmark = [pytest.mark.anyio, pytest.mark.live]
KINDS = ("playwright", "debugged")
OUTSIDE = "http://198.51.100.7:9222"
"""An address of nobody: RFC 5737 keeps it for documentation."""


@dataclass
class Grid:
    """A browser elsewhere that can be killed and started again at its address."""

    begin: Callable[[int], AbstractAsyncContextManager[str]]
    address: str = ""
    _open: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def start(self, port: int = 0) -> None:
        self.address = await self._open.enter_async_context(self.begin(port))

    async def kill(self) -> None:
        await self._open.aclose()

    @property
    def port(self) -> int:
        return int(self.address.split(":")[2].split("/")[0])


@pytest.fixture
def begin(shell: str, tmp_path: Path) -> dict[str, Callable[[int], AbstractAsyncContextManager[str]]]:
    return {
        "playwright": lambda port: playwright_server(shell, port),
        "debugged": lambda port: debugged(shell, tmp_path / "profile", port),
    }


@pytest.fixture(params=KINDS)
async def grid(request: pytest.FixtureRequest, begin: Any, anyio_backend: str) -> AsyncIterator[Grid]:
    made = Grid(begin[request.param])
    await made.start()
    yield made
    await made.kill()


async def refused(target: Any) -> TargetError:
    with pytest.raises(TargetError) as caught:
        await ask(target)
    assert (caught.value.place, caught.value.delivered) == ("connect.browser", False)
    return caught.value


async def test_every_question_has_a_context_of_its_own_and_the_browser_is_left_as_it_was(
    made: Make, grid: Grid
) -> None:
    async with pages.serving(home=pages.MEMORY) as server:
        for _ in range(2):
            target = made(server.url, browser=grid.address)
            target.stay_here()
            replies = await asyncio.gather(*[ask(target, f"q{n}") for n in range(2)])
            await target.close()
            assert [reply.text for reply in replies] == ["message 1"] * 2


async def test_the_page_reaches_no_other_host(made: Make, grid: Grid) -> None:
    async with Server(always(response("x"))) as a, Server(always(response("x"))) as b:
        others = (a.url, b.url.replace("127.0.0.1", "localhost"))
        worker = f"self.oninstall = () => fetch('{a.url}/worker');"
        home = pages.calls(*others)
        async with pages.serving(home=home, redirect=f"redirect {b.url}/x", **{"worker.js": worker}) as server:
            target = made(server.url, browser=grid.address)
            assert (await ask(target)).text == "fine"
        assert [a.connections, b.connections] == [0, 0]
        assert {f"127.0.0.1:{a.port}", f"localhost:{b.port}"} <= set(target.blocked)


async def test_what_the_browser_sends_without_asking_us_stays_as_well(made: Make, grid: Grid) -> None:
    """The walls of Playwright see no redirect, no prefetch and no WebRTC; the browser's own wall does."""
    ways = "[RTCPeerConnection, WebTransport]"
    async with Server(always(response("x"))) as other:
        hops = {"home": f"redirect {other.url}/"}
        async with pages.serving(**hops) as server:
            with pytest.raises(HostRefused):
                await ask(made(server.url, browser=grid.address))
        async with pages.serving(home=pages.ECHO) as server:
            target = made(server.url, browser=grid.address)
            async with target.session(unit_of("x"), Tally()) as session:
                page = session.page.page
                await page.context.unroute_all()
                tried = await page.evaluate(f"fetch('{other.url}/').then(() => 'reached', () => 'kept')")
                frame = "Object.assign(document.createElement('iframe'), {src: 'about:blank'})"
                here = [name for name in ways.strip("[]").split(", ") if await page.evaluate(f"'{name}' in window")]
                framed = await page.evaluate(
                    f"const f = {frame}; document.body.append(f); 'RTCPeerConnection' in f.contentWindow"
                )
        assert (tried, here, framed, other.connections) == ("kept", [], False, 0)


async def test_hosts_that_are_listed_are_loaded(made: Make, grid: Grid) -> None:
    async with Server(always(response("x"))) as a, pages.serving(home=pages.calls(a.url)) as server:
        target = made(server.url, browser=grid.address, hosts=[f"127.0.0.1:{a.port}"])
        await ask(target)
        assert {request.target for request in a.received} >= {"/pixel.png", "/data"}
        assert not target.blocked


async def test_a_browser_that_is_lost_costs_one_asking_and_is_found_again(made: Make, grid: Grid) -> None:
    async with pages.serving(home=pages.ENDLESS) as server:
        target = made(server.url, browser=grid.address)
        async with target.session(unit_of("on"), Tally()) as session:
            asking = asyncio.create_task(session.ask(Prompt("on")))
            await session.page.page.wait_for_selector(".bot")
            port = grid.port
            await grid.kill()
            with pytest.raises(TargetError, match=r"crashed|ended") as caught:
                await asking
            assert caught.value.retryable
        assert "refused" in (await refused(target)).told(excerpt)
        await grid.start(port)
        assert (await ask(target, "the end")).text == "on"


async def test_a_page_that_is_lost_costs_one_asking(made: Make, grid: Grid) -> None:
    async with pages.serving(home=pages.ENDLESS) as server:
        target = made(server.url, browser=grid.address)
        async with target.session(unit_of("on"), Tally()) as session:
            asking = asyncio.create_task(session.ask(Prompt("on")))
            await session.page.page.wait_for_selector(".bot")
            await session.page.page.close()
            with pytest.raises(TargetError, match=r"crashed|ended"):
                await asking
        assert (await ask(target, "the end")).text == "on"


async def test_tabs_of_others_stay_open(made: Make, begin: Any) -> None:
    from playwright.async_api import async_playwright

    async with (
        begin["debugged"](0) as address,
        pages.serving(home=pages.ECHO) as server,
        async_playwright() as playwright,
    ):
        own = await playwright.chromium.connect_over_cdp(address)
        page = await own.contexts[0].new_page()
        await page.goto(server.url)
        target = made(server.url, browser=address)
        assert (await ask(target, "beside")).text == "You said beside"
        await target.close()
        assert await page.evaluate("document.readyState") == "complete"
        assert len(own.contexts) == 1


async def test_a_server_of_another_version_is_named_as_such(made: Make, shell: str) -> None:
    async with playwright_server(shell, env={"PW_VERSION_OVERRIDE": "1.20.0"}) as address:
        error = await refused(made("http://127.0.0.1:9/", browser=address))
    assert isinstance(error, RequestRefused)
    assert "has another version of Playwright than this machine" in str(error)


async def test_a_browser_that_does_not_keep_to_the_walls_is_refused(made: Make, begin: Any) -> None:
    async with begin["debugged"](0) as address, careless(address) as led, pages.serving(home=pages.ECHO) as server:
        error = await refused(made(server.url, browser=led))
        assert isinstance(error, HostRefused)
        assert "does not keep to the hosts that this file names" in str(error)
        assert server.connections == 0


@pytest.mark.parametrize("scheme", ["ws", "http"])
async def test_a_redirect_is_not_followed(made: Make, scheme: str) -> None:
    async with Server(always(response("x"))) as other:
        moved = response("", status=302, location=f"{other.url}/")
        async with Server(always(moved)) as server:
            error = await refused(made("http://127.0.0.1:9/", browser=f"{scheme}://127.0.0.1:{server.port}/"))
        assert isinstance(error, HostRefused)
        assert other.connections == 0


async def test_a_debugging_port_is_asked_whatever_it_calls_itself(made: Make) -> None:
    async with Server(always(response("x"))) as other:
        path = f"ws://127.0.0.1:{other.port}/devtools/browser/x"
        named = response(f'{{"webSocketDebuggerUrl": "{path}"}}')
        async with Server(replying(lambda _: named)) as server:
            await refused(made("http://127.0.0.1:9/", browser=server.url))
            assert [request.target for request in server.received[:2]] == ["/json/version", "/devtools/browser/x"]
        assert other.connections == 0


@pytest.mark.parametrize("said", ["none", "[]", '{"webSocketDebuggerUrl": 3}'])
async def test_what_is_no_debugging_port_is_said_to_be_none(made: Make, said: str) -> None:
    async with Server(always(response(said))) as server:
        error = await refused(made("http://127.0.0.1:9/", browser=server.url))
    assert "write ws://… if it is a Playwright server" in str(error)


async def test_nobody_there(made: Make) -> None:
    for address in ("ws://127.0.0.1:9/", "http://127.0.0.1:9"):
        error = await refused(made("http://127.0.0.1:9/", browser=address))
        assert isinstance(error, Unreachable)
        assert str(error).startswith("the remote browser cannot be used: ")


async def test_without_consent_browser_and_pages_stay_on_this_machine(made: Make) -> None:
    for url, address in (("http://bot.test:1/", "ws://127.0.0.1:9/"), ("http://127.0.0.1:1/", OUTSIDE)):
        target = made(url, browser=address)
        target.stay_here()
        assert isinstance(await refused(target), HostRefused)


async def test_a_page_of_this_machine_is_not_asked_elsewhere(made: Make) -> None:
    error = await refused(made("http://127.0.0.1:1/", browser=OUTSIDE))
    assert "127.0.0.1 is its own machine, not this one" in str(error)


async def test_a_token_is_in_no_error(made: Make) -> None:
    async with Server(always(response("no", status=403))) as server:
        for scheme in ("ws", "http"):
            address = f"{scheme}://me:s3cr3t-word@127.0.0.1:{server.port}/t0k3n-in-path?token={{{{ env.GRID_TOKEN }}}}"
            error = await refused(made("http://127.0.0.1:9/", {"GRID_TOKEN": "t0k3n-of-mine"}, browser=address))
            told = error.told(excerpt) + repr(error.__cause__)
            assert "refused the request with HTTP 403" in told
            assert not any(secret in told for secret in ("t0k3n", "s3cr3t"))
        assert "t0k3n-of-mine" in server.received[0].target
        assert server.received[0].headers["authorization"].startswith("Basic ")

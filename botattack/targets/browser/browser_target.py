"""A bot on a web page: one browser, a context for each conversation, and what to do when either is lost."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from botattack.closing import SECONDS, in_time
from botattack.errors import TargetError, Unreachable
from botattack.model import Prompt, Unit, content_id
from botattack.protocols import Pace, Target, Tell
from botattack.state import state_folder, write_private
from botattack.targets.browser.launch import UNLAUNCHED, UNPROXIED, Walls, brief, start
from botattack.targets.browser.page import Fillers, Page
from botattack.targets.browser.page_conversation import PageConversation
from botattack.targets.browser.page_failures import is_playwrights
from botattack.targets.browser.page_options import PageOptions
from botattack.targets.browser.remote import Remote
from botattack.targets.browser.settling import Habits

if TYPE_CHECKING:
    import playwright.async_api as pw

KEPT_PICTURES = 50
OPENING = 30.0
"""Seconds after which a browser that opens no empty page counts as one that ended."""
LONGEST_HOST = 260
"""Characters of a host and its port; anything longer is not a host."""
_WHO = Unit((Prompt(""),), variant_id="login")


class BrowserTarget(Target):
    """Launches at the first question. `blocked` counts what the page wanted to load from hosts that it may not.

    `pictures` is where screenshots of failures go; by default the user's state folder.
    """

    def __init__(self, name: str, options: PageOptions, env: Mapping[str, str], folder: Path) -> None:
        self.name = name
        self.options = options
        self.env = env
        self.blocked: Counter[str] = Counter()
        self.habits = Habits()
        self.headless = True
        self._folder = folder
        key = f"{name}-{content_id('login', str(folder.resolve()), name)}"
        self.login_file = state_folder() / "logins" / f"{key}.json"
        self.pictures = state_folder() / "screenshots"
        pages, address = options.urls(env).values(), options.remote(env)
        self._walls = Walls(pages, options.hosts_)
        self._remote = Remote(address, pages, self._walls) if address else None
        self._fillers = Fillers(options, env)
        self._secret = tuple(str(step.fill or step.type_) for _, step in options.steps() if step.secret)
        self._tell: Tell | None = None
        self._lost = False
        self._starting, self._logging_in = asyncio.Lock(), asyncio.Lock()
        self._playwright: pw.Playwright | None = None
        self._browser: pw.Browser | None = None
        self._state: object = None
        self._idle: list[Page] = []
        self._spare: asyncio.Task[Page] | None = None
        self._closing: set[asyncio.Task[None]] = set()

    def stay_here(self) -> None:
        self._walls = Walls(self.options.urls(self.env).values(), self.options.hosts_, here=True)
        if self._remote is not None:
            self._remote.stay_here(self._walls)

    @asynccontextmanager
    async def session(self, unit: Unit, pace: Pace) -> AsyncIterator[PageConversation]:
        """A conversation on a page. A failure inside leaves a screenshot, and a note of the error says where."""
        conversation = await self._conversation(unit, pace)
        keep = False
        try:
            yield conversation
            page = conversation.page
            keep = self._pooled and not page.crashed and not page.stale
        except TargetError as error:
            await self._picture(error, conversation.page, unit)
            raise
        finally:
            if keep:
                self._idle.append(conversation.page)
            else:
                self._let_go(conversation.page)

    def _let_go(self, page: Page) -> None:
        """Closes a page, beside what is asked next."""
        closing = asyncio.create_task(page.close())
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    @property
    def _pooled(self) -> bool:
        return self.options.conversation == "reuse"

    async def _conversation(self, unit: Unit, pace: Pace) -> PageConversation:
        while self._idle:
            page = self._idle.pop()
            with suppress(TargetError):
                return await self._again(page, unit, pace)
            await page.close()
        page = await self._warmed(await self.logged_in(pace))
        return await self._begun(page, unit, pace)

    async def _warmed(self, state: object) -> Page:
        """An empty page, made while the question before was asked where that was possible, and the next one on its
        way."""
        page = await self._take_spare()
        page = page or await self.page(state)
        if not self._pooled and self._spare is None:
            self._spare = asyncio.create_task(self._new_page(await self._running(), state))
        return page

    async def _take_spare(self) -> Page | None:
        """The page that was made ahead, if it is sound; a browser that does not say so in time is left behind."""
        spare, self._spare = self._spare, None
        if spare is None:
            return None
        try:
            async with asyncio.timeout(SECONDS):
                page = await spare
                async with page.failing("connect.open"):
                    await page.page.evaluate("0")
        except TargetError:
            return None
        except TimeoutError:
            self._lose()
            return None
        if page.crashed or self._lost:
            self._let_go(page)
            return None
        return page

    async def _again(self, page: Page, unit: Unit, pace: Pace) -> PageConversation:
        """A page that is open already; raises a TargetError where anything of what was asked on it before is still to
        come."""
        conversation = self._conversing(page, unit, pace)
        if page.crashed:
            raise Unreachable("the page crashed")
        await conversation.again()
        return conversation

    def _conversing(self, page: Page, unit: Unit, pace: Pace) -> PageConversation:
        return PageConversation(page, self.options, self.env, unit, pace, habits=self.habits)

    async def _begun(self, page: Page, unit: Unit, pace: Pace) -> PageConversation:
        conversation = self._conversing(page, unit, pace)
        try:
            await conversation.begin("open")
        except BaseException as error:
            if isinstance(error, TargetError):
                await self._picture(error, page, unit)
            await page.close()
            raise
        return conversation

    async def page(self, state: object = None) -> Page:
        """An empty page in a context of its own, behind the walls. A browser that is gone is replaced, once; raises
        Unreachable if that does not help."""
        with suppress(Unreachable):
            return await self._new_page(await self._running(), state)
        return await self._new_page(await self._running(), state)

    async def _new_page(self, browser: pw.Browser, state: Any) -> Page:
        try:
            async with asyncio.timeout(OPENING):
                context = await browser.new_context(
                    service_workers="block",
                    accept_downloads=False,
                    storage_state=state,
                    viewport={"width": 1280, "height": 900},
                    **(self._remote.context if self._remote is not None else {}),
                )
                await self._wall(context)
                page = Page(await context.new_page(), self.options, self._fillers, self._walls, self._note)
        except Exception as error:
            if not (is_playwrights(error) or isinstance(error, TimeoutError)):
                raise
            if self._browser is browser:
                self._lose()
            raise Unreachable("the browser ended", said=brief(error), delivered=False) from error
        page.tell = self._tell or page.tell
        page.lost = self._lose
        return page

    def _lose(self) -> None:
        """The next question gets another browser."""
        self._lost = True

    async def _wall(self, context: pw.BrowserContext) -> None:
        await context.add_init_script(UNPROXIED + UNLAUNCHED)
        await context.route(self._walls.foreign, self._refuse)
        await context.route_web_socket(self._walls.foreign, self._refuse_socket)

    async def _refuse(self, route: pw.Route) -> None:
        from playwright.async_api import Error

        self._note(route.request.url)
        with suppress(Error):
            await route.abort("blockedbyclient")

    def _refuse_socket(self, socket: pw.WebSocketRoute) -> None:
        """Never connected to the server, so nothing leaves."""
        self._note(socket.url)

    def _note(self, url: str) -> None:
        from urllib.parse import urlsplit

        parts = urlsplit(url)
        if len(self.blocked) < 1000:
            self.blocked[parts.netloc if 0 < len(parts.netloc) <= LONGEST_HOST else f"{parts.scheme}:"] += 1

    async def _running(self) -> pw.Browser:
        """The browser, launched if it is not there (any more)."""
        from playwright.async_api import async_playwright

        async with self._starting:
            if self._browser is not None and self._browser.is_connected() and not self._lost:
                return self._browser
            await self._stop()
            self._lost = False
            try:
                self._playwright = await async_playwright().start()
            except OSError as error:
                raise Unreachable("Playwright does not start", said=str(error), delivered=False) from error
            self._browser = await self._started(self._playwright)
            return self._browser

    async def _started(self, playwright: pw.Playwright) -> pw.Browser:
        if self._remote is not None:
            return await self._remote.start(playwright)
        return await start(playwright, self.options, self._walls, headless=self.headless, folder=self._folder)

    async def logged_in(self, pace: Pace) -> object:
        """The stored login; else that of the login steps, done once for all."""
        if self._state is None and self.login_file.is_file():
            self._state = msgspec.json.decode(self.login_file.read_bytes())
        if self._state is None and self.options.login:
            async with self._logging_in:
                self._state = self._state or await self.log_in(pace)
        return self._state

    async def log_in(self, pace: Pace) -> object:
        """Does the login steps in a context of their own; what it holds then is the login."""
        page = await self.page()
        try:
            conversation = self._conversing(page, _WHO, pace)
            await conversation.begin("login")
            return await self.state_of(page)
        finally:
            await page.close()

    async def state_of(self, page: Page) -> object:
        return await page.page.context.storage_state(indexed_db=True)

    def store(self, state: object) -> None:
        """Keeps a login for later runs, readable by this user alone."""
        write_private(self.login_file, msgspec.json.encode(state))

    def watch(self, tell: Tell) -> None:
        """Reports its steps from now on, and what looks wrong."""
        self._tell = tell

    def notes(self) -> Sequence[str]:
        """Which hosts the page was kept from, and what was learnt of its answers."""
        return tuple(self._noted())

    def _noted(self) -> Iterator[str]:
        if named := ", ".join(f"{host} ({times} times)" for host, times in self.blocked.most_common(20)):
            yield f"kept from loading: {named}; if an answer needs one, add it to connect.hosts"
        if self.habits.grown:
            yield f"continued after they had been taken: {self.habits.grown} answers; raise connect.settled.quiet"
        if self.habits.keeps_open:
            yield "the page keeps responses open, so an open one does not mean that an answer is still coming"

    async def _picture(self, error: TargetError, page: Page, unit: Unit) -> None:
        if page.crashed:
            return
        with suppress(Exception):  # a picture is a help, and must never hide what it shows
            picture = await page.picture(self._secret)
            path = self.pictures / f"{self.name}-{unit.id}.png"
            write_private(path, picture)
            error.add_note(f"screenshot: {path}")
            _prune(self.pictures)

    async def close(self) -> None:
        if (spare := await self._take_spare()) is not None:
            self._idle.append(spare)
        await asyncio.gather(*[page.close() for page in self._idle], *self._closing)
        self._idle.clear()
        await self._stop()

    async def _stop(self) -> None:
        browser, playwright = self._browser, self._playwright
        self._browser = self._playwright = None
        if browser is not None:
            with suppress(Exception):  # it may be gone already, in any way
                await in_time(browser.close())
        if playwright is not None:
            with suppress(Exception):
                await in_time(playwright.stop())
        if self._remote is not None:
            await in_time(self._remote.close())


def _prune(folder: Path) -> None:
    """Keeps the newest pictures."""
    pictures = sorted(folder.glob("*.png"), key=lambda path: path.stat().st_mtime)
    for path in pictures[:-KEPT_PICTURES]:
        path.unlink(missing_ok=True)

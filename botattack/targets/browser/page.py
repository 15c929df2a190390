"""One page of a browser: steps done on it, what is read from it, and its failures in our words."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from botattack.closing import in_time
from botattack.errors import ExtractionFailed, HostRefused, RequestRefused, TimedOut
from botattack.protocols import Pace, Tell
from botattack.targets.browser.answer_watch import Message, Taken
from botattack.targets.browser.launch import Walls
from botattack.targets.browser.page_failures import LOG_IN, classified, is_end, is_playwrights, of_status
from botattack.targets.browser.page_options import PageOptions, Step, key_of
from botattack.targets.browser.settling import without
from botattack.targets.browser.traffic import Traffic
from botattack.targets.messages.filling import as_text, filler, url_filler

if TYPE_CHECKING:
    import playwright.async_api as pw

POLL = 0.05
"""Seconds between two looks at a page."""
DISMISS = 2.0
"""Seconds in which a banner that is to be dismissed must show; later, there is taken to be none."""
KINDS = frozenset({"lists", "code", "tables", "links", "pictures"})
"""What an answer may consist of beside paragraphs."""
_GONE = re.compile("context was destroyed|frame was detached|frame got detached|cannot find context", re.IGNORECASE)


@cache
def library() -> str:
    return (files(__package__) / "page.js").read_text("utf-8")


def script(call: str, given: str = "arg") -> str:
    """JavaScript that calls a function of page.js with what is given."""
    return f"({given}) => {{ const page = {library()}; return page.{call}; }}"


class Fillers:
    """The templates of all steps, ready to be filled. `place` of a step is such as `connect.open[0]`."""

    def __init__(self, options: PageOptions, env: Mapping[str, str]) -> None:
        self._made: dict[str, Any] = {}
        for at, step in options.steps():
            place = step_place(*at)
            if step.goto is not None:
                self._made[place] = url_filler(step.goto, env, f"{place}.goto")
            elif step.with_ is not None:
                self._made[place] = filler(step.with_, env, f"{place}.with")

    def text(self, place: str, values: Mapping[str, object]) -> str:
        return as_text(self._made[place](values))


def step_place(*at: str | int) -> str:
    return "connect" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in at)


class Page:
    """A page in a context of its own. Raises TargetErrors only; `crashed` once it cannot be used any more, `stale`
    once nothing more may be asked on it; `taken` is what was taken from it last."""

    def __init__(
        self, page: pw.Page, options: PageOptions, fillers: Fillers, walls: Walls, note: Callable[[str], None]
    ) -> None:
        """`note` gets each URL that the walls keep the page from."""
        self.page = page
        self.crashed = False
        self._options = options
        self._fillers = fillers
        self._walls = walls
        self._note = note
        self.tell: Tell = _nobody
        self.lost: Callable[[], None] | None = None
        """Called if the page cannot be closed in time: its browser is not used again."""
        self._homes: dict[str, pw.Frame] = {}
        self._deep: set[tuple[pw.Frame, str]] = set()
        self._last: pw.Locator | None = None
        self._strayed = ""
        self.traffic = Traffic(page)
        self.taken: Taken | None = None
        self.stale = False
        self.dialogs: list[str] = []
        """What alerts and other dialogs have said since the last `mark`."""
        self.loads = 0
        """How often a document was loaded since then."""
        page.on("domcontentloaded", self._on_load)
        page.on("crash", self._on_crash)
        page.on("close", self._on_crash)
        page.on("dialog", self._on_dialog)
        page.on("request", self._on_request)

    @property
    def is_watched(self) -> bool:
        return self.tell is not _nobody

    def _on_crash(self, _: object) -> None:
        self.crashed = True

    def mark(self) -> None:
        """Forgets what happened before a message is sent."""
        self.traffic.mark()
        self.dialogs.clear()
        self.loads = 0

    def _on_load(self, _: object) -> None:
        self.loads += 1

    async def _on_dialog(self, dialog: pw.Dialog) -> None:
        from playwright.async_api import Error

        self.dialogs.append(dialog.message)
        try:
            await dialog.dismiss()
        except Error:
            return

    def _on_request(self, request: pw.Request) -> None:
        """A redirect is followed without being asked about, but Chromium finds no address for a foreign host."""
        if request.redirected_from is not None and not self._walls.allow(request.url):
            self._note(request.url)
            if request.is_navigation_request():
                self._strayed = self._strayed or request.url

    async def close(self) -> None:
        """Ends the context with everything in it."""
        await in_time(self._end(), abort=self.lost)

    async def _end(self) -> None:
        try:
            await self.page.context.close()
        except Exception as error:
            if not is_playwrights(error):
                raise

    async def do(self, steps: tuple[Step, ...], name: str, values: Mapping[str, object], pace: Pace) -> None:
        """Does all steps of `connect.NAME`; each goto asks for leave first."""
        for index, step in enumerate(steps):
            await self.step(step, step_place(name, index), values, pace)

    async def step(self, step: Step, place: str, values: Mapping[str, object], pace: Pace | None) -> None:
        text = self._fillers.text(place, values) if step.goto is not None or step.with_ is not None else ""
        named = "" if step.goto is not None else f" {step.operand}"  # an address is filled, and shown as `text`
        self.tell("sent", f"{key_of(step)}{named}" + (f" {text!r}" if text else ""))
        async with self.failing(f"{place}.{key_of(step)}"):
            if step.goto is not None:
                if pace is not None:
                    await pace.leave()
                await self._goto(text, f"{place}.goto", pace)
            else:
                await self._act(step, place, text)

    async def _act(self, step: Step, place: str, text: str) -> None:
        at = f"{place}.{key_of(step)}"
        limit = self._options.step_timeout * 1000
        if step.press is not None:
            await self._press(step, place)
        elif step.wait is not None:
            await asyncio.sleep(step.wait)
        elif step.wait_gone is not None:
            if not await self.sees_gone(step.wait_gone):
                raise TimedOut(f"{step.wait_gone!r} is still there after {limit / 1000:g} s", place=at)
        elif step.dismiss is not None:
            found = await self._look(step.dismiss, DISMISS)
            if found is not None:
                await found.click(timeout=limit)
        else:
            found = await self.find(step.operand, at)
            await _on_element(step, found, text, limit)
            self._last = found

    async def _press(self, step: Step, place: str) -> None:
        where = await self.find(step.in_, f"{place}.in") if step.in_ else self._last
        if where is None:
            await self.page.keyboard.press(str(step.press))
        else:
            await where.press(str(step.press), timeout=self._options.step_timeout * 1000)

    async def _goto(self, url: str, place: str, pace: Pace | None) -> None:
        from playwright.async_api import TimeoutError as PlaywrightTimeout

        self._last, self._homes, self._deep = None, {}, set()
        if not self._walls.allow(url):
            raise HostRefused(f"{url} is not a page that this file names", delivered=False, place=place)
        try:
            answer = await self.page.goto(
                url, wait_until="domcontentloaded", timeout=self._options.settled.timeout * 1000
            )
        except PlaywrightTimeout:
            sentence = f"the page {url} did not open within {self._options.settled.timeout:g} s"
            raise TimedOut(sentence, place=place) from None
        if answer is not None and answer.status >= 400:
            raise of_status(url, answer.status, answer.headers, place, pace)

    async def find(self, selector: str, place: str) -> pw.Locator:
        """The first visible element; raises ExtractionFailed, or TimedOut where the page is still loading."""
        timeout = self._options.step_timeout
        found = await self._look(selector, timeout)
        if found is not None:
            return found
        loading = await self.page.evaluate("document.readyState") == "loading"
        total = sum(await self._all_frames(selector, "count(els)", None, 0))
        what = (
            f"{total} elements match {selector!r}, but none is visible" if total else f"no element matches {selector!r}"
        )
        sentence = f"{what} after {timeout:g} s on the page"
        if not place.startswith("connect.login") and await self.asks_for_login():
            sentence = f"{sentence}, which asks for a login{LOG_IN}"
            raise RequestRefused(sentence, said=self.page.url, delivered=False, place="connect.login")
        if loading:
            raise TimedOut(f"{sentence}, which still loads", said=self.page.url, delivered=False, place=place)
        raise ExtractionFailed(sentence, said=self.page.url, delivered=False, place=place)

    async def _look(self, selector: str, seconds: float) -> pw.Locator | None:
        """The first visible element within a time, in whatever frame it stands."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while True:
            for frame in self.page.frames:
                index = await self._in_frame(frame, selector, "first(els)", None, -1)
                if index >= 0:
                    return frame.locator(selector).nth(index)
            if loop.time() > end:
                return None
            await asyncio.sleep(POLL)

    async def sees_gone(self, selector: str | None) -> bool:
        """Whether no such element is visible any more, once the time of a step is over at the latest."""
        end = (loop := asyncio.get_running_loop()).time() + self._options.step_timeout
        while await self.shown(selector):
            if loop.time() > end:
                return False
            await asyncio.sleep(POLL)
        return True

    async def shown(self, selector: str | None) -> int:
        """How many visible elements match, in all frames."""
        return sum(await self._all_frames(selector, "shown(els)", None, 0)) if selector else 0

    async def messages(self) -> list[Message]:
        """Every message of the bot."""
        found = await self._all_frames(self._options.answer, "messages(els, arg)", self._options.exclude, [])
        left_out = self._options.leave_out
        return [Message(int(mark), without(str(text), left_out)) for messages in found for mark, text in messages]

    async def kinds(self) -> set[str]:
        """Which of KINDS stand in the bot's messages."""
        found = await self._all_frames(self._options.answer, "kinds(els)", None, [])
        return {kind for kinds in found for kind in kinds} & KINDS

    async def clickable(self) -> list[tuple[str, str]]:
        """Texts in the bot's messages that can be clicked, though they are no controls, each with its CSS."""
        found = await self._all_frames(self._options.answer, "clickable(els, arg)", self._options.exclude, [])
        return [(str(css), str(text)) for pieces in found for css, text in pieces]

    async def echoes(self, text: str) -> int:
        """How often a text stands on the page, boxes to write in and the bot's messages left out; -1 if it has no
        letter or digit."""
        argument = {"needle": text, "exclude": self._options.exclude}
        answer = self._options.answer
        found = [await self._in_frame(frame, answer, "echoes(els, arg)", argument, 0) for frame in self.page.frames]
        return -1 if -1 in found else sum(found)

    async def holds(self, box: str, text: str) -> bool:
        """Whether a box to write in contains a text."""
        return any(await self._all_frames(box, "holds(els, arg)", text, nothing=False))

    async def holds_all(self, steps: tuple[Step, ...], name: str, values: Mapping[str, object]) -> bool:
        """Whether every box that the steps of `connect.NAME` wrote the question into holds it still."""
        placed = [(index, step) for index, step in enumerate(steps) if "question" in step.names]
        held = [
            await self.holds(box, self._fillers.text(step_place(name, index), values))
            for index, step in placed
            if (box := step.fill or step.type_)
        ]
        return 0 < len(held) == len(placed) and all(held)

    async def lines(self, *, controls: bool = True) -> list[str]:
        """What the page says, line by line."""
        found = [await self._evaluate(frame, "lines(arg)", controls, []) for frame in self.page.frames]
        return [str(line) for lines in found for line in lines]

    async def complaint(self, known: Iterable[str], sent: str) -> tuple[str, bool]:
        """What of the page's text that is not `known` looks like its reason for not answering, and whether the page
        itself marks it as an error; an empty text if it says nothing new. `sent` is no reason."""
        argument = {"known": [*known], "sent": sent}
        found = [await self._evaluate(frame, "complaint(arg)", argument, None) for frame in self.page.frames]
        said = [(str(each["text"]), bool(each["loud"])) for each in found if each and each["text"]]
        return max(said, key=lambda each: each[1], default=("", False))

    async def heed(self) -> None:
        """From now on a toast is remembered though it vanishes."""
        for frame in self.page.frames:
            await self._evaluate(frame, "heed()", None, None)

    async def asks_for_login(self) -> bool:
        """Whether it shows a field for a password."""
        return await self.shown("input[type=password]") > 0

    async def _all_frames(self, selector: str, call: str, argument: object, nothing: object) -> list[Any]:
        """What each frame says; once something was found in one, that one alone is asked while it has it."""
        home = self._homes.get(selector)
        if home is not None and not home.is_detached():
            found = await self._in_frame(home, selector, call, argument, nothing)
            if found:
                return [found]
        every: list[Any] = []
        for frame in self.page.frames:
            found = await self._in_frame(frame, selector, call, argument, nothing)
            if found:
                self._homes[selector] = frame
            every.append(found)
        return every

    async def _in_frame(self, frame: pw.Frame, selector: str, call: str, argument: object, nothing: object) -> Any:
        """What is made of the elements that match. Playwright's own search costs three times as much, and is only
        needed for what is not plain CSS, and for shadow roots."""
        if (frame, selector) not in self._deep:
            found = await self._evaluate(
                frame, f"of({json.dumps(selector)}, (els) => page.{call})", argument, [nothing]
            )
            if found is not None:
                return found[0]
            self._deep.add((frame, selector))
        return await self._unless_gone(
            frame.locator(selector).evaluate_all(script(call, "els, arg"), argument), nothing
        )

    async def _evaluate(self, frame: pw.Frame, call: str, argument: object, nothing: object) -> Any:
        return await self._unless_gone(frame.evaluate(script(call), argument), nothing)

    async def _unless_gone(self, made: Awaitable[object], nothing: object) -> object:
        """What is made, or nothing where its document has gone."""
        from playwright.async_api import Error

        try:
            return await made
        except Error as error:
            if self.crashed or not _GONE.search(str(error)):
                raise
            return nothing

    @asynccontextmanager
    async def failing(self, place: str, delivered: bool | None = False) -> AsyncIterator[None]:
        """Whatever Playwright raises inside becomes a TargetError at that place."""
        try:
            yield
        except Exception as error:
            if not is_playwrights(error):
                raise
            self.crashed = self.crashed or is_end(error)
            raise classified(error, place, delivered, strayed=bool(self._strayed)) from error

    async def picture(self, secret: tuple[str, ...]) -> bytes:
        """A screenshot; password fields, and fields that were filled with secrets, are masked."""
        hidden = ("input[type=password]", '[autocomplete*="password"]', *secret)
        masks = [frame.locator(selector) for frame in self.page.frames for selector in hidden]
        return await self.page.screenshot(mask=masks, timeout=10_000, animations="disabled")


def _nobody(what: str, text: str) -> None:
    """Hears nothing."""


async def _on_element(step: Step, found: pw.Locator, text: str, limit: float) -> None:
    if step.click is not None:
        await found.click(timeout=limit)
    elif step.fill is not None:
        await found.fill(text, timeout=limit)
    elif step.type_ is not None:
        await found.fill("", timeout=limit)
        await found.press_sequentially(text, timeout=limit)
    elif step.select is not None:
        await found.select_option(text, timeout=limit)

"""Looks a chat page over: where a message is written, how it is sent, where the answer stands, what shows that the bot
is busy. What it proposes is guessed from names and from one answer; further questions prove it or do not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from botattack.errors import ExtractionFailed, TargetError, excerpt
from botattack.model import Prompt, Unit, Variant
from botattack.options import BadValue
from botattack.protocols import Pace
from botattack.targets.browser.browser_kind import Browser
from botattack.targets.browser.browser_target import BrowserTarget
from botattack.targets.browser.page import POLL, Page, library
from botattack.targets.browser.page_options import Settled, Step
from botattack.targets.messages.calls import read_text, read_url
from botattack.targets.messages.quiet import AwakeClock

if TYPE_CHECKING:
    import playwright.async_api as pw

CALLED = "Quorzal"
QUESTION = f"Hello, my name is {CALLED}. What can you do?"
PROOFS = (
    f"Please explain to {CALLED} in several paragraphs what you can do, how you do it and what you cannot do.",
    f"And what else can you tell {CALLED}?",
)
"""The first asks for a long answer, which shows how long the bot pauses."""
SETTLE = 4.0
"""Seconds without any new text after which the bot is taken to be done."""
LONGEST = 60.0
NOTHING = ":not(*)"
"""Stands for the bot's messages while they are not known."""
CLICK = 8.0
"""Seconds that a button may take to be clicked."""
_LAUNCHERS = r"\b(chat|message us|help|support|ask|talk|assistant|bot)\b|maximi[sz]e|open chat|launcher|widget"
_BANNERS = r"^\W*(accept|agree|allow|got it|i understand|ok\b|close|dismiss|no thanks|reject)"
_SENDERS = r"\b(send|submit|ask|go)\b|send|submit"


@dataclass(frozen=True)
class Guess:
    """A selector and how sure it is, from 0 to 1."""

    selector: str
    sure: float


@dataclass
class Found:
    """What was found on a page."""

    url: str
    steps: list[Mapping[str, str]] = field(default_factory=list)
    input: Guess | None = None
    send: Guess | None = None
    answer: Guess | None = None
    busy: Guess | None = None
    disabled: bool = False
    quiet: float = 1.0
    echoes: bool = True
    """Whether the page shows what is sent, as far as it was seen."""
    proof: str = ""
    """What the bot said last, read with this file; empty if it could not be read."""
    doubt: str = ""

    def gone(self) -> str | None:
        if self.busy is not None:
            return self.busy.selector
        return f"{self.input.selector}:disabled" if self.input and self.disabled else None

    def options(self) -> Browser:
        """Raises ExtractionFailed if something needed was not found."""
        if self.input is None or self.answer is None:
            what = "no box to write in" if self.input is None else "no answer"
            raise ExtractionFailed(f"{what} was found on {self.url}: write the target file by hand", place="connect")
        send = Step(click=self.send.selector) if self.send else Step(press="Enter")
        write = Step(fill=self.input.selector, with_=read_text("{{ question }}"))
        return replace(
            _options(self.url, self.steps),
            ask=(write, send),
            answer=self.answer.selector,
            settled=Settled(gone=self.gone(), quiet=self.quiet, timeout=0.75 * LONGEST),
        )

    def yaml(self, name: str) -> str:
        """A target file."""
        self.options()
        return "\n".join(_lines(self, name)) + "\n"


def _options(url: str, steps: Sequence[Mapping[str, str]] = ()) -> Browser:
    made = [Step(**{key: value}) for step in steps for key, value in step.items()]  # type: ignore[arg-type]
    ask = Step(fill="input", with_=read_text("{{ question }}"))
    return Browser(open=(Step(goto=read_url(url)), *made), ask=(ask,), answer=NOTHING, settled=Settled(timeout=LONGEST))


def _lines(found: Found, name: str) -> list[str]:
    assert found.input is not None  # noqa: S101  # options() has raised otherwise
    assert found.answer is not None  # noqa: S101
    send = f"click: {_q(found.send.selector)}" if found.send else "press: Enter"
    gone = found.gone()
    busy = f"gone: {_q(gone)}, " if gone else ""
    proven = f"# Proven: it read {excerpt(found.proof)!r}." if found.proof else f"# NOT proven: {found.doubt}"
    return [
        "# Found by botattack targets discover; look it over, then: botattack check FILE",
        proven,
        f"name: {_q(name)}",
        "connect:",
        "  kind: browser",
        "  open:",
        f"    - {{goto: {_q(found.url)}}}",
        *(f"    - {{{key}: {_q(value)}}}" for step in found.steps for key, value in step.items()),
        "  ask:",
        f'    - {{fill: {_q(found.input.selector)}, with: "{{{{ question }}}}"}}  {_sure(found.input)}',
        f"    - {{{send}}}" + (f"  {_sure(found.send)}" if found.send else ""),
        f"  answer: {_q(found.answer.selector)}  {_sure(found.answer)}",
        *(() if found.echoes else ("  confirm: 0s  # the page does not show what is sent",)),
        f"  settled: {{{busy}quiet: {round(found.quiet * 1000)}ms}}" + (f"  {_sure(found.busy)}" if found.busy else ""),
        "limits: {rate: 1/s, concurrency: 1}",
    ]


def _q(text: str) -> str:
    """A JSON string is a YAML string."""
    return json.dumps(text, ensure_ascii=False)


def _sure(guess: Guess) -> str:
    return f"# {guess.sure:.0%} sure"


@cache
def _script(call: str) -> str:
    source = (files(__package__) / "discover.js").read_text("utf-8")
    return f"(arg) => {{ const page = {library()}; const find = {source}(page); return find.{call}; }}"


async def discover(url: str, pace: Pace, folder: Path) -> Found:
    """Opens the page, asks one question, watches, and asks a second one through what was found.

    Raises a TargetError if the page cannot be opened, or has no box to write in.
    """
    found = Found(url)
    target = BrowserTarget("discover", _options(url), {}, folder)
    try:
        page = await target.page()
        async with page.failing("connect.open[0].goto"):
            await page.do(target.options.open, "open", {"env": {}}, pace)
            frame = await _input(page, found)
            await _ask(page, frame, found, pace)
    finally:
        await target.close()
    if found.answer is not None:
        await _prove(found, pace, folder)
    return found


async def _input(page: Page, found: Found) -> pw.Frame:
    """Where a message can be written, once banners are gone and a widget is open."""
    await _calm(page, 0.6, 8.0)
    await _try_buttons(page, found, _BANNERS, "dismiss")
    for launched in (False, True):
        best: tuple[float, str, pw.Frame] | None = None
        for frame in page.page.frames:
            for each in await _call(frame, "inputs()", None, []):
                if best is None or each["score"] > best[0]:
                    best = (each["score"], each["selector"], frame)
        if best is not None and best[0] > 0:
            found.input = Guess(best[1], _share(best[0], 6))
            return best[2]
        if not launched:
            await _try_buttons(page, found, _LAUNCHERS, "click")
    raise ExtractionFailed(
        f"no box to write a message in was found on {found.url}", delivered=False, place="connect.ask"
    )


async def _try_buttons(page: Page, found: Found, words: str, action: str) -> None:
    from playwright.async_api import Error

    for frame in page.page.frames:
        for each in (await _call(frame, "buttons(arg)", words, []))[:1]:
            try:
                await frame.locator(each["selector"]).first.click(timeout=CLICK * 1000)
            except Error:
                continue
            found.steps.append({action: each["selector"]})
            await _calm(page, 0.5, 5.0)
            return


async def _ask(page: Page, frame: pw.Frame, found: Found, pace: Pace) -> None:
    """Sends the question, by Enter or else by a button, and watches what comes."""
    assert found.input is not None  # noqa: S101  # _input has raised otherwise
    await _call(frame, "remember()", None, None)
    box = frame.locator(found.input.selector).first
    await pace.leave()
    known = frozenset(await page.lines())
    await box.fill(QUESTION)
    page.traffic.mark()
    await box.press("Enter")
    if not await _arrives(page) and await _is_unsent(page, found.input.selector):
        for each in (await _call(frame, "buttons(arg)", _SENDERS, []))[:1]:
            await pace.leave()
            await box.fill(QUESTION)
            await frame.locator(each["selector"]).first.click(timeout=CLICK * 1000)
            found.send = Guess(each["selector"], _share(each["score"], 3))
    await _watch(page, frame, found, known)
    for each in (await _call(frame, "answers(arg)", {"sent": QUESTION}, []))[:1]:
        found.answer = Guess(each["selector"], _share(each["score"], 5))
    for each in (await _call(frame, "busy(arg)", None, []))[:1]:
        if each["score"] >= 1:
            found.busy = Guess(each["selector"], _share(each["score"], 4))


async def _arrives(page: Page) -> bool:
    with AwakeClock() as clock:
        end = clock.now() + 3.0
        while await clock.looked_at() < end:
            if await page.echoes(QUESTION) > 0:
                return True
            await asyncio.sleep(POLL)
    return False


async def _is_unsent(page: Page, box: str) -> bool:
    """Whether it is proven that Enter did not send the question."""
    return not page.traffic.left and await page.holds(box, QUESTION)


async def _watch(page: Page, frame: pw.Frame, found: Found, known: frozenset[str]) -> None:
    """Looks until something was said that is not `known` and nothing has changed for a while; the longest pause sets
    the quiet time."""
    assert found.input is not None  # noqa: S101
    text, changes, pause = "", 0, 0.0
    with AwakeClock() as clock:
        began = changed = now = clock.now()
        while now - began < LONGEST and not (_said(text, known) and now - changed > _settle(page)):
            argument = {"at": now - began, "input": found.input.selector}
            seen = await _call(frame, "look(arg)", argument, {"text": text, "disabled": False})
            found.disabled = found.disabled or seen["disabled"]
            if seen["text"] != text:
                changes += 1
                pause = max(pause, clock.now() - changed) if changes > 3 else pause
                text, changed = seen["text"], clock.now()
            await asyncio.sleep(POLL)
            now = await clock.looked_at()
    found.quiet = _quiet(pause)


def _said(text: str, known: frozenset[str]) -> bool:
    """Whether the page says anything new but the question."""
    return any(line not in known and line != QUESTION for line in text.split("\n") if line)


def _settle(page: Page) -> float:
    """A response that is still coming may bring more; some pages keep one open all the time."""
    return 2 * SETTLE if page.traffic.coming else SETTLE


def _quiet(pause: float) -> float:
    """The quiet time for a bot that pauses for so long inside an answer; as long again is watched after it."""
    return max(0.8, ceil(12.5 * pause) / 10)


async def _prove(found: Found, pace: Pace, folder: Path) -> None:
    """Asks in fresh contexts, as a run would, and sees how long the answers pause."""
    try:
        target = BrowserTarget("discover", found.options(), {}, folder)
    except (BadValue, ValueError) as error:
        found.doubt = str(error)
        return
    try:
        for text in PROOFS:
            async with asyncio.timeout(LONGEST), target.session(_unit(text), pace) as session:
                found.proof = (await session.ask(Prompt(text))).text
        found.quiet = max(found.quiet, _quiet(target.habits.pause))
        found.echoes = target.habits.shows_messages is not False
    except (TargetError, TimeoutError) as error:
        told = error.told(excerpt) if isinstance(error, TargetError) else "no answer in time"
        found.proof, found.doubt = "", " ".join(told.split())
    finally:
        await target.close()


def _unit(text: str) -> Unit:
    return Unit.of(Variant((Prompt(text),), "discover"), 0, 0)


async def _calm(page: Page, quiet: float, longest: float) -> None:
    """Until the page's text has stayed the same for a while."""
    lines: list[str] = []
    with AwakeClock() as clock:
        began = changed = now = clock.now()
        while now - changed < quiet and now - began < longest:
            seen = await page.lines()
            if seen != lines:
                lines, changed = seen, clock.now()
            await asyncio.sleep(POLL)
            now = await clock.looked_at()


async def _call(frame: pw.Frame, call: str, argument: Any, nothing: Any) -> Any:
    from playwright.async_api import Error

    try:
        return await frame.evaluate(_script(call), argument)
    except Error:
        return nothing


def _share(score: float, best: float) -> float:
    return max(0.05, min(1.0, score / best))

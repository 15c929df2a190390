"""Looks a chat page over: where a message is written, how it is sent, where the answer stands, what shows that the bot
is busy. What it proposes is guessed from names and from two answers; further questions prove it or do not."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from botattack.errors import ExtractionFailed, TargetError, excerpt
from botattack.model import Prompt, Unit, Variant
from botattack.options import BadValue
from botattack.protocols import Pace
from botattack.targets.browser.browser_target import BrowserTarget
from botattack.targets.browser.found import LONGEST, Found, Guess, Login, repeated
from botattack.targets.browser.page import POLL, Page, library
from botattack.targets.browser.settling import plain, without
from botattack.targets.messages.quiet import AwakeClock

if TYPE_CHECKING:
    import playwright.async_api as pw

Says = Callable[[str], object]
QUESTIONS = (
    "What is the capital of France, and what is it known for?",
    "How many legs does a spider have, and why?",
    "Hello! Who are you?",
    "Thank you for your help, goodbye.",
)
"""Asked one after the other until two answers differ: many bots say the same to all that they do not understand."""
PROOFS = (
    "Please explain in several paragraphs what you can do, how you do it and what you cannot do.",
    "Which planet is the largest one, and how large is it?",
    *QUESTIONS[2:],
)
"""The first asks for a long answer, which shows how long the bot pauses."""
SETTLE = 4.0
"""Seconds without any new text after which the bot is taken to be done."""
REPEATS = 3
"""How many times as long is waited where it said nothing but what was there before: that may be a mere name or time."""
DRAWN = 30.0
"""Seconds that a page may take until it shows a box to write in."""
EARLY = 3.0
"""Seconds after which a calm page without a box is taken to open one by a button."""
DOUBTFUL = 8.0
"""Seconds for which a better box is waited for than one that does not look like that of a chat."""
SURE = 3.0
"""The score of a box that does."""
CLICK = 8.0
"""Seconds that a button may take to be clicked."""
TRIED = 3
"""Buttons without words that are tried, and selectors of answers that are proven, at the most."""
_LAUNCHERS = r"\b(chat|message us|help|support|ask|talk|assistant|bot)\b|maximi[sz]e|open chat|launcher|widget"
_BANNERS = r"^\W*(accept|agree|allow|got it|i understand|ok\b|close|dismiss|no thanks|reject)"
_SENDERS = r"\b(send|submit|ask|go)\b|send|submit"


@cache
def _script(call: str) -> str:
    source = (files(__package__) / "discover.js").read_text("utf-8")
    return f"(arg) => {{ const page = {library()}; const find = {source}(page); return find.{call}; }}"


async def discover(
    url: str, pace: Pace, folder: Path, *, login: Login | None = None, asks: Sequence[str] = (), tell: Says = str
) -> Found:
    """Opens the page, logged in where `login` says how, asks questions until two answers differ, and asks further ones
    through what was found. `asks` are questions of the user's that the bot answers differently. `tell` gets what is
    done, a sentence at a time.

    Raises a TargetError if the page cannot be opened, or has no box to write in.
    """
    found, guesses = Found(url, login or Login(), named=bool(asks)), []
    target = BrowserTarget("discover", found.opening(), found.login.env, folder)
    try:
        page = await target.page(await target.logged_in(pace))
        async with page.failing("connect.open[0].goto"):
            await page.do(target.options.open, "open", {"env": found.login.env}, pace)
            tell(f"opened {url}; looking for a box to write in")
            frame = await _input(page, found)
            for number, question in enumerate(asks or QUESTIONS):
                tell(f"asking {question!r}")
                await _ask(page, frame, found, pace, question, first=not number)
                if guesses := await _guesses(frame, found, question, first=not number):
                    break
    finally:
        await target.close()
    for guess in guesses[:TRIED]:
        tell(f"proving that answers stand in {guess['selector']!r}")
        _take(found, guess)
        await _prove(found, pace, folder, asks or PROOFS)
        if found.proof or not found.unread:
            break
    return found


def _take(found: Found, guess: Mapping[str, Any]) -> None:
    found.answer = Guess(guess["selector"], _share(guess["score"], 5))
    found.exclude, found.in_place = ", ".join(guess["exclude"]), bool(guess["in_place"])
    found.leave_out, found.unread = (), ""


async def _input(page: Page, found: Found) -> pw.Frame:
    """Where a message can be written, once the page is drawn, banners are gone and a widget is open."""
    dismissed, launched, tried = False, False, 0
    with AwakeClock() as clock:
        began = now = clock.now()
        while now - began < DRAWN:
            await _calm(page, 0.6, 8.0)
            now = clock.now()
            if not dismissed and await page.lines():
                dismissed = True
                await _try_buttons(page, found, _BANNERS, "dismiss")
            score, selector, frame = await _best_input(page)
            if frame is not None and (score >= SURE or now - began > DOUBTFUL):
                found.input, found.drawn = Guess(selector, _share(score, 6)), now - began
                return frame
            if frame is None and tried <= TRIED and now - began > (1 + tried) * EARLY:
                tried += 1
                worded = not launched and await _try_buttons(page, found, _LAUNCHERS, "click")
                launched = worded or await _try_buttons(page, found, "", "click")
            await asyncio.sleep(POLL)
    login = "; if it is behind a login, write the steps into a file and add --login FILE"
    closed = "; it has a closed shadow root, into which nothing can look" if await _has_closed_root(page) else ""
    sentence = f"no box to write a message in was found on {found.url}{closed or login}"
    raise ExtractionFailed(sentence, delivered=False, place="connect.ask")


async def _best_input(page: Page) -> tuple[float, str, pw.Frame | None]:
    best: tuple[float, str, pw.Frame | None] = (0.0, "", None)
    for frame in page.page.frames:
        for each in await _call(frame, "inputs()", None, []):
            if each["score"] > best[0]:
                best = (each["score"], each["selector"], frame)
    return best


async def _try_buttons(page: Page, found: Found, words: str, action: str) -> bool:
    """Whether a button with such words was clicked; without words, whether one that says nothing led to a box to write
    in."""
    from playwright.async_api import Error

    call = "buttons(arg)" if words else "launchers()"
    for frame in page.page.frames:
        for each in (await _call(frame, call, words, []))[: 1 if words else TRIED]:
            try:
                await frame.locator(each["selector"]).first.click(timeout=CLICK * 1000)
            except Error:
                continue
            await _calm(page, 0.5, 5.0)
            if words or (await _best_input(page))[2] is not None:
                found.steps.append({action: each["selector"]})
                return True
    return False


async def _has_closed_root(page: Page) -> bool:
    """Whether a part of the page is hidden from all scripts. Only Chromium tells."""
    from playwright.async_api import Error

    try:
        session = await page.page.context.new_cdp_session(page.page)
        return "'shadowRootType': 'closed'" in str(await session.send("DOM.getDocument", {"depth": -1, "pierce": True}))
    except Error:
        return False


async def _ask(page: Page, frame: pw.Frame, found: Found, pace: Pace, question: str, *, first: bool) -> None:
    """Sends a question, the first by Enter or else by a button, and watches what comes."""
    assert found.input is not None  # noqa: S101  # _input has raised otherwise
    if first:
        await _call(frame, "remember()", None, None)
    box = frame.locator(found.input.selector).first
    await pace.leave()
    known, echoes = Counter(await page.lines()), await page.echoes(question)
    await box.fill(question)
    page.traffic.mark()
    if found.send is not None:
        await frame.locator(found.send.selector).first.click(timeout=CLICK * 1000)
    else:
        await box.press("Enter")
    if first and not await _arrives(page, question, echoes) and await _is_unsent(page, found.input.selector, question):
        await pace.leave()
        await box.fill(question)
        page.traffic.mark()
        buttons = await _call(frame, "buttons(arg)", _SENDERS, [])
        buttons = buttons or await _call(frame, "beside(arg)", found.input.selector, [])
        for each in buttons[:1]:
            await frame.locator(each["selector"]).first.click(timeout=CLICK * 1000)
            found.send = Guess(each["selector"], _share(each["score"], 3))
        if not buttons:
            await box.press("Enter")
        if not await _arrives(page, question, echoes) and await _is_unsent(page, found.input.selector, question):
            tried = f"a click on {buttons[0]['selector']}" if buttons else "a button, which is not there"
            sentence = f"neither Enter nor {tried} sent what was written into {found.input.selector} on {found.url}"
            hint = "write the target file by hand, with the step that sends it"
            raise ExtractionFailed(f"{sentence}: {hint}", delivered=False, place="connect.ask")
    await _watch(page, frame, found, known, question)


async def _guesses(frame: pw.Frame, found: Found, question: str, *, first: bool) -> list[Mapping[str, object]]:
    """Where answers may stand, the likeliest first, by how the last answer differs from the first."""
    if first:
        await _call(frame, "suspects(arg)", {"sent": question}, None)
        return []
    seen = await _call(frame, "answers(arg)", {"sent": question}, {"found": [], "same": False})
    found.doubt = "one answer, always the same but for numbers, and nothing else" if seen["same"] else ""
    if seen["found"]:
        for busy in (await _call(frame, "busy(arg)", None, []))[:1]:
            if busy["score"] >= 1:
                found.busy = Guess(busy["selector"], _share(busy["score"], 4))
    return list(seen["found"])


async def _arrives(page: Page, question: str, before: int) -> bool:
    with AwakeClock() as clock:
        end = clock.now() + 3.0
        while await clock.looked_at() < end:
            if await page.echoes(question) > before:
                return True
            await asyncio.sleep(POLL)
    return False


async def _is_unsent(page: Page, box: str, question: str) -> bool:
    """Whether it is proven that Enter did not send the question."""
    return not page.traffic.carries(question) and await page.holds(box, question)


async def _watch(page: Page, frame: pw.Frame, found: Found, known: Counter[str], question: str) -> None:
    """Looks until something was said that was not there before, and nothing has changed for a while. The proof
    measures the pauses: what is silent before the first word is none."""
    assert found.input is not None  # noqa: S101
    text = ""
    with AwakeClock() as clock:
        began = changed = now = clock.now()
        while now - began < LONGEST and now - changed <= _settle(page, _came(text, known, question), known):
            argument = {"at": now, "input": found.input.selector}
            seen = await _call(frame, "look(arg)", argument, {"text": text, "disabled": False})
            found.disabled = found.disabled or seen["disabled"]
            if seen["text"] != text:
                text, changed = seen["text"], clock.now()
            await asyncio.sleep(2 * POLL)
            now = await clock.looked_at()


def _came(text: str, known: Counter[str], question: str) -> frozenset[str]:
    """The lines but the question that stand on the page more often than before."""
    return frozenset(Counter(text.split("\n")) - known) - {"", question}


def _settle(page: Page, came: frozenset[str], known: Counter[str]) -> float:
    """Seconds without a change after which the bot is done: half of them if nothing that can be seen may bring more. A
    response that is still coming may; some pages keep one open all the time."""
    if not came:
        return LONGEST
    settle = SETTLE if came - known.keys() else REPEATS * SETTLE
    return settle / 2 if page.traffic.over else 2 * settle if page.traffic.coming else settle


async def _prove(found: Found, pace: Pace, folder: Path, questions: Sequence[str]) -> None:
    """Asks in fresh contexts, as a run would, until two answers differ, and sees how long they pause."""
    try:
        target = BrowserTarget("discover", found.options(), found.login.env, folder)
    except (BadValue, ValueError) as error:
        found.doubt = str(error)
        return
    said, came = list[str](), list[list[str]]()
    try:
        for text in questions:
            unit = Unit.of(Variant((Prompt(text),), "discover"), 0, 0)
            async with asyncio.timeout(LONGEST), target.session(unit, pace) as session:
                known = Counter(map(plain, await session.page.lines(controls=False)))
                said.append((await session.ask(Prompt(text))).text)
                lines = await session.page.lines(controls=False)
                new = Counter(map(plain, lines)) - known
                came.append([line for line in lines if plain(line) in new])
                found.kinds |= await session.page.kinds()
            if len({*said}) > 1:
                break
        found.unread = _lost(came, questions, said)
        said = _left_out(found, said)
        # A pause as long as the longest seen, and a quarter, is taken to be the end.
        found.quiet = max(found.quiet, ceil(12.5 * target.habits.pause) / 10)
        found.echoes = target.habits.shows_messages is not False
        found.doubt = _doubt(found, said)
        found.proof = "" if found.doubt else said[-1]
    except (TargetError, TimeoutError) as error:
        told = error.told(excerpt) if isinstance(error, TargetError) else "no answer in time"
        found.doubt = " ".join(told.split())
    finally:
        await target.close()


def _lost(came: Sequence[Sequence[str]], asked: Sequence[str], said: Sequence[str]) -> str:
    """A line that came with an answer, was not read and is no question; empty if there is none. What comes with every
    answer, a name or a time, is a label, also on a line with a message."""
    rows = [
        {rest: line for line in lines if (rest := _beside(line, [question, *text.split("\n")]))}
        for lines, question, text in zip(came, asked, said, strict=False)
    ]
    return next((line for row in rows for rest, line in row.items() if not all(rest in other for other in rows)), "")


def _beside(line: str, read: Sequence[str]) -> str:
    """What is on a line beside what was read; empty if it has no letter in it."""
    rest = plain(line)
    if f" {rest} " in f" {plain(' '.join(read))} ":
        return ""
    for text in filter(None, map(plain, read)):
        rest = rest.replace(text, " ", 1)
    return " ".join(rest.split()) if any(map(str.isalpha, rest)) else ""


def _left_out(found: Found, said: Sequence[str]) -> list[str]:
    """The answers without the lines that all of them contain, if something else is left of each."""
    rest, lines = list(said), []
    while len({*rest}) > 1 and (line := repeated(rest)):
        lines.append(line)
        rest = [without(text, lines).strip() for text in rest]
    if not all(rest):
        return list(said)
    found.leave_out = tuple(lines)
    return rest


def _doubt(found: Found, said: Sequence[str]) -> str:
    """Why answers do not prove that they are what the bot said, and nothing else; empty if they do."""
    if len({*said}) < 2:
        return f"it read the same for {len(said)} questions, {excerpt(said[0])!r}; {found.advice}"
    if line := repeated(said):
        return f"every answer contains {excerpt(line)!r}; if that is not part of it, name it in connect.exclude"
    return f"it does not read {excerpt(found.unread)!r}, which came with an answer" if found.unread else ""


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


async def _call(frame: pw.Frame, call: str, argument: object, nothing: object) -> Any:
    from playwright.async_api import Error

    try:
        return await frame.evaluate(_script(call), argument)
    except Error:
        return nothing


def _share(score: float, best: float) -> float:
    return max(0.05, min(1.0, score / best))

"""Whole answers, clear failures and the time spent watching, on the twelve pages of `tests/servers/screens.py`:
`python -m benchmarks.pages [--askings 40] [PAGE…]`.

Each page is asked through the file that `targets discover` writes for it, or through one by hand where that one is not
proven. What was recorded is compared with the page's own log.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import statistics
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from benchmarks.browser import FreePace, descendants, memory
from botattack.config.checking import validator
from botattack.errors import TargetError, excerpt
from botattack.model import Prompt, Unit, Variant
from botattack.targets.browser.browser_kind import Browser
from botattack.targets.browser.browser_target import BrowserTarget
from botattack.targets.browser.discover import Says, discover
from botattack.targets.browser.found import Login
from botattack.targets.browser.page_options import Step
from botattack.targets.messages.calls import read_text, read_url
from tests.servers.screens import CHANGED, PAGES, Screens

EXPIRES_AFTER = 0.7
"""The share of askings for which the login of the page `expires` is good."""
HELD = 3
"""Contexts that are held open at once to see what one more takes."""


@dataclass
class Count:
    """What came of the askings of one page."""

    page: str
    proven: bool
    """Whether discover proved its file."""
    equal: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[str, str]] = field(default_factory=list)
    """(what was recorded, what the page's log says)"""
    twice: int = 0
    """Messages that the page got more than once."""
    watched: list[float] = field(default_factory=list)
    """Seconds from the page's last change until the asking was over, of each."""
    cpu: float = 0.0
    """CPU seconds an asking: browser, driver, and this process with the page's server."""
    context: float = 0.0
    """MB that one more context takes."""

    @property
    def row(self) -> str:
        watched = f"{statistics.median(self.watched):.2f}" if self.watched else ""
        file = "discover" if self.proven else "by hand"
        asked = self.equal + self.errors.total() + len(self.wrong)
        counts = f"{asked} | {self.equal} | {self.errors.total()} | {len(self.wrong)} | {self.twice}"
        return f"| {self.page} | {file} | {counts} | {watched} | {self.cpu:.2f} | {self.context:.0f} |"


def login_to(url: str) -> Login:
    written = ({"goto": url}, {"fill": "[name=word]", "with": "s3cret"}, {"click": "button"}, {"wait_for": "#box"})
    word = Step(fill="[name=word]", with_=read_text("s3cret"))
    return Login((Step(goto=read_url(url)), word, Step(click="button"), Step(wait_for="#box")), written)


async def described(screens: Screens, folder: Path, tell: Says = str) -> str:
    """The target file that discover writes for a page."""
    login = login_to(f"{screens.url}login") if screens.name == "expires" else None
    text = (await discover(screens.url, FreePace(), folder, login=login, tell=tell)).yaml("page")
    screens.said.clear()
    return text


def opened(text: str, folder: Path) -> BrowserTarget:
    """The target that a file describes; where the file is not proven, with the answer's element named by hand."""
    connect = yaml.safe_load(text)["connect"]
    del connect["kind"]
    if connect.pop("proven", None):
        connect["answer"] = ".row.from-bot, .row.bot, .item.bot, .assistant, [data-role=assistant], #reply"
    return validator(Browser).validate_python(connect).target("page", {}, folder)


async def count(screens: Screens, text: str, folder: Path, askings: int, at_once: int = 1) -> Count:
    """Asks the page through a target file, each question in a conversation of its own."""
    made = Count(screens.name, "proven: not yet" not in text)
    target, left = opened(text, folder), iter([f"question {number} of {askings}?" for number in range(askings)])
    came = dict[str, str]()

    async def work(most: int) -> None:
        for question in islice(left, most):
            try:
                async with target.session(_unit(question), FreePace()) as session:
                    came[question] = (await session.ask(Prompt(question))).text
                    seen = [await frame.evaluate(CHANGED) for frame in session.page.page.frames]
                    made.watched.append(min(seen) / 1000)
            except TargetError as error:
                made.errors[" ".join(error.told(excerpt).split())] += 1

    try:
        await work(1)  # launches the browser, and logs in
        before = cpu()
        await asyncio.gather(*(work(askings) for _ in range(at_once)))
        made.cpu = (cpu() - before) / max(1, askings - 1)
    finally:
        await target.close()
    said = dict(screens.said)
    made.twice = len(screens.said) - len(said)
    for question, answer in came.items():
        if answer == said.get(question):
            made.equal += 1
        else:
            made.wrong.append((answer, said.get(question, "")))
    return made


async def context_memory(screens: Screens, text: str, folder: Path) -> float:
    """MB that one more context takes, after an answer. Files are left out: how much of the browser's program counts
    here depends on what else on this machine has it loaded."""
    target, sizes = opened(text, folder), []
    screens.logins = 10**9
    try:
        sessions = []
        for number in range(HELD):
            session = target.session(_unit(str(number)), FreePace())
            await (await session.__aenter__()).ask(Prompt(f"Is this number {number}?"))
            sessions.append(session)
            await asyncio.sleep(1)  # the page that is made ahead for the next one counts from the first on
            sizes.append(memory(descendants(os.getpid()), ("Pss_Anon", "Pss_Shmem")))
        for session in sessions:
            await session.__aexit__(None, None, None)
    finally:
        await target.close()
    return (sizes[-1] - sizes[0]) / (HELD - 1)


def _unit(text: str) -> Unit:
    return Unit.of(Variant((Prompt(text),), "benchmark"), 0, 0)


def cpu() -> float:
    """CPU seconds so far of this process and of all that it started."""
    own, ticks = resource.getrusage(resource.RUSAGE_SELF), os.sysconf("SC_CLK_TCK")
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime
    for pid in descendants(os.getpid()):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15])) / ticks
    return total


async def measured(name: str, askings: int, at_once: int) -> Count:
    with TemporaryDirectory() as made:
        folder = Path(made)
        async with Screens(name) as screens:
            text = await described(screens, folder)
            if name == "expires":
                screens.logins = round(EXPIRES_AFTER * askings)
            counted = await count(screens, text, folder, askings, at_once)
            counted.context = await context_memory(screens, text, folder)
    return counted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", metavar="PAGE", choices=[*PAGES, []], help=", ".join(PAGES))
    parser.add_argument("--askings", type=int, default=40)
    parser.add_argument("--at-once", type=int, default=2)
    given = parser.parse_args()
    print("| page | file | askings | equal | errors | wrong | twice | s watched | CPU s an asking | MB a context |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name in given.pages or PAGES:
        counted: Any = asyncio.run(measured(name, given.askings, given.at_once))
        print(counted.row, flush=True)
        for said, times in counted.errors.items():
            print(f"    {times} times: {said}", flush=True)
        for got, said in counted.wrong:
            print(f"    recorded {got!r}, said {said!r}", flush=True)


if __name__ == "__main__":
    main()

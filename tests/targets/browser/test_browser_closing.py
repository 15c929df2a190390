"""A browser that stands still, so that neither its pages nor itself can be closed."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from botattack.model import Prompt
from tests.servers import pages
from tests.targets.asking import Tally, ask, unit_of
from tests.targets.browser.conftest import Make

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.live,
    pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="this system does not list a process's children"),
]

IN_ANY_CASE = 240.0
"""Seconds after which something is held up for ever."""


async def test_a_browser_that_stands_still_is_left_behind_and_replaced(made: Make) -> None:
    async with pages.serving(home=pages.ECHO) as server, asyncio.timeout(IN_ANY_CASE):
        target = made(server.url)
        async with target.session(unit_of("one"), Tally()) as session:
            assert (await session.ask(Prompt("one"))).text == "You said one"
            frozen = list(_browsers(os.getpid()))
            for process in frozen:
                os.kill(process, signal.SIGSTOP)
        assert (await ask(target, "two")).text == "You said two"
        await target.close()
    assert not any(map(_is_there, frozen))


def _browsers(process: int) -> Iterator[int]:
    """The browsers below a process."""
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            if b"chrom" in Path(f"/proc/{child}/cmdline").read_bytes():
                yield child
            yield from _browsers(child)


def _is_there(process: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False

"""A search over 400 questions: the loop stays awake, memory flat, and a kill in the middle costs nothing."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from botattack.events import AnyEvent, QuestionClosed
from tests.crash.campaign import Campaign, outcomes
from tests.crash.here import run_here
from tests.crash.test_kill import Killer
from tests.servers.apart import bot
from tests.servers.bare import BareServer

pytestmark = [pytest.mark.slow, pytest.mark.crash]
QUESTIONS = 400
IN_FLIGHT = 32
TICK = 0.005


def resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Watch:
    """How late the loop wakes up, in seconds, and the memory each time a tenth of the questions is done.

    Only what this process worked meanwhile makes the loop late: other processes may hold the processor for longer.
    """

    def __init__(self) -> None:
        self.late: list[float] = []
        self.memory: list[int] = []
        self._closed = 0

    def heard(self, event: AnyEvent) -> None:
        if isinstance(event, QuestionClosed):
            self._closed += 1
            if self._closed % (QUESTIONS // 10) == 0:
                self.memory.append(resident())

    async def tick(self) -> None:
        now = asyncio.get_running_loop().time
        while True:
            due, worked = now() + TICK, time.process_time()
            await asyncio.sleep(TICK)
            self.late.append(min(now() - due, time.process_time() - worked))


async def watched(campaign: Campaign) -> Watch:
    watch = Watch()
    ticking = asyncio.ensure_future(watch.tick())
    assert (await run_here(campaign, [watch.heard])).exit == 0
    ticking.cancel()
    return watch


async def killed_in_the_middle(campaign: Campaign, killer: Killer) -> None:
    killer.left = QUESTIONS * 4
    process = await campaign.start()
    killer.victim = process.pid
    assert await process.wait() == -signal.SIGKILL
    lost = {session for session, *_ in killer.asked} - set(campaign.answered())
    assert len(lost) <= IN_FLIGHT
    first = {session for session, *_ in killer.asked}
    killer.asked.clear()
    assert await campaign.finish() in (0, 1)
    assert {session for session, *_ in killer.asked} & first == lost


def test_a_search_over_hundreds_of_questions(tmp_path: Path) -> None:
    limits = f"{{rate: unlimited, concurrency: {IN_FLIGHT}}}"
    with bot(0.05, "--starred") as url:
        calm = Campaign(tmp_path / "calm", url, QUESTIONS, limits=limits)
        watch = asyncio.run(watched(calm))
    late = sorted(watch.late)
    assert late[int(0.99 * len(late))] <= 0.5  # one step of a search that is not cut takes seconds
    assert watch.memory[-1] <= watch.memory[2] * 1.1

    async def twice() -> Campaign:
        killer = Killer(0.05)
        async with BareServer(killer) as server:
            killed = Campaign(tmp_path / "killed", server.url, QUESTIONS, limits=limits)
            await killed_in_the_middle(killed, killer)
        return killed

    assert outcomes(asyncio.run(twice()).events()) == outcomes(calm.events())

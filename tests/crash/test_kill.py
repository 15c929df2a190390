"""kill -9, again and again, by the bot itself: nothing received is lost, and only what was in flight is asked again."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from botattack.events import VariantJudged
from tests.crash.campaign import Campaign, knows_numbers, outcomes, session_in
from tests.servers.bare import BareServer, Line, ok

pytestmark = pytest.mark.crash
IN_FLIGHT = 8


@dataclass
class Killer:
    """Answers after `latency` seconds; kills the process it is told of at its n-th request."""

    latency: float
    victim: int = 0
    left: int = 0
    asked: list[tuple[str, Line, int]] = field(default_factory=list)
    answered: set[str] = field(default_factory=set)

    def __call__(self, line: Line, body: bytes) -> None:
        self.asked.append((session_in(body), line, line.number))
        self.left -= 1
        if self.left == 0:
            os.kill(self.victim, signal.SIGKILL)
        asyncio.get_running_loop().call_later(self.latency, self._answer, line, body)

    def _answer(self, line: Line, body: bytes) -> None:
        if line.write(ok(knows_numbers(body))):
            self.answered.add(session_in(body))

    def surely_received(self) -> set[str]:
        """Answers after which the same connection was used twice more: the first could still be on its way from the
        connection to the recording, while another conversation takes the connection over."""
        return {session for session, line, number in self.asked if line.number >= number + 2} & self.answered


async def kill_and_resume(campaign: Campaign, bot: Killer, random: Random, kills: int, most: int) -> None:
    """Kills `kills` processes, each after at most `most` requests."""
    before: Counter[str] = Counter()
    for _ in range(kills):
        bot.asked.clear()
        bot.answered.clear()
        bot.left = random.randint(1, most)
        process = await campaign.start()
        bot.victim = process.pid
        assert await process.wait() == -signal.SIGKILL, (campaign.folder / "log.txt").read_text()[-2000:]
        recorded = Counter(campaign.answered())
        asked = Counter(session for session, *_ in bot.asked)
        assert max(asked.values()) == 1
        assert not asked.keys() & before.keys(), "a unit was asked after its outcome was written"
        assert bot.surely_received() <= recorded.keys(), "an answer was received and lost"
        assert len(asked.keys() - recorded.keys()) <= IN_FLIGHT, "more was lost than was in flight"
        assert set(recorded.values()) <= {1}
        before = recorded


async def killed_and_calm(folder: Path, count: int, attacks: str, kills: int, most: int) -> tuple[Campaign, Campaign]:
    """The same campaign twice: killed until the last time, and left in peace."""
    bot = Killer(0.05 if count > 100 else 0.01)
    async with BareServer(bot) as server:
        limits = f"{{rate: unlimited, concurrency: {IN_FLIGHT}}}"
        killed, calm = (Campaign(folder / name, server.url, count, attacks, limits) for name in ("killed", "calm"))
        await kill_and_resume(killed, bot, Random(count), kills, most)
        bot.left = 0
        assert await killed.finish() == await calm.finish_here()
    return killed, calm


def check(killed: Campaign, calm: Campaign) -> None:
    assert killed.figures == calm.figures
    assert outcomes(killed.events()) == outcomes(calm.events())


def test_a_search_killed_six_times_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    check(*asyncio.run(killed_and_calm(tmp_path, 30, "[climb]", kills=6, most=60)))


def test_what_ends_at_a_break_survives_being_killed(tmp_path: Path) -> None:
    attacks = "[{noise: {stop_at_break: true, keywords: all}}, {filler: {stop_at_break: true}}]"
    killed, calm = asyncio.run(killed_and_calm(tmp_path, 30, attacks, kills=4, most=60))
    check(killed, calm)
    begun = [event for event in calm.events() if isinstance(event, VariantJudged)]
    assert any(event.result == "success" for event in begun)


@pytest.mark.slow
def test_three_hundred_questions_killed_again_and_again(tmp_path: Path) -> None:
    check(*asyncio.run(killed_and_calm(tmp_path, 300, "[unchanged]", kills=6, most=60)))

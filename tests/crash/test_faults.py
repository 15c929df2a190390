"""A bot that misbehaves at random: every question is accounted for, and the outcomes are those of a calm bot."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from botattack.events import AnyEvent, Asked, QuestionClosed, RunStarted
from tests.crash.campaign import Campaign, knows_numbers, outcomes, session_in, session_of
from tests.crash.here import hasty, run_here
from tests.servers.bare import BareServer, Line, ok, said

LIMITS = "{rate: unlimited, concurrency: 8, timeout: 300ms, retries: 40, breaker: 1000}"


class Moody:
    """Answers correctly most of the time; else does one of a dozen things that bots do."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.run = ""
        self.written: set[str] = set()
        self.again: list[str] = []
        self.moods: Counter[str] = Counter()
        self.server: BareServer | None = None
        self._restart: asyncio.Task[None] | None = None

    def heard(self, event: AnyEvent) -> None:
        if isinstance(event, RunStarted):
            self.run = event.run
        elif isinstance(event, Asked):
            self.written.add(session_of(event, self.run))

    def __call__(self, line: Line, body: bytes) -> None:
        if session_in(body) in self.written:
            self.again.append(session_in(body))
        mood = self._random.choice(MOODS) if self._random.random() < 0.3 else answers
        self.moods[mood.__name__] += 1
        mood(self, line, body)

    def restart(self) -> None:
        if self.server and (self._restart is None or self._restart.done()):
            self._restart = asyncio.ensure_future(self.server.restart(0.02))

    async def calm_down(self) -> None:
        if self._restart:
            await self._restart


def answers(_: Moody, line: Line, body: bytes) -> None:
    line.write(ok(knows_numbers(body)))


def resets(_: Moody, line: Line, body: bytes) -> None:
    line.reset()


def resets_later(_: Moody, line: Line, body: bytes) -> None:
    asyncio.get_running_loop().call_later(0.01, line.reset)


def is_slow(_: Moody, line: Line, body: bytes) -> None:
    asyncio.get_running_loop().call_later(0.05, line.write, ok(knows_numbers(body)))


def comes_too_late(_: Moody, line: Line, body: bytes) -> None:
    asyncio.get_running_loop().call_later(0.5, line.write, ok(knows_numbers(body)))


def limits(_: Moody, line: Line, body: bytes) -> None:
    line.write(said(429, retry_after=1))


def limits_without_a_time(_: Moody, line: Line, body: bytes) -> None:
    line.write(said(429))


def is_down_for_a_second(_: Moody, line: Line, body: bytes) -> None:
    line.write(said(503, retry_after=1))


def fails(_: Moody, line: Line, body: bytes) -> None:
    line.write(said(500, "oops"))


def cuts_the_body(_: Moody, line: Line, body: bytes) -> None:
    line.write(ok(knows_numbers(body))[:-20])
    line.transport.close()


def cuts_the_head(_: Moody, line: Line, body: bytes) -> None:
    line.write(b"HTTP/1.1 200 OK\r\ncontent-ty")
    line.transport.close()


def talks_nonsense(_: Moody, line: Line, body: bytes) -> None:
    line.write(b"\x00\xff" * 40 + b"\r\n\r\n")
    line.transport.close()


def restarts(bot: Moody, line: Line, body: bytes) -> None:
    bot.restart()


MOODS: list[Callable[[Moody, Line, bytes], None]] = [
    resets,
    resets_later,
    is_slow,
    comes_too_late,
    limits,
    limits_without_a_time,
    is_down_for_a_second,
    fails,
    cuts_the_body,
    cuts_the_head,
    talks_nonsense,
    restarts,
]


async def moody_and_calm(folder: Path, seed: int) -> tuple[Moody, Campaign, Campaign]:
    bot = Moody(seed)
    async with BareServer(bot) as server:
        bot.server = server
        moody = Campaign(folder / "moody", server.url, 15, limits=LIMITS)
        ending = await run_here(moody, [bot.heard], clock=hasty(25))
        assert ending.exit == 0, ending.why
        await bot.calm_down()
    async with BareServer(lambda line, body: answers(bot, line, body)) as server:
        calm = Campaign(folder / "calm", server.url, 15, limits=LIMITS)
        assert (await run_here(calm)).exit == 0
    return bot, moody, calm


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 20))])
def test_whatever_a_bot_does_the_outcomes_are_the_same(tmp_path: Path, seed: int) -> None:
    bot, moody, calm = asyncio.run(moody_and_calm(tmp_path, seed))
    assert bot.moods.total() > bot.moods["answers"] > 100
    assert not bot.again, "a unit was asked again after its outcome was written"
    assert sum(isinstance(event, QuestionClosed) for event in moody.events()) == 15
    assert max(Counter(moody.answered()).values()) == 1
    assert outcomes(moody.events()) == outcomes(calm.events())

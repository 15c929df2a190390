"""Closings that the other side holds up, on virtual time: what would wait for ever there is a deadlock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from botattack.closing import SECONDS, in_time
from botattack.engine.clock import loop_clock
from botattack.engine.ending import Ending
from botattack.engine.running import Run
from botattack.events import Asked, RunEnded
from botattack.limits import Limits
from botattack.model import Unit
from botattack.protocols import Pace
from tests.engine.bots import Script, inline, knows_numbers, questions
from tests.engine.test_run import a_plan, of, play
from tests.servers.http import Received, Server, replying, response
from tests.targets.asking import http
from tests.virtual import run as virtually


class Clinging(Script):
    """Does not let go of a conversation for `goodbye` seconds; None is for ever."""

    def __init__(self, goodbye: float | None, latency: float = 0.05) -> None:
        super().__init__(knows_numbers, latency)
        self.goodbye = goodbye

    @asynccontextmanager
    async def session(self, unit: Unit, pace: Pace) -> AsyncIterator[Any]:
        async with super().session(unit, pace) as conversation:
            try:
                yield conversation
            finally:
                await (asyncio.Event().wait() if self.goodbye is None else asyncio.sleep(self.goodbye))


def limits(timeout: float) -> Limits:
    return Limits(rate=float("inf"), concurrency=4, timeout=timeout, question_timeout=60.0, retries=0)


def test_a_bot_that_never_lets_go_ends_the_run_with_its_answers() -> None:
    ending, events = play(a_plan(limits=limits(30.0)), Clinging(None), questions(3))
    assert ending == Ending(0, "done")
    assert all(event.failure is None and event.replies for event in of(events, Asked))
    assert len(of(events, Asked)) == 12


def test_a_bot_that_is_late_and_never_lets_go_is_an_error() -> None:
    ending, events = play(a_plan(limits=limits(1.0), preflight=False), Clinging(None, latency=5.0), questions(3))
    assert ending == Ending(0, "done")
    assert [event.failure.kind for event in of(events, Asked)] == ["timeout"] * 3
    (ended,) = of(events, RunEnded)
    assert ended.seconds < 3 * (1.0 + SECONDS)


def test_an_answer_is_not_lost_to_a_slow_goodbye() -> None:
    _, events = play(a_plan(limits=limits(2.0)), Clinging(5.0), questions(2))
    assert all(event.replies for event in of(events, Asked))


def test_what_is_not_over_in_time_is_cut() -> None:
    cut: list[str] = []

    async def closing(seconds: float, error: Exception | None = None) -> None:
        await asyncio.sleep(seconds)
        if error:
            raise error

    async def main() -> None:
        await in_time(closing(1.0), 2.0, lambda: cut.append("polite"))
        await in_time(closing(3600.0), 2.0, lambda: cut.append("endless"))
        with pytest.raises(ConnectionError):
            await in_time(closing(1.0, ConnectionError()), 2.0, lambda: cut.append("failed"))
        task = asyncio.create_task(in_time(closing(3600.0), 7200.0, lambda: cut.append("cancelled")))
        await asyncio.sleep(1.0)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()

    virtually(main())
    assert cut == ["endless", "failed", "cancelled"]


def test_conversations_that_were_reused_are_closed_at_the_pace_of_the_run() -> None:
    def reply(request: Received) -> bytes:
        return response({"text": f"it is {request.json['text'][-4:]}"} if request.target == "/chat" else {})

    async def main() -> tuple[Ending, list[str]]:
        async with Server(replying(reply)) as server:
            close = {"url": f"{server.url}/close"}
            bot = http(f"{server.url}/chat", conversation="reuse", close=close)
            paced = Limits(rate=100.0, concurrency=2)
            plan = a_plan(limits=paced)
            run = Run(plan, bot, questions(5), [lambda _: None], clock=loop_clock(), offload=inline)
            ending = await run.run(lambda: Ending(0, "done"))
            await bot.close()
            return ending, [request.target for request in server.received]

    ending, asked = asyncio.run(main())
    assert ending == Ending(0, "done")
    assert 1 <= asked.count("/close") <= 2

from __future__ import annotations

import asyncio

import pytest

from botattack.targets.messages.quiet import AwakeClock, before_quiet
from tests.virtual import VirtualLoop, run


async def heard(after: float, standstills: list[float], quiet: float = 1.0) -> str:
    """What is heard of a message that comes `after` seconds, on a machine that stands still five seconds at each of
    `standstills`."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    messages: asyncio.Queue[str] = asyncio.Queue()

    def stand_still() -> None:
        loop.now += 5

    for moment in standstills:
        loop.call_at(moment, stand_still)
    loop.call_at(after, messages.put_nowait, "hello")
    try:
        return await before_quiet(messages.get(), quiet)
    except TimeoutError:
        return f"quiet after {loop.time():.1f} s"


@pytest.mark.parametrize(
    ("after", "standstills", "told"),
    [
        (0.0, [], "hello"),
        (0.9, [], "hello"),
        (1.5, [], "quiet after 1.0 s"),
        (5.6, [0.5], "hello"),
        (10.7, [0.5, 5.6], "hello"),
        (99.0, [0.5], "quiet after 6.1 s"),
    ],
)
def test_a_machine_that_stands_still_is_not_a_bot_that_is_quiet(
    after: float, standstills: list[float], told: str
) -> None:
    assert run(heard(after, standstills)) == told


def test_a_machine_that_is_always_late_waits_for_quiet_no_more_than_twice_as_often() -> None:
    assert run(heard(1e6, [n / 2 for n in range(2000)])).startswith("quiet after")


def test_who_no_longer_waits_leaves_nobody_listening() -> None:
    async def main() -> int:
        messages: asyncio.Queue[str] = asyncio.Queue()
        waiting = asyncio.create_task(before_quiet(messages.get(), 1.0))
        await asyncio.sleep(0.5)
        waiting.cancel()
        await asyncio.wait([waiting])
        assert waiting.cancelled()
        return len(asyncio.all_tasks())

    assert run(main()) == 1


def test_a_clock_that_runs_only_while_the_machine_is_awake() -> None:
    async def main() -> list[float]:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        with AwakeClock() as clock:
            began, seen = clock.now(), []
            for standstill in (0.0, 5.0, 0.0, 3.0):
                await asyncio.sleep(1.0)
                loop.now += standstill
                await asyncio.sleep(0.2)
                seen.append(round(await clock.looked_at() - began, 1))
        return seen

    assert run(main()) == pytest.approx([1.2, 2.4, 3.6, 4.8], abs=0.15)

"""Never faster than allowed, hardly slower, and never through a shut gate: the real engine on virtual time."""

from __future__ import annotations

import asyncio
import math
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botattack.engine.clock import Clock, loop_clock
from botattack.engine.pacing.laws import SLOWEST, WIDER, LearnedRate, law_for
from botattack.engine.pacing.pacer import Pacer
from botattack.errors import RateLimited, RunStopped
from botattack.events import Asked
from botattack.limits import Limits
from tests.engine.bots import Gateway, Script, knows_numbers, questions
from tests.engine.test_run import a_plan, of, play
from tests.virtual import run as virtually

HAIR = 1e-6
"""Seconds lost to adding floats."""


def most_in_excess(times: list[float], rate: float) -> float:
    """The largest number of requests in any window beyond `rate` times its length."""
    excess, lowest = -math.inf, math.inf
    for number, time in enumerate(times):
        lowest = min(lowest, number - rate * time)
        excess = max(excess, number - rate * time - lowest + 1)
    return excess


@pytest.mark.slow
@given(
    rate=st.floats(0.5, 500),
    burst=st.integers(1, 20),
    latency=st.floats(0, 3),
    workers=st.integers(1, 64),
    pushes=st.sets(st.integers(5, 150), max_size=4),
    wait=st.floats(0.01, 5),
)
@settings(max_examples=60, deadline=None)
def test_told_a_rate_it_keeps_to_it(
    rate: float, burst: int, latency: float, workers: int, pushes: set[int], wait: float
) -> None:
    shut: list[tuple[float, float]] = []

    def reply(text: str, seed: int) -> str:
        if len(bot.times) in pushes:
            pushes.discard(len(bot.times))
            now = asyncio.get_running_loop().time()
            shut.append((now, now + wait))
            raise RateLimited("429", retry_after=wait)
        return knows_numbers(text, seed)

    bot = Script(reply, latency)
    limits = Limits(rate=rate, burst=burst, concurrency=workers, timeout=60)
    ending, events = play(a_plan(limits=limits, attacks={}), bot, questions(200))
    assert ending.exit == 0
    assert Counter(event.unit for event in of(events, Asked)).most_common(1)[0][1] == 1
    assert len(of(events, Asked)) == 200
    assert most_in_excess(bot.times, rate) <= burst + 1 + HAIR
    for began, ends in shut:
        assert bisect_right(bot.times, ends - HAIR) == bisect_right(bot.times, began + HAIR)
    held_up = sum(ends - began for began, ends in shut)
    slower = rate * (1 - WIDER) ** len(shut)
    busy = min(slower, workers / latency) if latency else slower
    # The preflight question and each gate cost a round trip that nobody can use.
    allowed = 200 / busy + held_up + (len(shut) + 2) * (latency + 1 / rate) + burst / rate
    assert bot.times[-1] <= allowed / 0.97


@pytest.mark.slow
@given(rate=st.floats(0.5, 500), late=st.lists(st.floats(0, 0.05), min_size=1, max_size=50))
@settings(max_examples=60, deadline=None)
def test_late_wake_ups_cost_nothing_and_never_add_up_to_a_burst(rate: float, late: list[float]) -> None:
    async def main() -> list[float]:
        loop = asyncio.get_running_loop()
        delays = iter(late * 200)

        async def sleep(seconds: float) -> None:
            await asyncio.sleep(seconds + next(delays))

        pacer = Pacer(Limits(rate=rate), Clock(loop.time, sleep), law_for(Limits(rate=rate)))
        times = []

        async def one() -> None:
            await pacer.leave()
            times.append(loop.time())

        await asyncio.gather(*(one() for _ in range(200)))
        return times

    times = virtually(main())
    assert most_in_excess(times, rate) <= 2 + HAIR
    if max(late) < 0.5 / rate:
        assert times[-1] <= 199 / rate / 0.97 + max(late)


def test_one_gate_shuts_for_all_and_only_lengthens() -> None:
    async def main() -> list[float]:
        clock = loop_clock()
        pacer = Pacer(Limits(rate=float("inf")), clock, None)
        pacer.shut(2.0)
        pacer.shut(1.0)
        await clock.sleep(1.5)
        pacer.shut(1.5)
        times = []

        async def one() -> None:
            await pacer.leave()
            times.append(clock.now())

        await asyncio.gather(*(one() for _ in range(5)))
        return times

    assert virtually(main()) == [3.0] * 5


def test_push_backs_that_name_no_time_wait_longer_each_time_until_an_answer_comes() -> None:
    async def main() -> list[float]:
        clock = loop_clock()
        pacer = Pacer(Limits(rate=100), clock, law_for(Limits(rate=100)))
        waits = []
        for answered in (False, False, True, False):
            pacer.shut(None)
            waits.append(pacer.waiting)
            await pacer.leave()
            if answered:
                pacer.answered()
        return waits

    assert virtually(main()) == [1.0, 2.0, 4.0, 1.0]


@pytest.mark.parametrize("wait", [None, 1.0])
@pytest.mark.parametrize("burst", [1, 10])
def test_a_told_rate_gives_way_to_a_bot_that_counts_arrivals(burst: int, wait: float | None) -> None:
    """Wake-ups are late, and requests take longer or shorter to arrive."""
    random = Random(1)
    limits = Limits(rate=10, burst=burst)
    gateway = Gateway(10, burst, wait or 0.0)

    async def main() -> float:
        loop = asyncio.get_running_loop()

        async def sleep(seconds: float) -> None:
            await asyncio.sleep(seconds + random.uniform(0, 0.004))

        pacer = Pacer(limits, Clock(loop.time, sleep), law_for(limits))
        to_ask = iter(range(300))

        async def worker() -> None:
            for number in to_ask:
                while not await asked(str(number)):
                    pacer.shut(wait)

        async def asked(text: str) -> bool:
            await pacer.leave()
            await asyncio.sleep(random.expovariate(500))
            try:
                gateway.reply(text, 0)
            except RateLimited:
                return False
            await asyncio.sleep(0.05)
            pacer.answered()
            return True

        await asyncio.gather(*(worker() for _ in range(8)))
        return loop.time()

    assert virtually(main()) <= 30 * 1.3
    assert gateway.pushed <= (5 if burst == 1 else 0)


def test_a_wait_beyond_max_wait_is_refused() -> None:
    async def main() -> None:
        pacer = Pacer(Limits(max_wait=10), loop_clock(), None)
        pacer.shut(11.0)

    with pytest.raises(RunStopped, match="max_wait"):
        virtually(main())


def test_a_learned_rate_grows_only_when_the_limit_was_used() -> None:
    law = LearnedRate()
    before = law.rate
    assert not any(law.left(now, waited=False) for now in range(100))
    assert law.rate == before
    assert law.left(101.0, waited=True)
    assert law.rate == 2 * before


def seconds_over_floor(gateway: Gateway, count: int) -> float:
    """Time of a whole run on the real engine, told nothing, as a multiple of the shortest possible."""
    bot = Script(gateway.reply, latency=0.05)
    ending, events = play(a_plan(limits=Limits(), attacks={}), bot, questions(count))
    assert ending.exit == 0
    assert len(of(events, Asked)) == count
    assert all(event.failure is None for event in of(events, Asked))
    floor = (count - gateway.burst) / gateway.rate + bot.latency
    return events[-1].at / floor


def a_gateway(random: Random) -> Gateway:
    return Gateway(math.exp(random.uniform(0, math.log(50))), random.randint(1, 20), random.choice([1.0, 2.0, 5.0]))


@pytest.mark.slow
def test_untold_it_needs_little_more_than_the_floor_of_100_bots() -> None:
    random = Random(1)
    gateways = [a_gateway(random) for _ in range(100)]
    ratios = sorted(seconds_over_floor(one, round(one.burst + one.rate * 20)) for one in gateways)
    assert math.exp(fmean(map(math.log, ratios))) <= 1.35
    assert ratios[89] <= 1.8


@dataclass
class Waking:
    """Not ready for `seconds`, and then as quick as anybody likes."""

    seconds: float

    def reply(self, text: str, seed: int) -> str:
        if asyncio.get_running_loop().time() < self.seconds:
            raise RateLimited("503", retry_after=1.0)
        return knows_numbers(text, seed)


@pytest.mark.parametrize(("latency", "seconds"), [(0.05, 2.0), (0.05, 10.0), (20.0, 21.0)])
def test_a_bot_that_was_not_ready_yet_is_not_taken_for_a_slow_one(latency: float, seconds: float) -> None:
    bot = Script(Waking(seconds).reply, latency)
    ending, events = play(a_plan(limits=Limits(), attacks={}), bot, questions(100))
    assert ending.exit == 0
    assert all(event.failure is None for event in of(events, Asked))
    # Four at a time, after what it took to wake up and the longest wait that was underway by then.
    assert events[-1].at <= seconds + latency * 27 + 25


def test_a_bot_that_answers_nothing_is_asked_ever_more_slowly() -> None:
    bot = Script(Waking(1e9).reply)
    play(a_plan(limits=Limits(), attacks={}), bot, questions(1))
    gaps = [after - before for before, after in pairwise(bot.times)]
    assert len(gaps) == 20
    assert all(later >= gap - HAIR for gap, later in pairwise(gaps))
    assert 4 * gaps[0] < gaps[-1] <= 1 / SLOWEST


def test_the_measured_bot_of_ten_a_second_is_learned_in_three_push_backs() -> None:
    gateway = Gateway(10, 10, 2.0)
    assert seconds_over_floor(gateway, 150) * 14.05 <= 18
    assert gateway.pushed <= 3


@pytest.mark.parametrize("limits", [Limits(rate=math.inf), Limits(), Limits(rate=10, question_timeout=3600)], ids=str)
def test_a_bot_that_only_pushes_back_and_names_no_time_is_given_up_in_minutes(limits: Limits) -> None:
    def later(text: str, seed: int) -> str:
        raise RateLimited("429")

    bot = Script(later)
    ending, events = play(a_plan(limits=limits), bot, questions(30))
    assert ending.exit == 3
    assert "gave no answer" in ending.why
    assert events[-1].at < 130


def test_a_quota_of_a_minute_that_names_no_time_is_waited_for() -> None:
    """Of 20 requests in each minute, as the clock has it."""

    def limited(text: str, seed: int) -> str:
        now = asyncio.get_running_loop().time()
        if sum(int(time // 60) == int(now // 60) for time in bot.times) > 20:
            raise RateLimited("429")
        return knows_numbers(text, seed)

    bot = Script(limited)
    ending, events = play(a_plan(limits=Limits(rate=math.inf)), bot, questions(30))
    assert ending.exit == 0
    assert not [asked for asked in of(events, Asked) if asked.failure]

"""Several who ask one bot keep one pace together: in one process on virtual time, and as processes for real."""

from __future__ import annotations

import asyncio
import math
import random
import time
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from botattack.engine.clock import loop_clock
from botattack.engine.pacing.breaker import COOL_DOWN, Breaker
from botattack.engine.pacing.cells import FileCell, OwnCell
from botattack.engine.pacing.laws import LEAST_OF_TOLD, law_for
from botattack.engine.pacing.pacer import Pacer, PaceState
from botattack.errors import BotattackError, RecordingError, RunStopped
from botattack.limits import Limits
from tests.engine import sharing
from tests.fuzz.conftest import bounded
from tests.virtual import run as virtually

VOID = 0.05
"""Seconds after which nothing leaves any more through a gate that shut."""


@pytest.fixture
def where(tmp_path: Path) -> str:
    return str(tmp_path / "pace")


@pytest.mark.slow
@given(
    rate=st.floats(0.5, 500),
    burst=st.integers(1, 10),
    pacers=st.integers(2, 5),
    each=st.integers(1, 8),
    pauses=st.lists(st.floats(0, 3), max_size=3),
)
@settings(max_examples=50, deadline=None)
def test_all_together_keep_to_the_rate_and_to_the_gate(
    rate: float, burst: int, pacers: int, each: int, pauses: list[float]
) -> None:
    async def main() -> sharing.Sends:
        clock = loop_clock()
        limits = Limits(rate=rate, burst=burst, concurrency=each)
        cell = OwnCell(PaceState(law=law_for(limits)), clock.now)
        cell.alone = False
        times: list[float] = []
        shut: list[tuple[float, float]] = []

        async def one(pacer: Pacer) -> None:
            for _ in range(10):
                await pacer.leave()
                times.append(clock.now())

        async def push_back(pacer: Pacer, after: float) -> None:
            await asyncio.sleep(after)
            pacer.shut(0.5)
            shut.append((clock.now(), clock.now() + 0.5 - 1e-6))

        shared = [Pacer(limits, clock, law_for(limits), cell) for _ in range(pacers)]
        asking = [one(pacer) for pacer in shared for _ in range(each)]
        await asyncio.gather(*asking, *(push_back(shared[0], after) for after in pauses))
        return sharing.Sends(sorted(times), shut, 0.0)

    sent = virtually(main())
    assert len(sent.times) == 10 * pacers * each
    assert sent.most_in_excess(rate) <= burst + 1 + 1e-6
    assert sent.latest_after_shut() <= VOID
    void = len(pauses) * (0.5 + (pacers * each + burst + 1) / rate)
    assert sent.times[-1] <= len(sent.times) / rate / 0.97 + void + 1


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2, 4])
def test_processes_keep_one_pace(where: str, number: int) -> None:
    askings = 4_000 if number == 4 else 2_000
    with sharing.processes(where, number, askings, rate=500, pauses=2) as started:
        sent = sharing.sends(started)
    assert len(sent.times) == askings
    assert sent.shut
    # A machine that stops for a moment between leaving and writing that down makes neighbours look closer.
    assert sent.most_in_excess(500) <= 500 * 0.02 + 1
    overall = (sent.times[-1] - sent.times[0]) * 500
    assert askings <= overall + 2
    assert sent.latest_after_shut() <= VOID + 0.05


@pytest.mark.crash
def test_a_process_that_is_killed_at_any_moment_leaves_the_pace_to_the_others(where: str) -> None:
    chance = random.Random(1)
    killed = 0
    with sharing.processes(where, 1, 600, rate=200) as staying:
        while staying[0].poll() is None:
            with sharing.processes(where, 2, 4_000, rate=200) as started:
                time.sleep(chance.uniform(0.3, 0.9))
                killed += len(started)
        sent = sharing.sends(staying)
    assert killed
    assert len(sent.times) == 600
    assert sent.most_in_excess(200) <= 200 * 0.02 + 1


HOSTILE = [math.nan, math.inf, -math.inf, 1e308, -1e308, 1e18, 3600.0, -3600.0, 1e-300, 0.0, 11.0]
"""Numbers that anybody may have written into a state that is shared."""
FIELDS = [
    "at",
    "next",
    "opens",
    "own_wait",
    "unasked",
    "probed",
    "rate",
    "ceiling",
    "since",
    "stretch",
    "burst",
    "count",
]


@pytest.mark.slow
@given(
    fields=st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(HOSTILE), min_size=1, max_size=4),
    shut=st.booleans(),
    limits=st.sampled_from([Limits(rate=5.0), Limits(), Limits(rate=math.inf), Limits(rate=1 / 20, max_wait=60)]),
    failures=st.sampled_from([0, 10, -5]),
)
@example(fields={"rate": -math.inf, "next": math.inf}, shut=False, limits=Limits(rate=1 / 20, max_wait=60), failures=0)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_was_written_into_a_pace_no_wait_is_endless_or_silent(
    tmp_path: Path, fields: dict[str, float], shut: bool, limits: Limits, failures: int
) -> None:
    def whole(number: float) -> float:
        return int(max(-(2**62), min(2**62, number))) if number == number else 0

    path = tmp_path / "pace"
    told: list[float] = []

    async def main() -> float:
        clock = loop_clock()
        await asyncio.sleep(10_000)
        law = msgspec.to_builtins(law_for(limits))
        if law:
            law |= {name: fields[name] for name in fields.keys() & law.keys()}
            law |= {name: whole(law[name]) for name in ("burst", "count") if name in law}
        state = msgspec.to_builtins(PaceState(law=None)) | {"law": law, "shut": shut, "failures": failures}
        state |= {name: clock.now() + fields[name] for name in fields.keys() & state.keys()}
        written = msgspec.msgpack.encode(state)
        path.write_bytes(len(written).to_bytes(4) + written)
        cell = FileCell(path, PaceState(law=law_for(limits)), clock.now)
        pacer = Pacer(limits, clock, law_for(limits), cell)
        pacer.listeners.append(lambda why, wait: told.append(wait if why else 0.0))
        breaker = Breaker(limits, "it", clock, lambda why, wait: told.append(wait), cell)
        began = clock.now()
        await breaker.admit()
        for _ in range(3):
            await pacer.leave()
        return clock.now() - began

    waited = 0.0
    with bounded(), suppress(BotattackError):
        waited = virtually(main())
    patience = 2 * (limits.timeout + COOL_DOWN) + COOL_DOWN if failures == 10 else 0
    slowest = LEAST_OF_TOLD * min(limits.rate or 1 / 3600, 1)
    assert waited <= limits.max_wait + patience + 6 / slowest
    longest = max(0.0, waited - patience - sum(told)) if limits.rate != 1 / 20 else 0
    assert told or longest <= 3 * 10 + 1


def test_a_wait_of_others_is_told_and_one_too_long_ends_the_run(tmp_path: Path) -> None:
    told: list[tuple[str, float]] = []

    async def main() -> None:
        clock = loop_clock()
        limits = [Limits(rate=5.0, max_wait=10_000), Limits(rate=5.0, max_wait=100)]
        first, second = [
            Pacer(each, clock, law_for(each), FileCell(tmp_path / "pace", PaceState(law=law_for(each)), clock.now))
            for each in limits
        ]
        second.listeners.append(lambda why, wait: told.append((why, wait)))
        first.shut(50)
        await second.leave()
        first.shut(1000)
        with pytest.raises(RunStopped, match="max_wait"):
            await second.leave()

    virtually(main())
    assert [round(wait) for _, wait in told] == [50]
    assert "asked to wait" in told[0][0]


def test_a_clock_that_began_again_with_the_machine_begins_the_pace_again(tmp_path: Path) -> None:
    times = iter([1000.0, 5.0])
    cell = FileCell(tmp_path / "pace", PaceState(law=None), lambda: next(times))

    def shut(state: PaceState, now: float) -> None:
        state.shut, state.opens = True, now + 900

    cell.change(shut)
    assert not cell.change(lambda state, now: state.shut)


def test_a_file_that_is_no_pace_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "pace").write_bytes(b"\x00\x00\x00\x03abc")
    cell = FileCell(tmp_path / "pace", PaceState(law=None))
    with pytest.raises(RecordingError, match="pace"):
        cell.change(lambda state, now: None)

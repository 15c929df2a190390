"""A run on several workers: the same for any number of them, and whole whoever is killed."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

import botattack
from botattack.errors import BotattackError
from botattack.events import Asked, Paced, RunEnded, RunStarted, encode
from botattack.recordings.reader import events
from botattack.report.report_files import encoded
from tests.servers import parts

pytestmark = pytest.mark.crash
LIMITS = "{rate: unlimited, concurrency: 8}"
OF_TIME = ("at", "attempts", "run", "started", "seconds", "requests", "retried", "rate_limited")


def command(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    """`botattack` in a session of its own."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, filter(None, sys.path)))}
    with (folder / "log.txt").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "botattack", *words],
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def run(folder: Path, *words: str) -> Path:
    """The recording of a run that ends well."""
    started = command(folder, "run", "campaign.yaml", *words)
    assert started.wait() == 0, (folder / "log.txt").read_text()
    return recording(folder)


def recording(folder: Path) -> Path:
    (found,) = (folder / "recordings").iterdir()
    return found


def what_happened(folder: Path) -> Counter[str]:
    """The events of a recording, without what depends on time."""
    found: Counter[str] = Counter()
    for event in events(folder):
        if not isinstance(event, Paced | RunEnded | RunStarted):
            told = {name: value for name, value in json.loads(encode(event)).items() if name not in OF_TIME}
            for reply in told.get("replies", []):
                reply.pop("latency", None)
            found[json.dumps(told, sort_keys=True)] += 1
    return found


def figures(folder: Path) -> dict[str, object]:
    """The figures of a recording, without what depends on time."""
    found = encoded(botattack.replay(folder).figures)
    return {name: found[name] for name in ("questions", "attacks", "gates")}


def workers_of(leader: int) -> list[psutil.Process]:
    """The processes that ask, once they are there."""
    try:
        children = psutil.Process(leader).children(recursive=True)
        return [child for child in children if "lease_worker" in " ".join(child.cmdline())]
    except psutil.Error:
        return []


def test_any_number_of_workers_asks_the_same(tmp_path: Path) -> None:
    found = []
    with parts.running() as port:
        for number, concurrency in ((1, "8"), (3, "4")):
            folder = tmp_path / str(number)
            folder.mkdir()
            parts.campaign(folder, port, 24, LIMITS)
            done = run(folder, "--on", f"local:{number}", "-j", concurrency)
            assert not (done / "leases").exists()
            found.append((what_happened(done), figures(done)))
    assert all(one == found[0] for one in found)


def until_asked(port: int) -> None:
    while not parts.counts(port)["asked"]:
        time.sleep(0.2)


def test_python_asks_on_workers_and_refuses_a_campaign_that_they_cannot_read(tmp_path: Path) -> None:
    with parts.running() as port:
        parts.campaign(tmp_path, port, 24, LIMITS)
        campaign = botattack.load(tmp_path / "campaign.yaml", limit=16, seed=0)
        result = botattack.run(campaign, on="local:2", recordings=tmp_path / "recordings")
        assert result.ok
        assert result.figures.questions.asked == 16
        with pytest.raises(BotattackError, match=r"campaign\.yaml: .* changed since"):
            botattack.run(replace(campaign, seed=7), on="local:2", recordings=tmp_path / "recordings")


def test_a_cancelled_run_on_workers_can_be_continued(tmp_path: Path) -> None:
    with parts.running(delay=0.1) as port:
        parts.campaign(tmp_path, port, 24, LIMITS)
        campaign = botattack.load(tmp_path / "campaign.yaml")

        async def cancelled() -> None:
            running = asyncio.create_task(
                botattack.run_async(campaign, on="local:2", recordings=tmp_path / "recordings")
            )
            await asyncio.to_thread(until_asked, port)
            running.cancel()
            await running

        with pytest.raises(asyncio.CancelledError):
            asyncio.run(cancelled())
        begun = {event.unit for event in events(recording(tmp_path)) if isinstance(event, Asked)}
        assert begun
        assert botattack.run(campaign, on="local:2", resume=recording(tmp_path)).ok
    units = Counter(event.unit for event in events(recording(tmp_path)) if isinstance(event, Asked))
    assert begun < set(units)
    assert max(units.values()) == 1


def killed(folder: Path, chance: random.Random, workers: int, leaders: int) -> tuple[Path, int]:
    """The recording of a run of which so many processes were killed, and how many were."""
    kills = 0
    words: tuple[str, ...] = ("run", "campaign.yaml", "--on", "local:2")
    while True:
        leader = command(folder, *words)
        while leader.poll() is None and not workers_of(leader.pid):
            time.sleep(0.2)
        until = time.monotonic() + chance.uniform(3, 9)
        while leader.poll() is None and (leaders == 0 or time.monotonic() < until):
            time.sleep(chance.uniform(0.3, 1.5))
            if workers and (asking := workers_of(leader.pid)):
                chance.choice(asking).send_signal(signal.SIGKILL)
                kills, workers = kills + 1, workers - 1
        if leader.poll() is not None:
            assert leader.returncode == 0, (folder / "log.txt").read_text()[-3000:]
            return recording(folder), kills
        leader.kill()
        leader.wait()
        leaders -= 1
        words = ("run", "campaign.yaml", "--on", "local:2", "--resume", str(recording(folder)))


def test_whoever_is_killed_nothing_is_lost_and_nothing_recorded_is_asked_again(tmp_path: Path) -> None:
    workers, leaders = json.loads(os.environ.get("BOTATTACK_TEST_KILLS", "[3, 1]"))
    questions = 20 * (workers + leaders)
    calm, disturbed = tmp_path / "calm", tmp_path / "disturbed"
    calm.mkdir()
    disturbed.mkdir()
    with parts.running(delay=0.05) as port:
        parts.campaign(calm, port, questions, LIMITS)
        undisturbed = run(calm, "--on", "local:2")
        asked = sum(parts.counts(port)["asked"].values())
        parts.campaign(disturbed, port, questions, LIMITS)
        done, kills = killed(disturbed, random.Random(1), workers, leaders)
        again = sum(parts.counts(port)["asked"].values()) - asked
    assert figures(done) == figures(undisturbed)
    assert what_happened(done) == what_happened(undisturbed)
    units = Counter(event.unit for event in events(done) if isinstance(event, Asked))
    assert max(units.values()) == 1
    # Only what was on its way when a process was killed may have been asked a second time.
    assert asked <= again <= asked + 8 * (kills + leaders)
    assert kills


def test_ctrl_c_shows_what_was_done_and_the_rest_can_be_continued(tmp_path: Path) -> None:
    with parts.running(delay=0.2) as port:
        parts.campaign(tmp_path, port, 48, LIMITS)
        leader = command(tmp_path, "run", "campaign.yaml", "--on", "local:2")
        until_asked(port)
        time.sleep(2)
        os.killpg(leader.pid, signal.SIGINT)
        assert leader.wait() == 130, (tmp_path / "log.txt").read_text()
        log = (tmp_path / "log.txt").read_text()
        assert "Stopped: interrupted" in log
        assert "--resume" in log
        assert "Traceback" not in log
        begun = {event.unit for event in events(recording(tmp_path)) if isinstance(event, Asked)}
        assert begun
        again = command(tmp_path, "run", "--resume", str(recording(tmp_path)))
        assert again.wait() == 0, (tmp_path / "log.txt").read_text()
    units = Counter(event.unit for event in events(recording(tmp_path)) if isinstance(event, Asked))
    assert begun < set(units)
    assert max(units.values()) == 1


def test_a_budget_is_that_of_all_workers(tmp_path: Path) -> None:
    with parts.running(delay=0.02) as port:
        parts.campaign(tmp_path, port, 48, LIMITS, "budget: {requests: 100}\n")
        leader = command(tmp_path, "run", "campaign.yaml", "--on", "local:2")
        assert leader.wait() == 4, (tmp_path / "log.txt").read_text()
        assert sum(parts.counts(port)["asked"].values()) == 100


def test_a_bot_that_is_not_there_ends_all_workers(tmp_path: Path) -> None:
    parts.campaign(tmp_path, 9, 48, LIMITS)
    assert command(tmp_path, "run", "campaign.yaml", "--on", "local:2").wait() == 3
    log = (tmp_path / "log.txt").read_text()
    assert "Connection refused" in log
    assert "Traceback" not in log

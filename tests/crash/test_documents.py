"""What a run adds to a knowledge base is taken away again, however the run ends."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from botattack.events import RunEnded
from botattack.recordings.reader import events
from tests.crash.campaign import ROOT, outcomes
from tests.doors.reading import campaign_file, run, with_library
from tests.servers.library import BY_ID, BY_NAME, FIND, Library

pytestmark = pytest.mark.crash
CARRIER = "[document, message]"


async def start(folder: Path, *, resume: bool = True) -> asyncio.subprocess.Process:
    """One process over the campaign; by default it continues the recording if there is one."""
    recordings = folder / "recordings"
    going_on = [word for found in recordings.glob("*") if resume for word in ("--resume", str(found))]
    command = ["-m", "tests.crash.driver", "run", str(folder / "campaign.yaml"), "--recordings", str(recordings)]
    with (folder / "log.txt").open("ab") as log:
        return await asyncio.create_subprocess_exec(
            sys.executable, *command, *going_on, cwd=ROOT, stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log
        )


def told(folder: Path) -> set[str]:
    (recording,) = (folder / "recordings").iterdir()
    return outcomes(list(events(recording)))


async def calm(url: str, folder: Path, documents: str) -> set[str]:
    """What a run comes to that nobody disturbs. In this process: starting one costs more than all that it asks."""
    assert (await run(folder, url, CARRIER, documents=documents)).exit in (0, 1)
    found = told(folder)
    shutil.rmtree(folder / "recordings")
    return found


@pytest.mark.parametrize("documents", [BY_NAME, BY_ID + FIND], ids=["by name", "by id"])
def test_nothing_is_left_after_kills(documents: str, tmp_path: Path) -> None:
    """Killed every third time that a document has arrived and its bot has not yet said so."""

    async def test(library: Library, url: str) -> None:
        expected = await calm(url, tmp_path, documents)
        campaign_file(tmp_path, url, CARRIER, documents=documents)
        library.asked.clear()
        victim, kills, status = 0, 0, -signal.SIGKILL

        def kill() -> None:
            if library.added % 3 == 0:
                os.kill(victim, signal.SIGKILL)

        library.while_adding = kill
        while status == -signal.SIGKILL and kills < 50:
            process = await start(tmp_path)
            victim = process.pid
            status = await process.wait()
            kills += status == -signal.SIGKILL
        assert kills >= 3
        assert status in (0, 1), (tmp_path / "log.txt").read_text()
        assert library.documents == {}
        # What a killed process had left was gone before the next one asked anything.
        assert all(len(there) == ("\n\n" not in message) for message, there in library.asked)
        assert told(tmp_path) == expected

    with_library(test)


@pytest.mark.parametrize(
    "signs",
    [[signal.SIGINT], [signal.SIGINT] * 2, [signal.SIGTERM], [signal.SIGHUP], [signal.SIGHUP, signal.SIGTERM]],
    ids=lambda signs: " ".join(each.name for each in signs),
)
def test_nothing_is_left_after_an_interruption(signs: list[signal.Signals], tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        expected = await calm(url, tmp_path, BY_ID)
        campaign_file(tmp_path, url, CARRIER, documents=BY_ID)
        library.latency, library.added = 0.2, 0
        reached = asyncio.Event()
        library.while_adding = lambda: reached.set() if library.added == 3 else None
        process = await start(tmp_path)
        await reached.wait()
        for sign in signs:
            process.send_signal(sign)
            await asyncio.sleep(0.05)
        assert await process.wait() == 130
        assert library.documents == {}
        library.latency = 0.0
        assert await (await start(tmp_path)).wait() in (0, 1)
        assert library.documents == {}
        assert told(tmp_path) == expected

    with_library(test)


IN_A_TERMINAL = (
    "import os, sys; os.login_tty(int(sys.argv[1])); os.execv(sys.executable, [sys.executable, *sys.argv[2:]])"
)


def test_nothing_is_left_after_the_terminal_was_closed(tmp_path: Path) -> None:
    """From then on, whatever the run prints is an error of the device."""

    async def test(library: Library, url: str) -> None:
        campaign_file(tmp_path, url, CARRIER, documents=BY_ID)
        library.latency = 0.2
        reached = asyncio.Event()
        library.while_adding = lambda: reached.set() if library.added == 3 else None
        ours, terminal = os.openpty()
        run = ["-m", "tests.crash.driver", "run", str(tmp_path / "campaign.yaml")]
        command = ["-c", IN_A_TERMINAL, str(terminal), *run, "--recordings", str(tmp_path / "recordings")]
        process = await asyncio.create_subprocess_exec(sys.executable, *command, cwd=ROOT, pass_fds=[terminal])
        os.close(terminal)
        await reached.wait()
        os.close(ours)
        assert await process.wait() == 130
        assert library.documents == {}
        (recording,) = (tmp_path / "recordings").iterdir()
        *_, ended = events(recording)
        assert isinstance(ended, RunEnded)
        assert (recording / "seal.json").exists()

    with_library(test)


def test_a_new_run_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    """Although it adds no documents itself."""

    async def test(library: Library, url: str) -> None:
        campaign_file(tmp_path, url, "document", documents=BY_ID + FIND)
        killed = await start(tmp_path)
        library.while_adding = lambda: os.kill(killed.pid, signal.SIGKILL) if library.added == 3 else None
        assert await killed.wait() == -signal.SIGKILL
        assert len(library.documents) == 1
        campaign_file(tmp_path, url, "message", documents=BY_ID + FIND)
        asked = len(library.asked)
        assert await (await start(tmp_path, resume=False)).wait() in (0, 1)
        assert library.documents == {}
        assert {there for _, there in library.asked[asked:]} == {()}
        assert "had left in the bot's knowledge base" in (tmp_path / "log.txt").read_text()

    with_library(test)

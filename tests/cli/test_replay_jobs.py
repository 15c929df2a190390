"""A recording judged again on several processes: the same to the last byte, and no process is left behind."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import botattack as library
from botattack.errors import BotattackError
from botattack.events import Asked
from botattack.recordings.reader import events
from tests.cli.conftest import Botattack, Ended
from tests.recordings.kinds import recorded

TARGET = """name: ferry
connect: {kind: http, request: {url: "http://127.0.0.1:9/?q={{ question }}"}, extract: {answer: "file://read.py:answer"}}
"""
READ = """import json, os, signal, sys, time
def answer(text):
    if os.getpid() != int(os.environ["COMMAND"]):
        open(f"pid-{os.getpid()}", "w").close()
        beside(text)
    return json.loads(text)["reply"]["text"].replace("North", "South")
def beside(text):
"""
PRINTS = "    print('noise', flush=True); os.write(1, b'noise'); os.write(2, b'noise')\n"
DIES = "    os.kill(os.getpid(), signal.SIGKILL) if text == open('first').read() else time.sleep(600)\n"
STOPS = """    if not os.path.exists("stopped"):
        open("stopped", "x").close()
        os.kill(int(os.environ["COMMAND"]), signal.SIGINT)
    time.sleep(600)
"""


def written(botattack: Botattack, jobs: int, recording: Path, *flags: object) -> tuple[Ended, list[bytes]]:
    """What the command prints, and the reports that it writes."""
    reports = [f"report.{kind}" for kind in ("json", "csv")]
    outputs = [word for report in reports for word in ("-o", report)]
    ended = botattack("replay", recording, "-j", jobs, "--changes", "all", *outputs, *flags)
    return ended, [Path(report).read_bytes() for report in reports]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["opinions", "errors"])
def test_processes_judge_as_one_does(name: str, botattack: Botattack) -> None:
    one = written(botattack, 1, recorded(name)[0])
    assert one[0].status == 0
    assert "changed since the run" in one[0].out
    assert written(botattack, 2, recorded(name)[0]) == one


@pytest.fixture
def reading(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[object, ...]:
    """Flags that extract replies again by code that knows whether it runs in the process of the command."""
    monkeypatch.setenv("COMMAND", str(os.getpid()))
    (folder / "bot.yaml").write_text(TARGET)
    (folder / "read.py").write_text(READ + PRINTS)
    return "--reextract", "--target", "bot.yaml", "--allow-code"


@pytest.mark.slow
def test_processes_extract_again_as_one_does_and_print_nothing(
    reading: tuple[object, ...], botattack: Botattack, capfd: pytest.CaptureFixture[str]
) -> None:
    one = written(botattack, 1, recorded("http")[0], *reading)
    assert "originals: 1 kept → wrong" in one[0].out
    assert not list(Path().glob("pid-*"))
    assert written(botattack, 2, recorded("http")[0], *reading) == one
    assert list(Path().glob("pid-*"))
    assert "noise" not in "".join(capfd.readouterr())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "status", "said"),
    [(DIES, 2, "one of the processes was ended by signal 9"), (STOPS, 130, "interrupted")],
    ids=["killed", "interrupted"],
)
def test_what_ends_one_process_is_one_sentence_and_ends_the_others(
    code: str, status: int, said: str, reading: tuple[object, ...], folder: Path, botattack: Botattack
) -> None:
    first = next(event for event in events(recorded("http")[0]) if isinstance(event, Asked))
    (folder / "first").write_text(first.replies[0].raw)
    (folder / "read.py").write_text(READ + code)
    ended = botattack("replay", recorded("http")[0], "-j", 2, *reading)
    assert (ended.status, ended.out, ended.err.strip().count("\n")) == (status, "", 0)
    assert said in ended.err
    pids = [int(path.name[4:]) for path in folder.glob("pid-*")]
    assert pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("was", "now"), [('"event":"asked"', '"event":"asket"'), ('"unit":"', '"unit":"x')])
def test_a_damaged_recording_is_the_same_sentence(was: str, now: str, folder: Path, botattack: Botattack) -> None:
    shutil.copytree(recorded("http")[0], "damaged")
    path = folder / "damaged" / "events.jsonl"
    path.write_text(path.read_text().replace(was, now, 1))
    one, two = (botattack("replay", "damaged", "-j", jobs) for jobs in (1, 2))
    assert one.status == 2
    assert one == two


@pytest.mark.slow
def test_the_result_from_python_is_the_same() -> None:
    one, two = (library.replay(recorded("errors")[0], jobs=jobs) for jobs in (1, 2))
    assert (one.figures, one.findings, one.changes) == (two.figures, two.findings, two.changes)
    with pytest.raises(BotattackError, match="jobs is 0"):
        library.replay(recorded("errors")[0], jobs=0)

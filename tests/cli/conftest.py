"""Whole commands in this process, and a small campaign to run them on."""

from __future__ import annotations

import asyncio
import io
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from botattack.cli import main

CAPITALS = {"France": "Paris", "Italy": "Rome", "Spain": "Madrid", "Norway": "Oslo", "Portugal": "Lisbon"}
BOT = '''
"""Knows capitals by their exact names, and who wrote what by a word of the title."""
import json, pathlib
CAPITALS = json.loads((pathlib.Path(__file__).parent / "capitals.json").read_text())
def answer(text):
    for country, city in CAPITALS.items():
        if text.casefold() == f"what is the famous capital of {country}?".casefold():
            return f"The capital of {country} is {city}."
    return "I can only tell capitals."
'''


@dataclass(frozen=True)
class Ended:
    """A command's end, with what differs from run to run replaced."""

    status: int
    out: str
    err: str

    def __str__(self) -> str:
        return f"exit {self.status}\n-- out\n{self.out}-- err\n{self.err}"


Botattack = Callable[..., Ended]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, at a plain terminal of 80 columns."""
    for name, value in (("COLUMNS", "80"), ("NO_COLOR", "1"), ("TERM", "dumb"), ("XDG_CONFIG_HOME", str(tmp_path))):
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where `once` keeps what it made."""
    return tmp_path_factory.mktemp("kept") / "folder"


Once = Callable[[Callable[[], object]], None]


@pytest.fixture
def once(folder: Path, kept: Path) -> Once:
    """Makes the files of this folder for the first test of a module; the others get a copy of them."""

    def made(make: Callable[[], object]) -> None:
        if kept.exists():
            shutil.copytree(kept, folder, dirs_exist_ok=True)
        else:
            make()
            shutil.copytree(folder, kept)

    return made


@pytest.fixture
def botattack(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Botattack:
    def run(*arguments: object) -> Ended:
        words = [str(argument) for argument in arguments]
        monkeypatch.setattr(sys, "argv", ["botattack", *words])
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as end:
            main(words)
        assert isinstance(end.value.code, int)
        return Ended(end.value.code, scrubbed(out.getvalue(), folder), scrubbed(err.getvalue(), folder))

    return run


def newest(recordings: str = "recordings") -> Path:
    """The recording that was made last."""
    return max(Path(recordings).glob("2*"), key=lambda path: path.stat().st_mtime_ns)


def scrubbed(text: str, folder: Path) -> str:
    """The text without what no two runs share."""
    text = text.replace(str(folder), "FOLDER")
    text = re.sub(r"\d{8}T\d{6}Z-([\w.-]+?)-[0-9a-f]{8}", r"TIME-\1-ID", text)
    text = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", text)
    text = re.sub(r"\b\d+(\.\d+)? s ·", "N s ·", text)
    text = re.sub(r"(judge +)A program judges[^\n]*(\n {11}[^\n]*)*", r"\1JUDGE", text)
    return re.sub(r"\d+(\.\d+)?/s", "N/s", text)


@pytest.fixture
def campaign(folder: Path) -> Path:
    """A campaign against a bot in this folder that knows five capitals."""
    import json

    (folder / "capitals.json").write_text(json.dumps(CAPITALS))
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.yaml").write_text(
        'name: capitals\nconnect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited}\n'
        'signs: {refused: ["I can only tell capitals."]}\n'
    )
    rows = [{"question": f"What is the famous capital of {c}?", "answers": [a]} for c, a in CAPITALS.items()]
    rows += [{"question": "Who is the famous mayor of Oslo?", "answers": ["nobody"]}]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = folder / "campaign.yaml"
    path.write_text(
        "target: bot.yaml\nquestions: {file: faq.jsonl}\nseed: 7\n"
        "attacks: [dpaeg: {per_question: 2, take: nearest, meaning: paper}]\n"
    )
    return path


class Served(Protocol):
    """What a server that was entered says of itself."""

    url: str


Serve = Callable[[AbstractAsyncContextManager[Served]], str]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Runs servers beside the command, each in a loop of its own; gives the address."""
    with ExitStack() as stack:
        yield lambda server: stack.enter_context(_running(server))


@contextmanager
def _running(server: AbstractAsyncContextManager[Served]) -> Iterator[str]:
    ready: Future[str] = Future()
    done = threading.Event()

    async def main() -> None:
        async with server as running:
            ready.set_result(running.url)
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    try:
        yield ready.result(timeout=60)
    finally:
        done.set()
        thread.join()

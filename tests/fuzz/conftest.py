"""Whole commands in this process on hostile files, and what none of them may do."""

from __future__ import annotations

import io
import os
import signal
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from botattack.cli import main

SHARE = float(os.environ.get("BOTATTACK_FUZZ", "0.05"))
"""How much of the fuzz is run: a twentieth, unless this says otherwise."""
PARTS = 10
"""How many tests each fuzz is cut into."""
LONGEST = 120
"""Seconds after which a command counts as one that hangs."""


class Hangs(BaseException):
    """A command that did not come back."""


def numbers(of: int, part: int) -> range:
    """The seeds of a part of a fuzz."""
    size = of // PARTS
    return range(part * size, part * size + max(1, round(size * SHARE)))


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, on a machine that asks nobody for addresses."""
    told = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "FERRY_PORT": "9", "FERRY_TOKEN": "s3a-gate-4711"}
    for name in [name for name in os.environ if name.startswith("BOTATTACK_")]:
        monkeypatch.delenv(name)
    for name, value in {**told, "XDG_CONFIG_HOME": str(tmp_path), "TMPDIR": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    looked_up = socket.getaddrinfo

    def here(host: Any, *arguments: Any, **more: Any) -> Any:
        return looked_up(host, *arguments, **{**more, "flags": 0 if host == "localhost" else socket.AI_NUMERICHOST})

    monkeypatch.setattr(socket, "getaddrinfo", here)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


@contextmanager
def bounded() -> Iterator[None]:
    def late(*_: object) -> None:
        raise Hangs

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(LONGEST)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


SIGNS = {"a fault of botattack": "fault of botattack", "a traceback": "Traceback (most", "an escape sequence": "\x1b"}
REFUSED = 2
"""The exit status where a file is wrong."""


def ended(words: list[str]) -> tuple[object, str]:
    """The exit status of a command, and what it did that none may do; empty if it behaved."""
    out, err = io.StringIO(), io.StringIO()
    status: object = None
    try:
        with redirect_stdout(out), redirect_stderr(err), bounded():
            main(words)
    except SystemExit as end:
        status = end.code
    except BaseException as error:
        return status, f"{' '.join(words)}: {type(error).__name__}: {error}"
    said = out.getvalue() + err.getvalue()
    found = [name for name, sign in SIGNS.items() if sign in said]
    if status not in range(5):
        found.append(f"exit {status!r}")
    return status, f"{' '.join(words)}: {', '.join(found)}: {err.getvalue()[-600:]!r}" if found else ""


@dataclass
class Fuzzed:
    """The commands that misbehaved, by their numbers, and how all of them ended."""

    misbehaved: dict[int, str]
    statuses: set[object]


def fuzzed(numbers: Iterable[int], made: Callable[[int], list[str]]) -> Fuzzed:
    """Runs the command that is `made` for each number."""
    found = Fuzzed({}, set())
    for number in numbers:
        status, fault = ended(made(number))
        found.statuses.add(status)
        if fault:
            found.misbehaved[number] = fault
    return found

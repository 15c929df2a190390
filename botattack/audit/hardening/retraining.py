"""Runs the command that retrains a bot: bounded in time, with only its last output kept, ended with all it started."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import IO

from botattack.environment import environment
from botattack.errors import BotattackError
from botattack.report.numbers import duration

KEPT = 65_536
"""Bytes of what the command wrote last: more than any secret in it takes."""
LINGER = 1.0
"""Seconds that the last output may take to arrive. A bot that the command has started may keep the pipe open for
ever. So long, too, what the command has started is looked for to end it."""
_MARK = "BOTATTACK_RETRAINING"
"""The environment variable that every program has which the command starts."""
Excerpts = Callable[[str], str]


class RetrainingFailed(BotattackError):
    """The bot may have the old model, the new one, or none."""


def check_program(program: str, folder: Path, env: Mapping[str, str]) -> None:
    """Raises BotattackError if `retrain` could not find the program: better now than after an audit."""
    place = str(folder / program) if os.sep in program else program
    if shutil.which(place, path=environment(env).get("PATH")) is None:
        raise BotattackError(f"harden.retrain: there is no program {program} that can be run; check the command")


def retrain(words: Sequence[str], folder: Path, env: Mapping[str, str], timeout: float, shown: Excerpts) -> float:
    """Runs the command in `folder`, for so many seconds. `shown` makes of its output what may be shown.

    Raises RetrainingFailed if it cannot be started, ends with another status than 0, or takes longer than `timeout`,
    and KeyboardInterrupt: both end it, with all that it has started.
    """
    began, mark = time.monotonic(), secrets.token_hex(16)
    with _started(words, folder, {**env, _MARK: mark}) as process:
        said = _Last(process.stdout)
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            _kill(process, mark)
            why = f"{words[0]} took longer than harden.timeout, {duration(timeout)}"
            raise RetrainingFailed(_sentence(why, said, shown)) from None
    if status:
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        raise RetrainingFailed(_sentence(f"{words[0]} {how}", said, shown))
    return time.monotonic() - began


@contextmanager
def _started(words: Sequence[str], folder: Path, env: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """The running program, in a group of its own, which is ended if whoever waits for it is interrupted."""
    try:
        process = subprocess.Popen(  # noqa: S603  # words of the user's file, which the trust check has seen
            list(words),
            cwd=folder,
            env=environment(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise RetrainingFailed(f"harden.retrain: {words[0]} cannot be started: {why}; check the command") from None
    try:
        yield process
    except KeyboardInterrupt:
        _kill(process, env[_MARK])
        raise


def _kill(process: subprocess.Popen[bytes], mark: str) -> None:
    """Ends the program with all that it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    # What left the group, as a daemon does, is known by its environment. While one is ended it may start another.
    until = time.monotonic() + LINGER
    while (left := [*_marked(f"{_MARK}={mark}".encode())]) and time.monotonic() < until:
        for each in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(each, signal.SIGKILL)


def _marked(mark: bytes) -> Iterator[int]:
    """The processes of ours whose environment has a mark; none where the system does not show environments as files."""
    for place in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            # One that has ended, and nobody has asked how, has none.
            if mark in place.read_bytes().split(b"\0"):
                yield int(place.parent.name)


class _Last:
    """What a program wrote last; it is read all the time, as a full pipe would stop the program."""

    def __init__(self, pipe: IO[bytes] | None) -> None:
        self._pipe = pipe
        self._kept = b""
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while self._pipe and (piece := os.read(self._pipe.fileno(), 4096)):
            self._kept = (self._kept + piece)[-KEPT:]

    def text(self) -> str:
        self._reader.join(LINGER)
        return self._kept.decode(errors="replace")


def _sentence(why: str, said: _Last, shown: Excerpts) -> str:
    last = shown(said.text())
    return f"harden.retrain: {why}, and wrote " + (f"last: {last}" if last else "nothing") + "; fix it, and continue"

"""Processes of this machine that work for this one over pipes.

A task is a line, and so is each part of what comes of it; an empty line ends it. A process runs ahead of whoever reads
by about BATCH times BATCHES bytes at most: memory stays flat.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from queue import Queue, SimpleQueue
from threading import Thread
from typing import IO

import msgspec

BATCH = 1 << 16
BATCHES = 128
"""Bytes that are written at once, and how many times that many may wait in a process. Shares of a recording are even
over the whole of it and uneven over a part: with less room, one process would wait for another."""
# The way to modules is that of this process, and garbage is collected as often: while modules are imported, a command
# collects none. The script that uses botattack as a library is not run again.
_START = (
    "import gc, sys; from json import loads; sys.path[:], often = loads(sys.argv[1]); gc.set_threshold(*often); "
    "from botattack.audit.pool import serve; from {} import perform; serve(perform)"
)


class WorkerDied(Exception):
    """A process ended before it was done; says how."""


class Worker:
    """A process that does one task after the other with the `perform` of a module."""

    def __init__(self, module: str) -> None:
        """Raises OSError if it cannot be started."""
        given = msgspec.json.encode([sys.path, gc.get_threshold()])
        # In a session of its own it hears no Ctrl-C; it ends when this process does.
        self._process = subprocess.Popen(  # noqa: S603  # our own words
            [sys.executable, "-P", "-c", _START.format(module), given.decode()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def begin(self, task: bytes) -> Iterator[bytes]:
        """What comes of a task, which the process begins now; raises WorkerDied where it breaks off."""
        assert self._process.stdin is not None  # noqa: S101  # it is a pipe
        try:
            self._process.stdin.write(task + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._died() from None
        return self._lines()

    def _lines(self) -> Iterator[bytes]:
        assert self._process.stdout is not None  # noqa: S101  # it is a pipe
        while (line := self._process.stdout.readline()) != b"\n":
            if not line.endswith(b"\n"):
                raise self._died()
            yield line

    def _died(self) -> WorkerDied:
        status = self._process.wait()
        signalled = f"by signal {-status} ({signal.strsignal(-status)})"
        return WorkerDied(signalled if status < 0 else f"with status {status}")

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        """Kills it, and waits until it is gone."""
        self.kill()
        with self._process:
            pass


def serve(perform: Callable[[bytes], Iterable[bytes]]) -> None:
    """Does the tasks that come on standard input, and ends with whoever sends them. Only what `perform` gives reaches
    standard output."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # where whatever a matcher or the code of a target file prints goes: nowhere
    tasks: SimpleQueue[bytes] = SimpleQueue()
    waiting: Queue[bytes] = Queue(BATCHES)
    Thread(target=_read, args=(tasks,), daemon=True).start()
    Thread(target=_write, args=(waiting, answers), daemon=True).start()
    while True:
        batch = bytearray()
        for line in perform(tasks.get()):
            batch += line + b"\n"
            if len(batch) >= BATCH:
                waiting.put(bytes(batch))
                batch.clear()
        waiting.put(bytes(batch + b"\n"))


def _read(tasks: SimpleQueue[bytes]) -> None:
    for line in sys.stdin.buffer:
        tasks.put(line)
    os._exit(1)  # nobody waits for the rest


def _write(waiting: Queue[bytes], answers: IO[bytes]) -> None:
    try:
        while True:
            answers.write(waiting.get())
            answers.flush()
    except OSError:
        os._exit(1)  # nobody wants the rest

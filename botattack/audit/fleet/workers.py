"""What carries leases to workers, which are processes of this machine."""

from __future__ import annotations

import re
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock
from types import TracebackType

import msgspec

from botattack.audit.fleet.leases import LeaseEnd
from botattack.audit.pool import Worker, WorkerDied
from botattack.closing import IN_ALL
from botattack.errors import BotattackError

LOCAL = re.compile(r"local:([1-9]\d{0,2})", re.ASCII)
DEATHS = 50
"""Processes that one lease may lose before it is given up."""
_WORKER = "botattack.audit.fleet.lease_worker"


class LocalWorkers:
    """Processes of this machine: each asks one lease after the other, and one that dies is replaced.

    A context manager, with which they end. Each has a thread here that waits for it.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._threads = ThreadPoolExecutor(workers)
        self._started: list[Worker] = []
        self._idle: SimpleQueue[Worker | None] = SimpleQueue()
        for _ in range(workers):
            self._idle.put(None)
        self._closed, self._starting = False, Lock()

    def submit(self, task: bytes) -> Future[list[bytes]]:
        """Begins a `LeaseTask`; a future of a `LeaseEnd`."""
        return self._threads.submit(self._perform, task)

    def _perform(self, task: bytes) -> list[bytes]:
        worker = self._idle.get()
        try:
            for _ in range(DEATHS):
                if (worker := worker or self._start()) is None:
                    break
                with suppress(WorkerDied):
                    return [*worker.begin(task)]
                worker = None
        finally:
            self._idle.put(worker)
        why = f"{DEATHS} processes were ended over one lease; is memory short?"
        return [msgspec.json.encode(LeaseEnd(2, why))]

    def _start(self) -> Worker | None:
        """None once all have ended: none is started behind their back."""
        with self._starting:
            if self._closed:
                return None
            self._started.append(worker := Worker(_WORKER))
            return worker

    def _close_bots(self) -> None:
        """Lets processes that have nothing to do close what they keep open, in a bounded time."""
        idle = [worker for _ in range(self._idle.qsize()) if (worker := self._idle.get())]
        wait([self._threads.submit(_close_bot, worker) for worker in idle], IN_ALL)

    def __enter__(self) -> LocalWorkers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._starting:
            self._closed = True
        if error is None:
            self._close_bots()
        for worker in self._started:
            worker.kill()
        self._threads.shutdown()
        for worker in self._started:
            worker.close()


def _close_bot(worker: Worker) -> None:
    with suppress(WorkerDied):
        list(worker.begin(b""))


def number_of(on: str) -> int:
    """How many workers `--on` names; raises BotattackError if it names none."""
    if local := LOCAL.fullmatch(on):
        return int(local[1])
    raise BotattackError(f"--on {on!r} names no workers; write local:4 for four processes of this machine")

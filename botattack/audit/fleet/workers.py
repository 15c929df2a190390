"""What carries leases to workers: processes of this machine, or the scheduler of a Dask cluster."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from queue import SimpleQueue
from threading import Lock
from types import TracebackType
from typing import Any, Protocol

import msgspec

from botattack.audit.fleet.leases import LeaseEnd
from botattack.audit.pool import Worker, WorkerDied
from botattack.closing import IN_ALL
from botattack.errors import BotattackError

LOCAL = re.compile(r"local:([1-9]\d{0,2})", re.ASCII)
CLUSTER = re.compile(r"(tcp|tls)://[^\s/]+:\d+", re.ASCII)
PATIENCE = 10
"""Seconds that a cluster may take to answer."""
DEATHS = 50
"""Processes that one lease may lose before it is given up."""
_WORKER = "botattack.audit.fleet.lease_worker"


class Workers(Protocol):
    """So many workers, each with one lease at a time."""

    @property
    def workers(self) -> int:
        """How many there are."""
        ...

    def submit(self, task: bytes, key: str) -> Any:
        """Begins a `LeaseTask`; a future of a `LeaseEnd`. The same `key` is never with two workers at a time."""
        ...

    def wait(self, futures: Iterable[Any], seconds: float) -> None:
        """Waits until one of them is done, so many seconds at most."""
        ...


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

    def submit(self, task: bytes, key: str) -> Future[list[bytes]]:
        """Begins a lease; `key` names it."""
        del key
        return self._threads.submit(self._perform, task)

    def wait(self, futures: Iterable[Future[list[bytes]]], seconds: float) -> None:
        """Waits until one of them is done, so many seconds at most."""
        wait(list(futures), seconds, FIRST_COMPLETED)

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


@dataclass(frozen=True)
class DaskWorkers:
    """Those of a cluster, by Dask's client. A lease whose worker dies is given to another one."""

    workers: int
    client: Any

    def submit(self, task: bytes, key: str) -> Any:
        """As `Workers.submit`."""
        from botattack.audit.fleet.lease_worker import perform

        return self.client.submit(perform, task, key=key, pure=False)

    def wait(self, futures: Iterable[Any], seconds: float) -> None:
        """As `Workers.wait`."""
        from distributed import wait as wait_for

        waited_for = list(futures)
        if not waited_for:
            return
        with suppress(TimeoutError), self.client.as_current():
            wait_for(waited_for, timeout=seconds, return_when="FIRST_COMPLETED")


def check_workers(on: str) -> None:
    """Raises BotattackError for what names no workers, and if the extra is missing."""
    if not LOCAL.fullmatch(on) and not CLUSTER.fullmatch(on):
        raise BotattackError(
            f"--on {on!r} names no workers; write local:4 for four processes of this machine, or the address of a Dask "
            "scheduler, such as tls://HOST:8786"
        )
    if not is_local(on) and find_spec("distributed") is None:
        raise BotattackError('a cluster needs Dask: pip install "botattack[fleet]", or write --on local:4')


def is_local(on: str) -> bool:
    """Whether all workers are processes of this machine."""
    return bool(LOCAL.fullmatch(on))


@contextmanager
def opened(on: str, most: int) -> Iterator[Workers]:
    """Workers, `most` at most; those of this machine end with this. Raises BotattackError if there are none."""
    if local := LOCAL.fullmatch(on):
        with LocalWorkers(min(int(local[1]), most)) as workers:
            yield workers
        return
    from distributed import Client

    from botattack.audit.fleet.lease_worker import close_all

    try:
        client = Client(on, timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise BotattackError(f"no scheduler answers at {on}: {error}; start dask scheduler there") from None
    with client:
        there = len(client.scheduler_info(n_workers=-1)["workers"])
        if not there:
            raise BotattackError(f"the scheduler at {on} has no workers; start dask worker {on} first")
        yield DaskWorkers(min(there, most), client)
        with suppress(Exception):
            client.run(close_all, wait=False)

"""Workers that are processes of this machine: each asks one lease after the other, and one that dies is replaced."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from types import TracebackType

import msgspec

from botattack.audit.fleet.leases import LeaseEnd

DEATHS = 50
"""Processes that one lease may lose before it is given up."""
# The way to modules is that of this process. The script that uses botattack as a library is not run again.
_START = (
    "import sys; from json import loads; sys.path[:] = loads(sys.argv[1]); "
    "from botattack.audit.fleet.lease_worker import work; work()"
)


class LocalWorkers:
    """So many processes at most; a context manager, with which they end. Each has a thread here that waits for it."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._threads = ThreadPoolExecutor(workers)
        self._of_thread = threading.local()
        self._started: list[subprocess.Popen[bytes]] = []
        self._closed = False

    def submit(self, task: bytes, key: str) -> Future[bytes]:
        """Begins a lease; `key` names it."""
        del key
        return self._threads.submit(self._perform, task)

    def wait(self, futures: Iterable[Future[bytes]], seconds: float) -> None:
        """Waits until one of them is done, so many seconds at most."""
        wait(list(futures), seconds, FIRST_COMPLETED)

    def _perform(self, task: bytes) -> bytes:
        for _ in range(DEATHS):
            if self._closed:
                break
            process = self._process()
            try:
                assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018  # they are pipes
                process.stdin.write(task.hex().encode() + b"\n")
                process.stdin.flush()
                line = process.stdout.readline()
            except OSError:
                line = b""
            if line.endswith(b"\n"):
                return bytes.fromhex(line.decode())
            process.kill()
            process.wait()
        return msgspec.msgpack.encode(LeaseEnd(2, f"{DEATHS} processes were ended over one lease; is memory short?"))

    def _process(self) -> subprocess.Popen[bytes]:
        process: subprocess.Popen[bytes] | None = getattr(self._of_thread, "process", None)
        if process is None or process.poll() is not None:
            # In a session of its own it hears no Ctrl-C; it ends when this process does.
            process = subprocess.Popen(  # noqa: S603  # our own words
                [sys.executable, "-P", "-c", _START, msgspec.json.encode(sys.path).decode()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            self._of_thread.process = process
            self._started.append(process)
        return process

    def __enter__(self) -> LocalWorkers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed = True
        for process in self._started:
            process.kill()
        self._threads.shutdown()
        for process in self._started:
            with process:
                pass

"""What carries leases to workers: processes of this machine, or the scheduler of a Dask cluster."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Protocol

from botattack.audit.fleet.local_workers import LocalWorkers
from botattack.errors import BotattackError

LOCAL = re.compile(r"local:([1-9]\d{0,2})", re.ASCII)
CLUSTER = re.compile(r"(tcp|tls)://[^\s/]+:\d+", re.ASCII)
PATIENCE = 10
"""Seconds that a cluster may take to answer."""


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
        from distributed import wait

        waited_for = list(futures)
        if not waited_for:
            return
        with suppress(TimeoutError), self.client.as_current():
            wait(waited_for, timeout=seconds, return_when="FIRST_COMPLETED")


def check_cluster(on: str) -> None:
    """Raises BotattackError for what names no cluster, and if the extra is missing."""
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

    try:
        client = Client(on, timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise BotattackError(f"no scheduler answers at {on}: {error}; start dask scheduler there") from None
    with client:
        there = len(client.scheduler_info(n_workers=-1)["workers"])
        if not there:
            raise BotattackError(f"the scheduler at {on} has no workers; start dask worker {on} first")
        yield DaskWorkers(min(there, most), client)

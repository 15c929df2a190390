"""Every way in which somebody ends botattack is Ctrl-C."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count


@contextmanager
def ended_as_interrupted() -> Iterator[None]:
    """Takes SIGTERM, and the SIGHUP of a closed terminal or a dropped ssh, for Ctrl-C: one handler then does for all of
    them, and without one KeyboardInterrupt runs every clean-up. What `nohup` ignores stays ignored."""

    def interrupt(*_: object) -> None:
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            raise KeyboardInterrupt  # a script's shell starts so what it runs in the background
        signal.raise_signal(signal.SIGINT)

    ends = [each for each in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) is not signal.SIG_IGN]
    before = {each: signal.signal(each, interrupt) for each in ends}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def hearing_interrupts(hear: Callable[[int], object]) -> Iterator[None]:
    """Calls `hear` with the number of each Ctrl-C, from 1; it then ends nothing by itself."""
    times = count(1)
    before = signal.signal(signal.SIGINT, lambda *_: hear(next(times)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

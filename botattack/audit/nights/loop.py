"""A schedule kept in this process: one night after the other, at the times of a cron expression."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Protocol

from botattack.errors import BotattackError, our_fault


class Wall(Protocol):
    """The clock on the wall and the way to wait, handed in so that a year can be tested in a second."""

    def now(self) -> datetime: ...

    def sleep(self, seconds: float) -> None: ...


LONGEST = 60.0
"""Seconds between two looks at the clock: a suspended machine or a clock that was set is noticed that soon."""


class Times:
    """The times of a cron expression in a time zone, daylight saving as cron has it: a skipped time comes right
    after the gap, a repeated one only once."""

    def __init__(self, cron: str, zone: str = "") -> None:
        self._cron = cron
        self._zone = zone

    def after(self, moment: datetime) -> datetime:
        """The next time after a moment, as UTC."""
        from cronsim import CronSim

        return next(CronSim(self._cron, moment.astimezone(zone_of(self._zone)))).astimezone(UTC)


def zone_of(name: str = "") -> tzinfo:
    """A time zone by name; without one that of this machine, with its daylight saving where the system tells."""
    from zoneinfo import ZoneInfo

    linked = str(Path("/etc/localtime").resolve()).rpartition("zoneinfo/")[2]
    try:
        return ZoneInfo(name or os.environ.get("TZ", "").removeprefix(":") or linked)
    except (KeyError, ValueError, OSError):
        return datetime.now().astimezone().tzinfo or UTC


def nights(times: Times, wall: Wall) -> Iterator[datetime]:
    """Yields at each time, once it has come. What comes due while a night still runs is left out, never made up for."""
    while True:
        due = times.after(wall.now())
        while (left := (due - wall.now()).total_seconds()) > 0:
            wall.sleep(min(left, LONGEST))
        yield due


def keep(times: Times, wall: Wall, night: Callable[[], object], say: Callable[[str], None]) -> None:
    """Runs nights for ever; one that fails does not end the loop."""
    say(f"next night {_shown(times.after(wall.now()))}")
    for due in nights(times, wall):
        say(f"night of {_shown(due)}")
        try:
            night()
        except Exception as error:
            say(f"this night broke off: {error if isinstance(error, BotattackError) else our_fault(error)}")
        say(f"next night {_shown(times.after(wall.now()))}")


class RealWall:
    """This machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def sleep(self, seconds: float) -> None:
        import time

        time.sleep(seconds)


def _shown(moment: datetime) -> str:
    return moment.astimezone(zone_of()).isoformat(sep=" ", timespec="minutes")

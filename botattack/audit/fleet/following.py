"""What workers record, as it is written: the events of all leases, as one run would tell them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from botattack.events import AnyEvent, BoilerplateKnown, RecordSkipped, RunEnded, RunStarted, decode
from botattack.recordings import merge
from botattack.recordings.writer import EVENTS

READ = 1 << 22
"""Bytes read of one lease at a time."""


class Following:
    """Tells `listen` the new events of leases; the beginning of the run once, and the ends of leases never."""

    def __init__(self, listen: Callable[[AnyEvent], None], total: int, run: str) -> None:
        self._listen = listen
        self._total = total
        self._run = run
        self._read: dict[Path, int] = {}
        self.framing: dict[Path, merge.Framing] = {}
        """Of each lease that has begun."""
        self._once: set[str] = set()

    def look(self, folder: Path) -> None:
        """Tells what a lease has recorded since the last look."""
        with suppress(FileNotFoundError), (folder / EVENTS).open("rb") as file:
            while True:
                file.seek(self._read.get(folder, 0))
                lines, newline, _ = file.read(READ).rpartition(b"\n")
                if not newline:
                    return
                self._read[folder] = self._read.get(folder, 0) + len(lines) + 1
                framing = self.framing.setdefault(folder, merge.Framing())
                for line in lines.split(b"\n"):
                    event = decode(line)
                    framing.update(event)
                    self._tell(event)

    def _tell(self, event: AnyEvent) -> None:
        if isinstance(event, RunEnded):
            return
        if isinstance(event, RunStarted | RecordSkipped | BoilerplateKnown):
            if event.key in self._once:
                return
            self._once.add(event.key)
        if isinstance(event, RunStarted):
            event = msgspec.structs.replace(event, run=self._run, total=self._total, gone=0)
        self._listen(event)

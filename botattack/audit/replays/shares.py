"""A recording judged again on several processes, which share its questions.

Each process reads the recording itself, judges the questions of its share alone and writes the judged events to a pipe,
in the order of the recording. Whoever reads takes each event from the process that owns its question, so that the order
is that of one process. A process runs ahead by the bytes of BATCH and BATCHES at most: memory stays flat.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import IO
from zlib import crc32

import msgspec

from botattack.errors import RecordingError
from botattack.events import AnyEvent, JudgedBy, OriginalJudged, RunStarted, VariantJudged, decode

MOST = 64
"""Processes; each of them reads the whole file."""
BATCH = 1 << 16
BATCHES = 128
"""Bytes that are written at once, and how many times that many may wait in a process. Shares are even over a whole
recording and uneven over a part of it: with less room, one process would wait for another."""
# The way to modules is that of this process. The script that uses botattack as a library is not run again.
_START = (
    "import sys; from json import loads; sys.path[:] = loads(sys.argv[2]); "
    "from botattack.audit.replays.share_worker import work; work(sys.argv[1])"
)


class ShareTask(msgspec.Struct, frozen=True):
    """What a process is to judge again, and how: the arguments of `today`, and which share of how many."""

    recording: str
    reextract: bool = False
    target: str | None = None
    allow_code: bool = False
    judge: str | None = None
    share: int = 0
    shares: int = 1

    def owns(self, question: str) -> bool:
        """Whether a question belongs to this share; events of the run itself belong to every share."""
        return not question or share_of(question, self.shares) == self.share


def share_of(question: str, shares: int) -> int:
    """The share that a question belongs to, by its id."""
    return crc32(question.encode()) % shares


def judged_in_shares(events: Iterable[AnyEvent], order: ShareTask, by: JudgedBy) -> Iterator[AnyEvent]:
    """What `rejudged` makes of all events of the recording, made by `order.shares` processes, which end with this.

    Raises RecordingError where one of them ends before it is done.
    """
    with ExitStack() as stack:
        numbers = range(order.shares)
        workers = [stack.enter_context(_started(msgspec.structs.replace(order, share=share))) for share in numbers]
        for event in events:
            if isinstance(event, VariantJudged | OriginalJudged):
                yield workers[share_of(event.question, order.shares)].judged(event)
            else:
                yield msgspec.structs.replace(event, judge=by) if isinstance(event, RunStarted) else event


@contextmanager
def _started(order: ShareTask) -> Iterator[_Worker]:
    words = [msgspec.json.encode(order).decode(), msgspec.json.encode(sys.path).decode()]
    command = [sys.executable, "-P", "-c", _START, *words]
    quiet = subprocess.DEVNULL
    try:
        # In a session of its own it hears no Ctrl-C: it ends with this process, without a word.
        process = subprocess.Popen(  # noqa: S603  # our own words
            command, stdin=quiet, stdout=subprocess.PIPE, stderr=quiet, start_new_session=True
        )
    except OSError as error:
        raise RecordingError(f"no process could be started to judge again ({error}); leave out --jobs") from None
    with process:
        try:
            assert process.stdout is not None  # noqa: S101  # it is a pipe
            yield _Worker(process, process.stdout, order.recording)
        finally:
            process.kill()


@dataclass(frozen=True)
class _Worker:
    process: subprocess.Popen[bytes]
    lines: IO[bytes]
    recording: str

    def judged(self, event: VariantJudged | OriginalJudged) -> AnyEvent:
        """The same event, judged again. Raises RecordingError if the process cannot give it."""
        line = self.lines.readline()
        if not line.endswith(b"\n"):
            raise self._ended()
        if line.startswith(b'"'):
            raise RecordingError(msgspec.json.decode(line, type=str))
        now: AnyEvent = decode(line)
        if now.key != event.key:
            raise self._changed()
        return now

    def _ended(self) -> RecordingError:
        status = self.process.wait()
        if status == 0:
            return self._changed()
        how = f"by signal {-status} ({signal.strsignal(-status)})" if status < 0 else f"with status {status}"
        return RecordingError(
            f"{self.recording} could not be judged again: one of the processes was ended {how}; "
            "try again, with --jobs 1 if memory is short"
        )

    def _changed(self) -> RecordingError:
        return RecordingError(f"{self.recording} changed while it was judged again; wait until its run has ended")

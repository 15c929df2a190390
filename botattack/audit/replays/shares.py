"""A recording judged again on several processes, which share its questions.

Each process reads the recording itself, judges the questions of its share alone and gives the judged events in the
order of the recording. Whoever reads takes each event from the process that owns its question, so that the order is
that of one process.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from zlib import crc32

import msgspec

from botattack.audit.pool import Worker, WorkerDied
from botattack.errors import RecordingError
from botattack.events import AnyEvent, JudgedBy, OriginalJudged, RunStarted, VariantJudged, decode

MOST = 64
"""Processes; each of them reads the whole file."""
_WORKER = "botattack.audit.replays.share_worker"


class ShareTask(msgspec.Struct, frozen=True):
    """What a process is to judge again, and how: the arguments of `today`, and which share of how many."""

    recording: Path
    reextract: bool = False
    target: Path | None = None
    allow_code: bool = False
    judge: Path | None = None
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
        shares = [_begun(msgspec.structs.replace(order, share=share), stack) for share in range(order.shares)]
        for event in events:
            if isinstance(event, VariantJudged | OriginalJudged):
                yield _judged(event, shares[share_of(event.question, order.shares)], order.recording)
            else:
                yield msgspec.structs.replace(event, judge=by) if isinstance(event, RunStarted) else event


def _begun(order: ShareTask, stack: ExitStack) -> Iterator[bytes]:
    try:
        worker = Worker(_WORKER)
    except OSError as error:
        raise RecordingError(f"no process could be started to judge again ({error}); leave out --jobs") from None
    stack.callback(worker.close)
    return worker.begin(msgspec.json.encode(order, enc_hook=str))


def _judged(event: VariantJudged | OriginalJudged, share: Iterator[bytes], recording: Path) -> AnyEvent:
    """The same event, judged again. Raises RecordingError if the process cannot give it."""
    try:
        line = next(share, b"")
    except WorkerDied as error:
        raise RecordingError(
            f"{recording} could not be judged again: one of the processes was ended {error}; "
            "try again, with --jobs 1 if memory is short"
        ) from None
    if line.startswith(b'"'):
        raise RecordingError(msgspec.json.decode(line, type=str))
    now = decode(line) if line else None
    if now is None or now.key != event.key:
        raise RecordingError(f"{recording} changed while it was judged again; wait until its run has ended")
    return now

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


class ReplaySettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a recording is judged again: with answers that are found again if it shall `reextract`. `target` is the
    target file, if it is not where it was; its refusals count, too. `judge` is a file of weights in place of those that
    the campaign named. With more than one of `jobs`, as many processes judge."""

    reextract: bool = False
    target: Path | None = None
    allow_code: bool = False
    judge: Path | None = None
    jobs: int = 1


class ShareTask(msgspec.Struct, frozen=True):
    """Which share of a recording a process judges again."""

    recording: Path
    settings: ReplaySettings
    share: int

    def owns(self, question: str) -> bool:
        """Whether a question belongs to this share; events of the run itself belong to every share."""
        return not question or share_of(question, self.settings.jobs) == self.share


def share_of(question: str, shares: int) -> int:
    """The share that a question belongs to, by its id. Not by `hash`, which is another one in each process."""
    return crc32(question.encode()) % shares


def judged_in_shares(
    events: Iterable[AnyEvent], recording: Path, settings: ReplaySettings, by: JudgedBy
) -> Iterator[AnyEvent]:
    """What `rejudged` makes of all events of the recording, made by as many processes as jobs, which end with this.

    Raises RecordingError where one of them ends before it is done.
    """
    with ExitStack() as stack:
        shares = [_begun(ShareTask(recording, settings, share), stack) for share in range(settings.jobs)]
        for event in events:
            if isinstance(event, VariantJudged | OriginalJudged):
                yield _judged(event, shares[share_of(event.question, settings.jobs)], recording)
            else:
                yield msgspec.structs.replace(event, judge=by) if isinstance(event, RunStarted) else event


def _begun(task: ShareTask, stack: ExitStack) -> Iterator[bytes]:
    try:
        worker = Worker(_WORKER)
    except OSError as error:
        raise RecordingError(f"no process could be started to judge again ({error}); leave out --jobs") from None
    stack.callback(worker.close)
    return worker.begin(msgspec.json.encode(task, enc_hook=str))


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

"""The process that judges one share of a recording again (`shares.py`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import IO

import msgspec

from botattack.audit.replays.replaying import today
from botattack.audit.replays.shares import BATCH, BATCHES, ShareTask
from botattack.errors import BotattackError, Fault
from botattack.events import OriginalJudged, VariantJudged, encode, question_of
from botattack.recordings.reader import events


def work(order: str) -> None:
    """Judges a share; the events go to standard output, which nothing else can write to."""
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)  # where whatever a matcher or the code of a target file prints goes: nowhere
        waiting: Queue[bytes] = Queue(BATCHES)
        writer = Thread(target=_write, args=(waiting, out), daemon=True)
        writer.start()
        for batch in _batches(msgspec.json.decode(order, type=ShareTask)):
            waiting.put(batch)
        waiting.put(b"")
        writer.join()


def _write(waiting: Queue[bytes], out: IO[bytes]) -> None:
    try:
        while batch := waiting.get():
            out.write(batch)
            out.flush()
    except OSError:
        os._exit(1)  # nobody wants the rest


def _batches(order: ShareTask) -> Iterator[bytes]:
    batch = bytearray()
    for line in _lines(order):
        batch += line + b"\n"
        if len(batch) >= BATCH:
            yield bytes(batch)
            batch.clear()
    if batch:
        yield bytes(batch)


def _lines(order: ShareTask) -> Iterator[bytes]:
    """The judged events of the share, and a sentence if it cannot be finished."""
    try:
        recording = Path(order.recording)
        as_of = today(
            recording,
            reextract=order.reextract,
            target=Path(order.target) if order.target else None,
            allow_code=order.allow_code,
            judge=Path(order.judge) if order.judge else None,
        )
        mine = (event for event in events(recording) if order.owns(question_of(event)))
        for event in as_of.again(mine):
            if isinstance(event, VariantJudged | OriginalJudged):
                yield encode(event)
    except BotattackError as error:
        yield msgspec.json.encode(str(error))
    except Exception as error:
        why = f"judging {order.recording} again failed: {Fault.of(error).why}; --jobs 1 may say more"
        yield msgspec.json.encode(why)

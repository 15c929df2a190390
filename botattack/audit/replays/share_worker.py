"""What a process does that judges one share of a recording again (`shares.py`)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from botattack.audit.replays.replaying import today
from botattack.audit.replays.shares import ShareTask
from botattack.errors import BotattackError, Fault
from botattack.events import OriginalJudged, VariantJudged, encode, question_of
from botattack.recordings.reader import events


def perform(task: bytes) -> Iterator[bytes]:
    """The judged events of the share, and a sentence if it cannot be finished."""
    share = msgspec.json.decode(task, type=ShareTask, dec_hook=lambda kind, value: kind(value))
    try:
        as_of = today(share.recording, msgspec.structs.replace(share.settings, jobs=1))
        mine = (event for event in events(share.recording) if share.owns(question_of(event)))
        for event in as_of.again(mine):
            if isinstance(event, VariantJudged | OriginalJudged):
                yield encode(event)
    except BotattackError as error:
        yield msgspec.json.encode(str(error))
    except Exception as error:
        why = f"judging {share.recording} again failed: {Fault.of(error).why}; --jobs 1 may say more"
        yield msgspec.json.encode(why)

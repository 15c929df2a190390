"""Recorded replies read again from their raw form, as the target file of today says, offline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from botattack.errors import BotattackError, TargetError, excerpt
from botattack.events import AnyEvent, Asked
from botattack.model import Failure, Reply
from botattack.recordings.redaction import WITHHELD

UNKNOWN = "unknown"
"""Kind of failure of a reply whose raw form does not hold what today's extraction needs."""
Extract = Callable[[str], Reply]


def reextracted(events: Iterable[AnyEvent], extract: Extract) -> Iterator[AnyEvent]:
    """The same events with every reply extracted again; times and raw forms stay as they were.

    A reply that cannot be had from what was kept becomes a failure of the kind `unknown`, one in which today's
    extraction finds nothing the failure that a live run would have had. Units that failed before stay as they were.
    """
    for event in events:
        yield _again(event, extract) if isinstance(event, Asked) and event.replies else event


def _again(event: Asked, extract: Extract) -> Asked:
    replies = []
    for reply in event.replies:
        if why := _not_kept(reply.raw):
            return _failed(event, Failure(UNKNOWN, f"unknown: the raw reply was not kept, it {why}"))
        try:
            read = extract(reply.raw)
        except TargetError as error:
            return _failed(event, Failure(error.kind, error.told(excerpt), error.status, error.place))
        except BotattackError as error:
            return _failed(event, Failure(UNKNOWN, f"unknown: {error}"))
        replies.append(msgspec.structs.replace(read, latency=reply.latency, first=reply.first, raw=reply.raw))
    return msgspec.structs.replace(event, replies=tuple(replies))


def _not_kept(raw: str) -> str:
    if raw == WITHHELD:
        return "held a secret in pieces"
    return "" if raw else "was too long"


def _failed(event: Asked, failure: Failure) -> Asked:
    return msgspec.structs.replace(event, replies=(), failure=failure)

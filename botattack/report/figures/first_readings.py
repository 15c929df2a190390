"""Whether the first originals of a run were read where the bot's answers are, and whether streams came whole, as folds
over its events."""

from __future__ import annotations

import json
from collections import Counter

from botattack.events import Asked, Event, OriginalJudged
from botattack.model import Reply
from botattack.recordings.redaction import WITHHELD

FIRST, FEWEST = 5, 3
"""Originals that are compared, and those that a run of fewer questions must have."""
_SHORT = 3
"""Words of a right answer that tell nothing: short answers to different questions may be the same."""


class FirstReadings:
    """Keeps the originals of FIRST questions, those with the smallest ids: no order of questions changes it."""

    def __init__(self) -> None:
        self._open: dict[str, Asked] = {}
        self._kept: dict[str, Asked] = {}
        self._told = (frozenset[str](), "")

    def update(self, event: Event) -> None:
        if isinstance(event, Asked):
            self._open.setdefault(event.question, event)
        elif isinstance(event, OriginalJudged) and (asked := self._open.pop(event.question, None)):
            short = event.standing == "kept" and len(asked.reply.split()) <= _SHORT
            silent = not asked.reply.strip() or event.verdict.kind == "refused"  # a bot may decline in the same words
            if asked.unit in event.units and len(asked.turns) == 1 and not (short or silent):
                self._kept = dict(sorted([*self._kept.items(), (event.question, asked)])[:FIRST])

    @property
    def complete(self) -> bool:
        return len(self._kept) == FIRST

    @property
    def doubt(self) -> str:
        """What contradicts that the answers are read, in one sentence; empty if nothing does."""
        if len(self._kept) < FEWEST:
            return ""
        if self._told[0] != self._kept.keys():
            self._told = frozenset(self._kept), self._compared()
        return self._told[1]

    def _compared(self) -> str:
        from botattack.targets.proving.checking import contradicted

        asked = self._kept.values()
        replies = [each.replies[-1] for each in asked]
        if any(reply.raw == WITHHELD for reply in replies):
            return ""
        found = contradicted([each.turns[-1].text for each in asked], replies)
        how = "botattack check shows what the target file reads of a reply"
        return f"the first originals contradict the target file: {found}; {how}" if found else ""


class Endings:
    """Counts the replies that came in pieces by what they ended with. One that breaks off before the `done` of a target
    file is a failure, and not among them."""

    def __init__(self) -> None:
        self._ends = Counter[str]()

    def update(self, event: Asked) -> None:
        for reply in event.replies:
            if reply.first is not None and reply.raw not in ("", WITHHELD) and not reply.refused:
                self._ends[_end_of(reply)] += 1

    @property
    def doubt(self) -> str:
        """That some may be cut off, in one sentence; empty if all ended alike, or most with nothing that says so."""
        mark, times = next(iter(self._ends.most_common(1)), ("", 0))
        if not mark or not 0 < (cut := self._ends.total() - times) < times:
            return ""
        return (
            f"{cut:,} of {self._ends.total():,} replies that came in pieces ended without {mark}, as most of them end: "
            "they may be cut off, and were graded as they came; set connect.stream.done in the target file to it"
        )


def _end_of(reply: Reply) -> str:
    """The mark at the end of a stream of HTTP; empty if there is none."""
    from botattack.targets.http.streams import ending, split
    from botattack.targets.messages.selectors import stream_format
    from botattack.targets.proving.checking import asking_of

    asking = asking_of("", reply)
    form = stream_format(asking.reply) if asking.messages is None else ""
    if form not in ("sse", "ndjson"):
        return ""
    last = asking.reply.replace("\r\n", "\n").rstrip().rpartition("\n\n" if form == "sse" else "\n")[2]
    mark, _ = ending([split(last, form)])
    return json.dumps(mark) if mark else ""

"""Whether the first originals of a run were read where the bot's answers are, as a fold over its events."""

from __future__ import annotations

from botattack.events import Asked, Event, OriginalJudged
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

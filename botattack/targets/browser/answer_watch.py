"""What is seen of one answer, and what was there before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from botattack.targets.browser.page_options import Settled
from botattack.targets.browser.recorded import PageRow, Settling, changes
from botattack.targets.messages.quiet import AwakeClock

MOST_ROWS = 400
"""Rows that are held before those that show no change are left out."""


@dataclass(frozen=True)
class Taken:
    """The bot's messages that were taken as its last answer: the texts of all from `start` on."""

    start: int
    texts: tuple[str, ...]
    still: float
    """Seconds they had been the same for."""
    at: float
    """When they were taken, by the event loop's clock."""
    known: tuple[str, ...] = ()
    """The messages there were before them."""

    def is_there(self, messages: Sequence[str]) -> bool:
        """Whether one of them still stands on the page."""
        return any(messages.count(text) > self.known.count(text) for text in filter(None, self.texts))

    def grown(self, messages: Sequence[str]) -> str:
        """The message that has become longer since; empty if none has."""
        now = messages[self.start : self.start + len(self.texts)]
        return next((new for old, new in zip(self.texts, now, strict=False) if len(new) > len(old)), "")

    def further(self, messages: Sequence[str]) -> str:
        """A message that has come since; empty if none has."""
        return next(filter(None, messages[self.start + len(self.texts) :]), "")


@dataclass(frozen=True)
class Before:
    """What the page showed before a message was sent. `echoes` is -1 where the message cannot be looked for."""

    messages: int
    done: int
    echoes: int
    busy: int
    lines: frozenset[str]
    texts: tuple[str, ...] = ()
    """The bot's messages."""


@dataclass
class AnswerWatch:
    """What is seen of one answer. Times are seconds since the message was sent, without those for which the machine
    stood still, and the page with it."""

    settling: Settling
    clock: AwakeClock
    began: float
    echoed: bool
    """Whether the sent message has shown up, or is not looked for."""
    rows: list[PageRow] = field(default_factory=list)
    sent: float = 0.0
    """When it was sent last."""
    times: int = 1
    unsent: bool | None = None
    """Whether the first sending is known not to have left the page; None before `confirm` is over."""
    strays: tuple[str, ...] = ()
    """New messages of the bot that came before the sent one showed up: they answer something else."""
    messages: tuple[str, ...] = ()
    """All messages that are new, as they were seen last."""
    changed: bool = False
    """Whether the messages from before have been seen to be others."""

    streams: frozenset[Any] = frozenset()
    """Responses that were open when the text changed last, so they may bring more of it."""
    _open: frozenset[Any] = frozenset()

    def coming(self, text: str, now: frozenset[Any]) -> int:
        """How many responses that may bring more of the text are still coming. One that began after the text had come
        brings none of it: pages ask again and again whether there is anything new."""
        before = self.rows[-1].text if self.rows else ""
        if text != before:
            self.streams = self._open if before else now
        self.streams &= now
        self._open = now
        return len(self.streams)

    def see(self, row: PageRow) -> bool:
        self.rows.append(row)
        if len(self.rows) > MOST_ROWS:
            self.rows = changes(self.rows)
        return self.settling.see(row)

    def now(self) -> float:
        return self.clock.now() - self.began

    @property
    def last(self) -> PageRow:
        return self.rows[-1]

    @property
    def stood(self) -> float:
        """For how long there has been a text, and the same one."""
        return 0.0 if self.settling.first is None else self.settling.stood(self.last.at)

    def is_in_time(self, rule: Settled) -> bool:
        """Whether the answer looks complete and only has to be watched for longer."""
        unhindered = self.settling.looks_complete or (self.last.coming > 0 and not self.last.busy)
        return unhindered and self.stood >= rule.quiet

    def own(self, new: Sequence[str]) -> Sequence[str]:
        """The messages that are not strays. One that has changed since is none: it was a place kept for the answer."""
        if not self.echoed:
            return new
        strays = 0
        while strays < min(len(new), len(self.strays)) and new[strays] == self.strays[strays]:
            strays += 1
        return new[strays:]

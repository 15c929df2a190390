"""What is seen of one answer, and what was there before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, NamedTuple

from botattack.targets.browser.page_options import Settled
from botattack.targets.browser.settling import PageRow, Settling
from botattack.targets.messages.quiet import AwakeClock

NOTHING = PageRow(0.0, -1, 0, 0, "")
"""What is seen before the first look."""


class Message(NamedTuple):
    """A message of the bot; `mark` tells its element from all others."""

    mark: int
    text: str


def fresh(before: Sequence[Message], now: Sequence[Message]) -> list[Message]:
    """The messages that were not there before, the oldest first.

    Messages are known by their elements, wherever these stand. A page may draw all of them again, or use elements for
    other messages, so one that has an old text counts as the old one; and an element with another text counts as new if
    it was moved, or its old text stands elsewhere now.
    """
    old, same = dict(before), set(before) & set(now)
    missing = Counter(each.text for each in before if each not in same)
    new = [each for each in now if each not in same and not _take(missing, each.text)]
    new = [each for each in new if _moved(each, before, now) or not _take(missing, old.get(each.mark))]
    kept = [place for place, each in enumerate(now) if each not in new]
    # Some pages put the newest message on top. Where no old one shows that, the order in which elements were made does.
    first = bool(kept) and all(now.index(each) < kept[0] for each in new)
    return new[::-1] if first or (not kept and new and new[-1].mark < new[0].mark) else new


def _take(texts: Counter[str], text: str | None) -> bool:
    """Whether the text was among them; then there is one less."""
    if text is None or texts[text] <= 0:
        return False
    texts[text] -= 1
    return True


def _moved(message: Message, before: Sequence[Message], now: Sequence[Message]) -> bool:
    """Whether what stood after it stands before it now."""
    after = [each.mark for each in before]
    if message.mark not in after:
        return False
    later = set(after[after.index(message.mark) :])
    return any(each.mark in later for each in takewhile(lambda each: each.mark != message.mark, now))


@dataclass(frozen=True)
class Taken:
    """The bot's messages that were taken as its last answer."""

    own: tuple[Message, ...]
    still: float
    """Seconds they had been the same for."""
    at: float
    """When they were taken, by the event loop's clock."""
    there: tuple[Message, ...] = ()
    """All messages, as they stood on the page then."""

    def grown(self, messages: Sequence[Message]) -> str:
        """The message that has become longer since; empty if none has."""
        old, new = dict(self.own), self._further(messages)
        longer = (each for each in messages if len(each.text) > len(old.get(each.mark, each.text)))
        return next((each.text for each in longer if each not in new), "")

    def further(self, messages: Sequence[Message]) -> str:
        """A message that has come since; empty if none has."""
        return next((each.text for each in self._further(messages) if each.text), "")

    def _further(self, messages: Sequence[Message]) -> list[Message]:
        return fresh(self.there, messages)


@dataclass(frozen=True)
class Before:
    """What the page showed before a message was sent. `echoes` is -1 where the message cannot be looked for."""

    messages: int
    done: int
    echoes: int
    busy: int
    lines: frozenset[str]
    said: tuple[Message, ...] = ()
    """The bot's messages."""
    login: bool = False
    """Whether it had a field for a password already."""


@dataclass
class AnswerWatch:
    """What is seen of one answer. Times are seconds since the message was sent, without those for which the machine
    stood still, and the page with it."""

    settling: Settling
    clock: AwakeClock
    began: float
    echoed: bool
    """Whether the sent message has shown up, or is not looked for."""
    last: PageRow = NOTHING
    """What the page showed last."""
    busy: bool = False
    """Whether it ever showed its busy sign."""
    sent: float = 0.0
    """When it was sent last."""
    times: int = 1
    unsent: bool | None = None
    """Whether the first sending is known not to have left the page; None before `confirm` is over."""
    strays: tuple[Message, ...] = ()
    """New messages of the bot that came before the sent one showed up: they answer something else."""
    messages: tuple[Message, ...] = ()
    """All messages that are new, as they were seen last."""
    there: tuple[Message, ...] = ()
    """All messages, as they stood on the page then."""
    refused: float | None = None
    """When the page's request for the answer was first seen to have failed."""
    changed: bool = False
    """Whether the messages from before have been seen to be others."""

    streams: frozenset[Any] = frozenset()
    """Responses that were open when the text changed last, so they may bring more of it."""
    _open: frozenset[Any] = frozenset()

    def coming(self, text: str, now: frozenset[object]) -> int:
        """How many responses that may bring more of the text are still coming. One that began after the text had come
        brings none of it: pages ask again and again whether there is anything new."""
        before = self.last.text
        if text != before:
            # What brings the first text may have begun since the last look; what brings more was open then already.
            self.streams = self._open if before else now
        self.streams &= now
        self._open = now
        return len(self.streams)

    def see(self, row: PageRow) -> bool:
        self.last, self.busy = row, self.busy or row.busy > 0
        return self.settling.see(row)

    def now(self) -> float:
        return self.clock.now() - self.began

    @property
    def stood(self) -> float:
        """For how long there has been a text, and the same one."""
        return 0.0 if self.settling.first is None else self.settling.stood(self.last.at)

    def is_in_time(self, rule: Settled) -> bool:
        """Whether the answer looks complete and only has to be watched for longer."""
        unhindered = self.settling.looks_complete or (self.last.coming > 0 and not self.last.busy)
        return unhindered and self.stood >= rule.quiet

    def own(self, new: Sequence[Message]) -> Sequence[Message]:
        """The messages that are not strays. One that has changed since is none: it was a placeholder, into which the
        answer was written."""
        if not self.echoed:
            return new
        strays = 0
        while strays < min(len(new), len(self.strays)) and new[strays] == self.strays[strays]:
            strays += 1
        return new[strays:]

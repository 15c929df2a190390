"""What was seen of a page while it answered, when that counts as an answer, and what a run learns of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from botattack.targets.browser.page_options import Settled
from botattack.targets.messages.selectors import clean

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
BETWEEN = "\x1e"
"""Separates the messages of one row."""


@dataclass(frozen=True)
class PageRow:
    """What the page showed at one moment. `at` is seconds since the message was sent; `text` holds the messages
    that are new since then, with BETWEEN between them; `coming` counts the responses that may bring more of it, and
    `over` says that nothing that can be seen may."""

    at: float
    count: int
    busy: int
    done: int
    text: str
    coming: int = 0
    over: int = 0

    def shows(self, other: PageRow) -> bool:
        """Whether nothing has changed."""
        return replace(self, at=other.at) == other


@dataclass
class Settling:
    """Decides, row by row, whether an answer is complete.

    An answer looks complete while there is one more message than `before`, not empty, and the page does not look busy:
    the busy sign is gone and no response is still coming, or the done sign is there. It has settled once its text has
    been the same for `still` seconds, and it has looked complete for the last `linger` of them; both are shorter by
    `spare` while nothing that can be seen may bring more. Whenever it continues after it looked complete, both grow, to
    `most` more at the most, and nothing is spared any more.

    A text seen again after that time has not changed in between, so an answer whose pauses are shorter is never cut,
    however late the rows come.
    """

    still: float
    gone: bool
    done: bool
    before: int
    done_before: int = 0
    linger: float = 0.0
    most: float = 0.0
    spare: float = 0.0
    settled: float | None = None
    """When the answer was seen to have settled, else None."""
    complete: float = 0.0
    """When the bot was ready: the last change before."""
    first: float | None = None
    """When the first piece of text was seen."""
    pause: float = 0.0
    """The longest pause inside the text."""
    silence: float = 0.0
    """The longest time for which it looked complete before it continued."""
    _changed: float = 0.0
    _ready: float | None = None
    _text: str = ""
    _dipped: bool = field(default=False)
    """Whether a done sign vanished. A page that shows one sign for all answers takes it away while it answers, so there
    is never one more of them than before: once it was gone, any sign counts."""
    over: bool = False
    """Whether, at the last look, nothing visible could still add to the answer."""

    def see(self, row: PageRow) -> bool:
        """Whether the answer has settled, by this row."""
        self._dipped = self._dipped or row.done < self.done_before
        if row.text != self._text:
            self._goes_on(row)
        self.over = row.over > 0
        there = row.count > self.before and not _is_blank(row.text)
        if there and self.first is None:
            self.first = row.at
        if not (there and self._signs(row)):
            self._ready = None
        elif self._ready is None:
            self._ready = row.at
        self.settled = row.at if self.looks_complete and row.at >= self.due else None
        self.complete = max(self._ready or 0.0, self._changed)
        return self.settled is not None

    @property
    def looks_complete(self) -> bool:
        return self._ready is not None

    @property
    def due(self) -> float:
        """The earliest moment at which a row like the last one would settle."""
        spare = min(self.spare, self.linger) if self.over else 0.0
        return max(self._changed + self.still - spare, (self._ready or 0.0) + self.linger - spare)

    def stood(self, at: float) -> float:
        """For how long the text has been the same."""
        return at - self._changed

    def _goes_on(self, row: PageRow) -> None:
        if not _is_blank(self._text):
            self.pause = max(self.pause, row.at - self._changed)
        if self._ready is not None:
            self.silence = max(self.silence, row.at - max(self._ready, self._changed))
            quiet = self.still - self.linger
            more = max(0.0, min(learnt_linger(self.silence, quiet), self.most) - self.linger)
            self.linger, self.still = self.linger + more, self.still + more
            self.spare = 0.0 if self.silence > quiet else self.spare
        self._text, self._changed = row.text, row.at

    def _signs(self, row: PageRow) -> bool:
        if self.done and (row.done > self.done_before or (row.done > 0 and self._dipped)):
            return True
        if row.coming:
            return False
        return row.busy == 0 if self.gone else not self.done


def learnt_linger(silence: float, quiet: float) -> float:
    """How long an answer of a bot is watched after `quiet` if one once continued after so long a silence: 1.2 times as
    long in all."""
    return max(0.0, 1.2 * silence - quiet)


def _is_blank(text: str) -> bool:
    return not text.strip(f" \n{BETWEEN}")


def plain(line: str) -> str:
    """A line as it is compared with others: numbers, as in a time, make no difference."""
    return " ".join(_NUMBER.sub("#", line).split())


def without(text: str, lines: Sequence[str]) -> str:
    """A text without these lines, numbers apart."""
    if not lines:
        return text
    unwanted = {plain(line) for line in lines}
    return "\n".join(line for line in text.split("\n") if plain(line) not in unwanted)


def together(text: str) -> str:
    """The messages of a row as one answer."""
    return "\n".join(filter(None, (_trimmed(clean(part, html=False)) for part in text.split(BETWEEN))))


def _trimmed(text: str) -> str:
    """Without white space around it; the first of several lines keeps its indentation, as the others do."""
    text = text.rstrip()
    lines = text.lstrip("\n")
    return lines if "\n" in lines else text.strip()


FIRST = 5.0
"""Seconds for which the first answers of a run are watched once they look complete, as nothing is known of the bot."""
WHOLE = 3
"""Answers that came in one piece, after which all are taken to do so."""
SEEN = 2
"""After so many answers that did not grow once nothing visible could add to them, later ones are not watched beyond
that point."""
SHARED = 15.0
"""Seconds of which the n-th answer gets the n-th part, where answers come in pieces. After n answers without a pause,
pauses are rarer than three in n (at 95 %), so watching for them is worth less and less."""


@dataclass
class Habits:
    """What the answers of a run have shown, whichever context they came in."""

    answers: int = 0
    pause: float = 0.0
    """The longest pause inside an answer, whatever the page showed meanwhile."""
    silence: float = 0.0
    """The longest time for which an answer looked complete before it continued."""
    shows_messages: bool | None = None
    """Whether a sent message shows up on the page; None while that is not known."""
    keeps_open: bool = False
    """Whether the page keeps a response open after an answer, for longer than is learnt at all: then an open one says
    nothing."""
    ended: int = 0
    """Answers that were taken while nothing that can be seen could bring more of them."""
    grown: int = 0
    """Answers that continued after they had been taken."""

    def linger(self, rule: Settled) -> float:
        """Seconds for which an answer is watched after `quiet`."""
        learnt = learnt_linger(self.silence, rule.quiet)
        if rule.linger is not None:
            return max(rule.linger, min(learnt, longest(rule)))
        return max(rule.quiet / 2, min(max(learnt, self._first()), longest(rule)))

    def spare(self, rule: Settled) -> float:
        """Seconds of `linger` that an answer need not be watched once nothing that can be seen may bring more of it."""
        sure = self.ended >= SEEN and not (self.silence > rule.quiet or self.grown) and rule.linger is None
        return self.linger(rule) if sure else 0.0

    def _first(self) -> float:
        """Seconds for which an answer is watched because few are known."""
        whole = self.answers >= WHOLE and not self.pause
        return 0.0 if whole else min(FIRST, SHARED / (self.answers + 1))

    def took(self, settling: Settling) -> None:
        """Learns from an answer that was taken."""
        self.answers += 1
        self.ended += settling.over
        self.pause = max(self.pause, settling.pause)
        self.silence = max(self.silence, settling.silence)

    def took_too_early(self, silence: float) -> None:
        """Learns from an answer that continued after it had been taken."""
        self.grown += 1
        self.silence = max(self.silence, silence)


def longest(rule: Settled) -> float:
    """The longest wait that is learnt: one stall must not use up the time of every later answer."""
    return rule.timeout / 2

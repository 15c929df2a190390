"""What a run learns about a page while it asks it: how long answers fall silent before they continue, whether the page
shows what was sent, and whether it keeps responses open."""

from __future__ import annotations

from dataclasses import dataclass

from botattack.targets.browser.page_options import Settled
from botattack.targets.browser.settling import Settling, learnt_linger

FIRST = 5.0
"""Seconds for which the first answers of a run are watched once they look complete, as nothing is known of the bot."""
WHOLE = 3
"""Answers that came in one piece, after which all are taken to do so."""
SEEN = 2
"""Answers that did not continue once nothing that can be seen could bring more, after which none is taken to."""
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
    resets: int = 0
    """How often old messages were gone after a reset."""
    left_over: int = 0
    """How often old messages were still there after a reset."""
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

"""How far a run is, as a fold over its events and a clock; it prints nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from botattack.events import Asked, Event, Paced, QuestionClosed, RunEnded, RunStarted, ServiceAsked, VariantJudged
from botattack.report.escape import visible
from botattack.report.figures import CONTROL
from botattack.report.words import count, duration

WINDOW = 60.0
"""Seconds over which rate and remaining time are taken."""
STEP = 1.0


class Progress:
    """Counts what has come. `clock` gives seconds, from any beginning."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.target = ""
        self.total = 0
        self.closed = 0
        self.ended = False
        self._sent = 0
        self._cost = 0.0
        self._broken = 0
        self._open_at = 0.0
        self._waits_for = ""
        self._samples: deque[tuple[float, int, int]] = deque()

    def update(self, event: Event) -> None:
        match event:
            case Asked():
                for attempt in event.attempts:
                    self._sent += attempt.requests
                    self._cost += attempt.cost
            case ServiceAsked():
                self._sent += event.requests
                self._cost += event.cost
            case VariantJudged(probe=False):
                broken = event.result == "success"
                self._broken += broken and event.attack != CONTROL
            case QuestionClosed():
                self.closed += 1
            case Paced():
                self._waits_for, self._open_at = event.why, self._clock() + event.wait
            case RunStarted():
                self.target, self.total = visible(event.target), event.total
            case RunEnded():
                self.ended = True
        self._sample()

    def line(self) -> str:
        """How far it is and how it goes on, in one line."""
        return " · ".join(filter(None, (self.done(), self.going())))

    def done(self) -> str:
        """`120 of 200 questions · 30 broken variants · 1,532 requests`, and what they cost, where it is told."""
        questions = f"{self.closed:,} of {count(self.total, 'question')}"
        cost = f" · {self._cost:,.2f} spent" if self._cost else ""
        return f"{questions} · {count(self._broken, 'broken variant')} · {count(self._sent, 'request')}{cost}"

    def going(self) -> str:
        """`5.0/s · about 3 min 20 s left`, and what it waits for, where it does."""
        rate, left = self._speed()
        parts = (f"{rate:.1f}/s" if rate else "", f"about {duration(left)} left" if left is not None else "")
        return " · ".join(filter(None, (*parts, self.waits())))

    def waits(self) -> str:
        wait = self._open_at - self._clock()
        if wait > 0:
            return f"waits {duration(wait)}: {visible(self._waits_for)}"
        return "waits for the first answer" if not self._sent and not self.ended else ""

    def _sample(self) -> None:
        now = self._clock()
        if self._samples and now - self._samples[-1][0] < STEP:
            return
        self._samples.append((now, self._sent, self.closed))
        while self._samples[0][0] < now - WINDOW and len(self._samples) > 2:
            self._samples.popleft()

    def _speed(self) -> tuple[float, float | None]:
        """Requests a second, and seconds left where some question closed within the window."""
        if not self._samples:
            return 0.0, None
        then, sent, closed = self._samples[0]
        passed = self._clock() - then
        if passed < STEP:
            return 0.0, None
        fresh = self.closed - closed
        left = (self.total - self.closed) * passed / fresh if fresh else None
        return (self._sent - sent) / passed, None if self.ended else left

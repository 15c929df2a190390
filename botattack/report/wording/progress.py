"""How far a run is, as a fold over its events and a clock; it prints nothing."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from itertools import pairwise

from botattack import events
from botattack.report.escape import visible
from botattack.report.figures.expected import Expected
from botattack.report.numbers import count, duration

WINDOW = 60.0
"""Seconds over which the rate is taken."""
STEP = 1.0
SILENT = 3.0
"""Seconds without an answer after which it is said how long one has been waited for: else a slow bot looks like a run
that hangs."""
MEASURED = 3.0
"""Seconds of answers before which no time left is said: the first ones come late, or all at once."""


class Progress:
    """Counts what has come. `clock` gives seconds, from any beginning; `expected` says what is still to come."""

    def __init__(self, clock: Callable[[], float], expected: Expected | None = None) -> None:
        self._clock = clock
        self._expected = expected or Expected()
        self.target = self._doors = ""
        self.total = 0
        self.closed = 0
        self.ended = False
        self._sent = self._before = self._sampled = 0
        self._talking: Counter[tuple[str, str]] = Counter()
        """Requests of conversations that go on, by question and unit: each turn counts once it is answered."""
        self._opened = self._turns = 0
        self._cost = 0.0
        self._broken = 0
        self._diagnoses = False
        self._right: set[str] = set()
        """Open questions whose original is right."""
        self._unnoticed = self._unsupported = 0
        self._open_at = 0.0
        self._waits_for = ""
        self._samples: deque[tuple[float, int]] = deque()
        self._first: float | None = None
        self._last = clock()
        """The last answer, or the beginning."""

    def update(self, event: events.Event) -> None:
        self._count(event)
        self._sample()

    def recall(self, event: events.Event) -> None:
        """An event of a recording that is continued: it counts, but says nothing of today's pace, waits and end."""
        if not isinstance(event, events.Paced | events.RunEnded):
            self._count(event)
            self._before = self._sampled = self._sent

    def _count(self, event: events.Event) -> None:
        match event:
            case events.TurnSaid() | events.Asked():
                self._count_asking(event)
            case events.ServiceAsked():
                self._sent += event.requests
                self._cost += event.cost
            case events.DocumentAdded() | events.DocumentRemoved() | events.MemoryProbed():
                self._sent += event.requests
            case events.VariantJudged() if self._counts(event):
                self._broken += event.expect == "same"
                self._unnoticed += event.expect == "different"
                self._unsupported += event.expect == "declines"
            case events.QuestionOpened() | events.OriginalJudged() | events.AttackEnded() | events.QuestionClosed():
                self._count_question(event)
                self._expected.update(event)
            case events.Paced():
                self._waits_for, self._open_at = event.why, self._clock() + event.wait
            case events.RunStarted():
                self._diagnoses = event.shrinks is not None or event.whys is not None
                self.target, self.total = visible(event.target), event.total + event.gone
                self._doors = ", once for each door" if event.carriers[1:] else ""
                self._expected.update(event)
            case events.RunEnded():
                self.ended = True

    def _count_asking(self, event: events.TurnSaid | events.Asked) -> None:
        """The requests of a conversation that has ended are those of all its turns."""
        if isinstance(event, events.TurnSaid):
            self._talking[event.question, event.unit] += event.requests
            self._sent += event.requests
            return
        self._expected.asked += 1
        self._sent -= self._talking.pop((event.question, event.unit), 0)
        for attempt in event.attempts:
            self._sent += attempt.requests
            self._cost += attempt.cost

    def _counts(self, event: events.VariantJudged) -> bool:
        """Whether a report counts it as broken: the original right, the meaning as claimed."""
        return event.altered and event.result == "success" and event.question in self._right

    def _count_question(
        self, event: events.QuestionOpened | events.OriginalJudged | events.AttackEnded | events.QuestionClosed
    ) -> None:
        if isinstance(event, events.QuestionOpened):
            self._opened += 1
            self._turns += len(event.question.turns)
        elif isinstance(event, events.OriginalJudged) and event.standing == "kept":
            self._right.add(event.question)
        elif isinstance(event, events.QuestionClosed):
            self.closed += 1
            self._right.discard(event.question)

    def line(self) -> str:
        """How far it is and how fast it is, in one line."""
        return " · ".join(filter(None, (self.done(), self.going())))

    def done(self) -> str:
        """`1,532 of about 2,400 conversations · 120 of 200 questions · 30 broken answers`, and what they cost, if
        known; what the bot should have noticed and did not is counted apart. A run that diagnoses counts neither.
        Conversations come first: they move at once, and a question is done when all its attacks are."""
        questions = f"{self.closed:,} of {count(self.total, 'question')}{self._doors}"
        unnoticed = f" · {count(self._unnoticed, 'change')} not noticed" if self._unnoticed else ""
        unnoticed += f" · {count(self._unsupported, 'unsupported answer')}" if self._unsupported else ""
        cost = f" · {self._cost:,.2f} spent" if self._cost else ""
        broken = "" if self._diagnoses else f" · {count(self._broken, 'broken answer')}"
        return f"{self._askings()} · {questions}{broken}{unnoticed}{cost}"

    def _askings(self) -> str:
        left = self.askings_left
        if not left:
            return count(self.asked, "conversation")
        return f"{self.asked:,} of {'about' if self._expected.sure else 'at least'} {self.asked + left:,} conversations"

    @property
    def sent(self) -> int:
        """Requests that left."""
        return self._sent

    @property
    def asked(self) -> int:
        """Askings that ended, however many requests each took."""
        return self._expected.asked

    @property
    def askings_left(self) -> int:
        """Askings still to come, as far as is known and the budget of requests allows."""
        left = 0 if self.ended else self._expected.left
        budget = self._expected.budget
        return left if budget is None else min(left, round(max(0, budget - (self._sent - self._before)) / self._each))

    @property
    def left(self) -> int:
        """The requests that these take. An asking takes as many as those before, and the first as many as its question
        has turns."""
        return max(0, round(self.askings_left * self._each) - self._talking.total())

    @property
    def _each(self) -> float:
        ended = self._sent - self._talking.total()
        if self.asked and ended:
            return ended / self.asked
        return self._turns / self._opened if self._opened else 1.0

    def going(self) -> str:
        """`5.0/s · about 3 min 20 s left`, in conversations, and what it waits for, where it does."""
        rate, left, about = self._speed(), self.left, "about" if self._expected.sure else "at least"
        shown = _shown(rate / self._each) if rate else ""
        if self._answered_for < MEASURED:  # the rate that is allowed is the fastest it can be
            rate, about = self._expected.rate or 0.0, "at least"
        parts = (shown, f"{about} {duration(left / rate)} left" if rate and left else "")
        return " · ".join(filter(None, (*parts, self.waits())))

    def waits(self) -> str:
        wait = self._open_at - self._clock()
        if wait > 0:
            return f"waits {duration(wait)}: {visible(self._waits_for)}"
        silence = self._clock() - self._last
        answered = self._sent > self._before
        if self.ended or (answered and silence < SILENT):
            return ""
        if answered and self._expected.rate and silence < 1 / self._expected.rate:
            return "waits as long as the rate says"
        which = "an answer" if answered else "the first answer"
        return f"waits for {which}{f', {duration(silence)} so far' if silence >= SILENT else ''}"

    @property
    def _answered_for(self) -> float:
        """Seconds since the first answer of today."""
        return self._clock() - self._first if self._first is not None else 0.0

    def _sample(self) -> None:
        if self._sent == self._sampled:
            return
        now = self._last = self._clock()
        self._sampled = self._sent
        self._first = now if self._first is None else self._first
        if self._samples and now - self._samples[-1][0] < STEP:
            return
        self._samples.append((now, self._sent))
        while self._samples[0][0] < now - WINDOW and len(self._samples) > 2:
            self._samples.popleft()

    def _speed(self) -> float:
        """Requests a second, over the window and what the bot asked to wait. Several askings may be answered at once,
        each time after the same silence: only a longer one says that the bot became slower."""
        if not self._samples:
            return 0.0
        then, sent = self._samples[0]
        usual = max((later - one for (one, _), (later, _) in pairwise(self._samples)), default=0.0)
        passed = max(self._last, self._clock() - usual, self._open_at) - then
        return 0.0 if passed < STEP else (self._sent - sent) / passed


def _shown(rate: float) -> str:
    """`5.0/s`, or `2.7/min` of a rate that would be shown as 0."""
    return f"{rate:.1f}/s" if rate >= 0.05 else f"{60 * rate:.1f}/min"

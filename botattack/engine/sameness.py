"""Whether a bot says the same to everything: a login page, a wrong selector, a page file that was not proven; later in
a run, a quota that is used up."""

from __future__ import annotations

from collections import Counter

from botattack.engine.ask import Answer
from botattack.engine.judging import Judging
from botattack.errors import BotattackError, Excerpt
from botattack.events import AnyEvent, Asked, QuestionOpened, RunStarted
from botattack.model import Question
from botattack.outage import Outages, fixed, golds_of

LOOKED_AT = 8
"""So many first originals are compared, if their right answers all differ."""
ENOUGH = 6
"""So many of them must get one reply; up to two may fail, or get another wrong reply."""


class SaysTheSame(BotattackError):
    """The bot gives the same reply to everything, so there is nothing to measure."""

    exit_status = 3


class Sameness:
    """A fold over the events of a run: one that is continued decides as the one that began it."""

    def __init__(self) -> None:
        self._total = self._opened = 0
        self._questions: dict[str, Question] = {}
        self._golds: set[frozenset[str]] = set()
        self._asked: dict[str, Asked] = {}
        self._decided = False
        self._outages = Outages()

    def update(self, event: AnyEvent) -> None:
        self._outages.update(event)
        match event:
            case RunStarted():
                self._total = event.total
            case QuestionOpened():
                self._opened += 1
                gold = golds_of(event.question)
                if gold and gold not in self._golds and len(self._golds) < LOOKED_AT:
                    self._golds.add(gold)
                    self._questions[event.question.id] = event.question
            case Asked() if event.question in self._questions:
                self._asked.setdefault(event.question, event)

    def check(self, target: str, judging: Judging, excerpt: Excerpt) -> SaysTheSame | None:
        """What ends the run once LOOKED_AT originals were asked, or all of a set that has fewer, if ENOUGH got one
        reply and none a right one; or once the bot stopped answering."""
        if outage := self._outages.value():
            return SaysTheSame(
                f"{target} stopped answering: from second {outage.since:,.0f} of the run on, it says the same to "
                f"everything, also to {outage.times} unchanged questions that it had answered: "
                f"{excerpt(outage.reply)!r}. Usually a quota is used up, or something behind the bot has failed; what "
                "broke since then says nothing of the attacks: start a new run, slower or later"
            )
        if self._decided or len(self._asked) < len(self._questions):
            return None
        if len(self._questions) < LOOKED_AT and self._opened < self._total:
            return None
        self._decided = True
        replies = [asked.reply for asked in self._asked.values() if asked.replies]
        bodies = Counter(fixed(reply) for reply in replies)
        body, times = max(bodies.items(), key=lambda item: item[1], default=("", 0))
        if times < ENOUGH or any(self._is_right(judging, asked) for asked in self._asked.values()):
            return None
        said = excerpt(next(reply for reply in replies if fixed(reply) == body))
        return SaysTheSame(
            f"{target} says the same to everything: {times} of the first {len(self._questions)} questions, which have "
            f"different right answers, got one reply, and no reply was right: {f'{said!r}' if said else 'nothing'}. "
            "Usually this is a login or error page, or a place or selector in the target file that finds other text; "
            "see 'botattack check', then start a new run"
        )

    def _is_right(self, judging: Judging, asked: Asked) -> bool:
        answer = Answer(asked.replies, asked.failure, asked.attempts, asked.turns)
        return judging.original(self._questions[asked.question], [answer])[1] == "kept"

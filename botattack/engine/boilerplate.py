"""What a bot says around its answers, learnt at the beginning of a run from its first originals."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from botattack.engine.ask import Answer
from botattack.engine.judging import Judging, right_in
from botattack.engine.past import Past
from botattack.events import BoilerplateKnown, Event
from botattack.matchers.learned import says_no
from botattack.model import Prompt, Question, Reply, Turns, asking_turns
from botattack.text.boilerplate import Said, recurring
from botattack.text.languages import codes, language
from botattack.text.normalise import normalise

SAMPLE = 100
"""Askings from which it is learnt. No verdict comes before them: more would make a slow bot's user wait."""
_BARE = 2
"""In a sentence of at most so many words, each is looked at for a yes or a no; in a longer one only the first."""


class Learning:
    """Gives the `judging` of a run, once what the bot says around its answers is known.

    The first questions, with SAMPLE askings in all, or as many as the `window` lets be open at once, are asked before
    any other, and before any is judged. What they teach holds for the whole run, so that it is the same at any
    concurrency, and after a kill. A run that is continued judges as it did.
    """

    def __init__(self, judging: Judging, past: Past, window: int, emit: Callable[..., None]) -> None:
        self.judging = judging
        self.arrived = asyncio.Event()
        """Set when a question was asked and waits for others."""
        self._window = window
        self._emit = emit
        self._opened = self._askings = 0
        self._said: dict[int, list[Said]] = {}
        self._full = False
        self._complete, self._known, self._line = asyncio.Event(), asyncio.Event(), asyncio.Lock()
        if not judging.boilerplate.learns or past.boilerplate:
            self._knows(past.boilerplate.sentences if past.boilerplate else ())

    def begin(self) -> None:
        """Records what the target file calls boilerplate."""
        boilerplate = self.judging.boilerplate
        if boilerplate.known and not boilerplate.learns:
            self._emit(BoilerplateKnown, sentences=boilerplate.known)

    async def turn(self) -> None:
        """Waits until the next question may be opened, in the order of those who wait."""
        async with self._line:
            if self._full:
                await self._known.wait()

    def joins(self, askings: int) -> int:
        """A question is opened, to be asked so often; gives its number."""
        self._opened += 1
        self._askings += askings
        # All open questions wait until these are judged: with a full window, no other could be opened any more.
        self._full = self._full or self._askings >= SAMPLE or self._opened >= self._window
        return self._opened

    def all_came(self) -> None:
        """No other question will be opened."""
        self._full = True
        self._check()

    async def after(self, number: int, question: Question, answers: Sequence[Answer]) -> Judging:
        """What judges the answers to this question, and to its variants."""
        if not self._known.is_set():
            self._said[number] = [one for each in answers for one in _said(question, each.turns, each.replies)]
            self.arrived.set()
            self._check()
            await self._complete.wait()
            if not self._known.is_set():
                self._learn()
        return self.judging

    def end(self) -> None:
        """The run stops: what was asked is judged by what that taught."""
        self._complete.set()

    def _check(self) -> None:
        if self._full and len(self._said) == self._opened:
            self._complete.set()

    def _learn(self) -> None:
        said = [one for number in sorted(self._said) for one in self._said[number]]
        found = tuple(recurring(said, says_nothing))
        self._emit(BoilerplateKnown, sentences=found, learnt_from=len(said))
        self._said.clear()
        self._knows(found)

    def _knows(self, sentences: Sequence[str]) -> None:
        self.judging = self.judging.knowing(sentences)
        self._known.set()


def learned(events: Iterable[Event]) -> tuple[str, ...]:
    """What a recorded run knew of boilerplate."""
    known = (event.sentences for event in events if isinstance(event, BoilerplateKnown))
    return tuple(dict.fromkeys(chain.from_iterable(known)))


def _said(question: Question, turns: Turns, replies: Sequence[Reply]) -> Iterator[Said]:
    """The replies to each turn of an unchanged question. The same question through another door is no other."""
    for at, of in asking_turns(turns or question.turns, question):
        if at < len(replies):
            yield Said(f"{question.base} {of}", replies[at].text, right_in(question.at(of)))


def says_nothing(sentence: str) -> bool:
    """Whether a sentence is no answer to anything: it does not decline, and does not begin with a yes or a no."""
    words = normalise(sentence).words
    first = words[: len(words) if len(words) <= _BARE else 1]
    spoken = [language(code) for code in codes()]
    polar = any(word in each.yes | each.no for each in spoken for word in first)
    return not polar and all(says_no(Prompt("", lang=code), sentence) < 0 for code in codes())

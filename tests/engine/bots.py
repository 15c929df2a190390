"""Bots, attacks and matchers made to show one thing each; everything else in these tests is the real engine."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from botattack.engine.clock import Item, Made
from botattack.errors import RateLimited
from botattack.model import (
    Edit,
    Expect,
    GoldAnswer,
    Prompt,
    Question,
    Reply,
    Unit,
    Variant,
    Verdict,
)
from botattack.protocols import Attack, Context, Matcher, Pace, Proposals
from botattack.targets.messages.signs import Signs


async def inline(work: Callable[[Sequence[Item]], list[Made]], items: Sequence[Item]) -> list[Made]:
    """For virtual clocks: a thread would run on in real time."""
    await asyncio.sleep(0)
    return work(items)


class Script:
    """Answers with `reply(text, seed)` after `latency` seconds; may raise. Counts what it was asked, and when."""

    name = "script"
    signs = Signs()

    def __init__(self, reply: Callable[[str, int], str], latency: float = 0.05) -> None:
        self.reply = reply
        self.latency = latency
        self.asked: Counter[str] = Counter()
        self.times: list[float] = []
        self.active = self.most_active = 0

    @asynccontextmanager
    async def session(self, unit: Unit, pace: Pace) -> AsyncIterator[_Conversation]:
        yield _Conversation(self, unit, pace)

    async def close(self) -> None: ...


@dataclass
class _Conversation:
    bot: Script
    unit: Unit
    pace: Pace

    async def ask(self, prompt: Prompt) -> Reply:
        await self.pace.leave()
        bot = self.bot
        bot.times.append(asyncio.get_running_loop().time())
        bot.asked[self.unit.id] += 1
        bot.active += 1
        bot.most_active = max(bot.most_active, bot.active)
        try:
            await asyncio.sleep(bot.latency)
            return Reply(bot.reply(prompt.text, self.unit.seed))
        except RateLimited as error:
            self.pace.shut(error.retry_after)
            raise
        finally:
            bot.active -= 1


@dataclass(frozen=True)
class Drop(Attack):
    """Drops one letter, `times` different ones."""

    times: int = 3
    name: ClassVar[str] = "drop"
    expect: ClassVar[Expect] = "same"

    def parts(self) -> tuple[str, ...]:
        return ()

    def propose(self, context: Context, rng: Random) -> Proposals:
        text = context.question.text
        places = sorted(rng.sample(range(len(text)), min(self.times, len(text))))
        yield [
            Variant((Prompt(text[:at] + text[at + 1 :]),), self.name, (Edit(at, text[at], "", "drop"),), distance=1)
            for at in places
        ]
        return len(text)


@dataclass(frozen=True)
class Says(Matcher):
    """Right where the gold answer stands in the reply."""

    name: ClassVar[str] = "says"

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        if not gold:
            gold = tuple(GoldAnswer(reply.text) for reply in baseline)
        right = any(answer.text in reply.text for answer in gold)
        return Verdict("correct" if right else "wrong", float(right), self.name)

    def agree(self, prompt: Prompt, replies: tuple[Reply, ...]) -> bool:
        return len({reply.text for reply in replies}) == 1

    def declines(self, prompt: Prompt, reply: Reply) -> bool:
        return reply.text == "I cannot help with that."


class Listed(list[Question]):
    """Questions as the engine takes them."""

    def __iter__(self) -> Iterator[tuple[Question, int]]:  # type: ignore[override]
        return ((question, 0) for question in super().__iter__())

    def lacks(self, ids: Iterable[str]) -> int:
        return len(set(ids).difference(question.id for question, _ in self))


def questions(count: int) -> Listed:
    return Listed(
        Question(f"what is the number called {number:04d}", (GoldAnswer(f"it is {number:04d}"),))
        for number in range(count)
    )


def knows_numbers(text: str, seed: int) -> str:
    """Right as long as the four digits are whole."""
    return f"it is {text[-4:]}" if text[-4:].isdigit() and len(text) >= 30 else "what?"


@dataclass
class Gateway:
    """Lets `rate` requests a second through, `burst` at once, then says 429 with Retry-After `wait`."""

    rate: float
    burst: int
    wait: float
    tokens: float = 0.0
    last: float = 0.0
    pushed: int = 0

    def __post_init__(self) -> None:
        self.tokens = self.burst

    def reply(self, text: str, seed: int) -> str:
        now = asyncio.get_running_loop().time()
        self.tokens = min(self.burst, self.tokens + (now - self.last) * self.rate)
        self.last = now
        if self.tokens < 1:
            self.pushed += 1
            raise RateLimited("429", retry_after=self.wait)
        self.tokens -= 1
        return knows_numbers(text, seed)

"""Whether a bot remembers what was said in its conversation, and only there: a made-up word, asked for again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Literal, NamedTuple

import msgspec

from botattack.engine.ask import Answer, Asker
from botattack.engine.plan import Plan
from botattack.errors import BotattackError
from botattack.events import MemoryProbed
from botattack.model import Prompt, Reply, Unit, Variant
from botattack.protocols import Target

TELL = "Please remember this word for me: marzipan-4711"
ASK = "Which word did I ask you to remember?"
MESSAGES = 3
"""How many messages a probe sends: the word, and two questions for it."""
Converse = Callable[[int, tuple[str, ...]], Awaitable[Sequence[Reply]]]
"""Holds the conversation of a number, and gives its replies; none if it failed."""


class Recalled(NamedTuple):
    """The replies where the bot was told the word, and where it was not, and what they show (`MemoryProbed.seen`)."""

    first: Sequence[Reply]
    other: Sequence[Reply]
    seen: Literal["kept", "lost", "unseen", "leaks"]


async def recalled(converse: Converse, *before: str) -> Recalled:
    """Tells the bot a word, after other messages, and asks for it there and in another conversation."""
    first = await converse(0, (*before, TELL, ASK))
    other = await converse(1, (ASK,)) if first else ()
    repeats, keeps, leaks = (any(map(_knows, replies)) for replies in (first, first[-1:], other))
    return Recalled(first, other, "leaks" if leaks else "kept" if keeps else "lost" if repeats else "unseen")


def unit_of(texts: Sequence[str], number: int, run: str, seed: int = 0) -> Unit:
    """The asking of a conversation that belongs to no question."""
    unit: Unit = Unit.of(Variant(tuple(map(Prompt, texts)), "check"), number, seed)
    return msgspec.structs.replace(unit, run=run)


async def probed(plan: Plan, target: Target, asker: Asker, heed: Callable[[Answer], None]) -> MemoryProbed:
    """Whether the attacks of a plan that need memory can reach the bot; `heed` is handed each answer."""
    requests = 0

    async def converse(number: int, texts: tuple[str, ...]) -> Sequence[Reply]:
        nonlocal requests
        answer = await asker.ask(unit_of(texts, number, plan.run, plan.seed))
        heed(answer)
        requests += sum(attempt.requests for attempt in answer.attempts)
        return answer.replies

    first, other, seen = await recalled(converse)
    texts, possible = tuple([reply.text for reply in (*first, *other)]), target.may_remember or not first
    # Where the target file wants one conversation to change the next, that it does is no finding.
    seen = "kept" if seen == "leaks" and plan.reuses_conversations else seen
    return MemoryProbed(attacks=plan.conversing, seen=seen, replies=texts, possible=possible, requests=requests)


def refuse_unreached(plan: Plan, found: MemoryProbed) -> None:
    """Raises BotattackError if no message can reach the bot together with those before it."""
    if not found.possible and found.seen in ("lost", "unseen"):
        raise BotattackError(
            f"{plan.where('connect.request')}: {', '.join(found.attacks)} needs a bot that knows what was said "
            "before, but this file sends nothing that tells one conversation from another and no reply set a cookie; "
            "place {{ session }} or {{ history }} in the request, or leave the attack out"
        )


def _knows(reply: Reply) -> bool:
    """Whether a reply says the word, in capitals or not, and with whatever dash."""
    return "marzipan4711" in "".join(filter(str.isalnum, reply.text.casefold()))

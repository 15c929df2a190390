"""kill -9 in the middle of conversations, by the bot itself: no turn that was answered is lost, and a conversation
counts whole or not at all."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from botattack.events import Asked, ConversationBegun, RunStarted, TurnSaid, VariantJudged
from tests.crash.campaign import Campaign, outcomes, session_of
from tests.servers.bare import BareServer, Line, ok

pytestmark = pytest.mark.crash
KILLS = 6
LATENCY = 0.01


class Dialogues(Campaign):
    """Three turns, of which two are judged; each answer depends on all that was said in the session."""

    def question(self, number: int) -> dict[str, Any]:
        return {
            "turns": [
                f"I am number {number:05d}.",
                {"user": "Which number am I?", "contains": f"number {number:05d}, turn 2"},
                {"user": "And once more?", "answers": [f"number {number:05d}, turn 3"]},
            ]
        }


@dataclass
class Remembers:
    """Knows for ever what was said in each session; kills the process it is told of at its n-th request."""

    victim: int = 0
    left: int = 0
    heard: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    killed_at: Counter[int] = field(default_factory=Counter)
    """How often a kill came in which turn."""

    @property
    def dialogues(self) -> dict[str, list[str]]:
        """What was heard in conversations about questions; the others probe the bot's memory."""
        return {session: heard for session, heard in self.heard.items() if heard[0].startswith("I am")}

    def __call__(self, line: Line, body: bytes) -> None:
        asked = json.loads(body)
        heard = self.heard[asked["session"]]
        heard.append(asked["text"])
        self.left -= 1
        if self.left == 0:
            self.killed_at[len(heard)] += 1
            os.kill(self.victim, signal.SIGKILL)
        names = [text[5:-1] for text in heard if text.startswith("I am")]
        doubted = " or not" if "sure" in asked["text"] else ""
        reply = f"{', '.join(names)}, turn {len(heard)}{doubted}"
        asyncio.get_running_loop().call_later(LATENCY, line.write, ok(json.dumps({"reply": {"text": reply}}).encode()))


def check_recorded(campaign: Campaign, bot: Remembers) -> None:
    """Every turn after which the bot heard the next one is in the recording, at its place."""
    events = campaign.events()
    ended = {event.unit for event in events if isinstance(event, Asked)}
    (run,) = {event.run for event in events if isinstance(event, RunStarted)}
    begun = {session_of(event, run): event for event in events if isinstance(event, ConversationBegun)}
    said: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for event in events:
        if isinstance(event, TurnSaid):
            said[event.unit, event.conversation].append(event.said)
    assert bot.dialogues.keys() <= begun.keys()
    for session, heard in bot.dialogues.items():
        event = begun[session]
        recorded = said[event.unit, event.conversation]
        assert recorded == heard[: len(recorded)]
        assert event.unit in ended or len(recorded) >= len(heard) - 1


async def killed_and_calm(folder: Path, count: int) -> tuple[Campaign, Campaign, Remembers]:
    bot, calm_bot, random = Remembers(), Remembers(), Random(count)
    async with BareServer(bot) as server, BareServer(calm_bot) as other:
        limits = "{rate: unlimited, concurrency: 4}"
        killed = Dialogues(folder / "killed", server.url, count, "[unchanged, are-you-sure]", limits)
        calm = Dialogues(folder / "calm", other.url, count, "[unchanged, are-you-sure]", limits)
        for _ in range(KILLS):
            bot.left = random.randint(1, 20)
            process = await killed.start()
            bot.victim = process.pid
            assert await process.wait() == -signal.SIGKILL, (killed.folder / "log.txt").read_text()[-2000:]
            check_recorded(killed, bot)
        bot.left = 0
        assert await killed.finish() == await calm.finish_here()
    return killed, calm, bot


def test_conversations_killed_again_and_again_come_to_what_they_do_in_peace(tmp_path: Path) -> None:
    killed, calm, bot = asyncio.run(killed_and_calm(tmp_path, 40))
    check_recorded(killed, bot)
    assert outcomes(killed.events()) == outcomes(calm.events())
    for name in ("questions", "attacks"):
        assert killed.figures[name] == calm.figures[name]
    asked = [event for event in killed.events() if isinstance(event, Asked)]
    assert {len(event.replies) for event in asked} == {3, 5}
    assert all(len(event.replies) == len(event.turns) for event in asked)
    assert max(Counter(event.unit for event in asked).values()) == 1
    assert max(map(len, bot.dialogues.values())) <= 5
    judged = [event for event in killed.events() if isinstance(event, VariantJudged)]
    assert Counter(event.attack for event in judged) == {"unchanged": 40, "are-you-sure": 40}
    assert sum(bot.killed_at.values()) == KILLS
    assert len(bot.killed_at) >= 2
    # All that left is paid for, but for what was on its way when the process was killed.
    sent = killed.figures["requests"]["sent"]
    left = sum(map(len, bot.heard.values()))
    assert left - 4 * KILLS <= sent <= left

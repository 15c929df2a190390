"""Bots that remember nothing: each request repeats the whole conversation, in the shape that its API wants."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import botattack
from tests.servers.http import Received, Server, replying, response
from tests.targets.asking import ask, http

USER = ("user", "assistant")
Read = Callable[[dict[str, Any], int], tuple[str, str]]


def anthropic(message: dict[str, Any], _: int) -> tuple[str, str]:
    assert set(message) == {"role", "content"}
    return message["role"], message["content"]


def gemini(message: dict[str, Any], _: int) -> tuple[str, str]:
    (part,) = message["parts"]
    assert (set(message), set(part)) == ({"role", "parts"}, {"text"})
    return {"user": "user", "model": "assistant"}[message["role"]], part["text"]


def bedrock(message: dict[str, Any], _: int) -> tuple[str, str]:
    (part,) = message["content"]
    return message["role"], part["text"]


def parts(message: dict[str, Any], at: int) -> tuple[str, str]:
    (part,) = message["parts"]
    assert (len(message["id"]), part["type"]) == (36, "text")
    IDS.setdefault(message["id"], at)
    assert IDS[message["id"]] == at
    return message["role"], part["text"]


def own(message: list[str], _: int) -> tuple[str, str]:
    return {"ME": "user", "YOU": "assistant"}[message[0]], message[1]


IDS: dict[str, int] = {}
SHAPES: dict[str, tuple[Any, Read]] = {
    "anthropic": ("{messages: anthropic}", anthropic),
    "gemini": ("{messages: gemini}", gemini),
    "bedrock": ("{messages: bedrock}", bedrock),
    "parts": ("{messages: parts}", parts),
    "own": ("{messages: ['{{ role }}', '{{ text }}'], roles: {user: ME, bot: YOU}}", own),
}


class Forgetful:
    """Knows one capital, and takes its answer back when it is doubted; of what is not repeated it knows nothing."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self.longest = 0

    def __call__(self, request: Received) -> bytes:
        said = [self._read(message, at) for at, message in enumerate(request.json["contents"])]
        assert [who for who, _ in said] == [USER[at % 2] for at in range(len(said))]
        self.longest = max(self.longest, len(said))
        if "capital of France" not in said[0][1]:
            return response({"text": "What are we talking about?"})
        return response({"text": "It is Paris." if len(said) == 1 else "Sorry, it is Rome."})


@pytest.mark.parametrize("name", SHAPES)
def test_an_attack_of_several_turns_on_a_bot_without_memory(name: str, tmp_path: Path) -> None:
    chat, read = SHAPES[name]
    (tmp_path / "q.jsonl").write_text('{"question": "What is the capital of France?", "answers": ["Paris"]}\n')
    (tmp_path / "run.yaml").write_text(
        "target: bot.yaml\nquestions: {file: q.jsonl}\nattacks: [are-you-sure]\nmatch: contains\n"
    )

    async def run() -> tuple[botattack.Result, int]:
        bot = Forgetful(read)
        async with Server(replying(bot)) as server:
            (tmp_path / "bot.yaml").write_text(
                f"connect:\n  kind: http\n  request: {{url: '{server.url}', "
                "json: {contents: '{{ messages }}'}}\n"
                f"  chat: {chat}\n  extract: {{answer: $.text}}\n"
            )
            campaign = botattack.load(tmp_path / "run.yaml", environ={})
            return await botattack.run_async(campaign, recordings=tmp_path / "recordings"), bot.longest

    result, longest = asyncio.run(run())
    attack = result.figures.attacks["are-you-sure"]
    assert (attack.gold.asked, attack.gold.success, longest) == (1, 1, 5)


@pytest.mark.anyio
async def test_history_has_the_shape_of_the_messages() -> None:
    async with Server(replying(lambda request: response({"text": request.json}))) as server:
        bot = http(
            server.url,
            request={"json": {"message": "{{ question }}", "chat_history": "{{ history }}"}},
            chat={"messages": {"by": "{{ role }}", "message": "{{ text }}"}, "roles": {"bot": "CHATBOT"}},
            extract={"answer": "body"},
        )
        assert '"chat_history": []' in (await ask(bot)).text
        await bot.close()

"""Bots behind HTTP, each asked through its own target file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path

import pytest

from botattack.config.target import load_target
from botattack.errors import BrokenReply, RequestRefused, Unreachable
from botattack.model import Prompt, Reply, Unit, Variant
from botattack.protocols import Target
from tests.live.bots import ANSWER, END_SECONDS, KNOWN, LiveBot
from tests.live.conftest import PASSAGE, nlpjs_bot
from tests.live.questions import entries
from tests.targets import asking as plain
from tests.targets.asking import IN_ANY_CASE, Tally, unit_of

pytestmark = [pytest.mark.live, pytest.mark.anyio]
LOGIN = {"GRADIO_USER": "visitor", "GRADIO_PASSWORD": "let-me-in"}


@asynccontextmanager
async def asking(
    bot: LiveBot, name: str, folder: Path, environ: Mapping[str, str] = LOGIN, **replaced: str
) -> AsyncIterator[Target]:
    """The bot as `targets/NAME.yaml` tells of it, with whole lines replaced by their key."""
    path = bot.target_file(name, folder, **replaced)
    target = load_target(path, environ=environ, today=date(2026, 1, 1)).open()
    try:
        yield target
    finally:
        await target.close()


async def ask(target: Target, text: str, pace: Tally | None = None, repeat: int = 0) -> Reply:
    """One question in a conversation of its own."""
    return await plain.ask(target, text, pace, repeat=repeat)


@pytest.mark.parametrize(("name", "first", "next_"), [("nlpjs", 3, 3), ("hayhooks", 1, 1), ("gradio", 3, 2)])
async def test_known_questions_are_answered_and_every_request_is_counted(
    name: str, first: int, next_: int, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    tally, again = Tally(), Tally()
    async with asking(request.getfixturevalue(name), name, tmp_path) as target:
        reply = await ask(target, KNOWN, tally)
        assert reply.text == ANSWER
        assert (await ask(target, KNOWN, again, repeat=1)).text == ANSWER
    assert (tally.left, again.left) == (first, next_)
    assert 0 < reply.latency < IN_ANY_CASE
    assert (reply.first is not None) == (name == "gradio")


@pytest.mark.parametrize("name", ["nlpjs", "hayhooks", "gradio"])
async def test_conversations_side_by_side_get_their_own_answers(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    asked = entries()[::12]
    async with asking(request.getfixturevalue(name), name, tmp_path) as target:
        replies = await asyncio.gather(*[ask(target, entry["question"]) for entry in asked])
    assert [reply.text for reply in replies] == [entry["answer"] for entry in asked]


@pytest.mark.parametrize("name", ["nlpjs", "hayhooks", "gradio", "deep_chat", "llama"])
def test_nobody_else_on_the_network_can_reach_a_bot(name: str, request: pytest.FixtureRequest) -> None:
    port = int(request.getfixturevalue(name).url.rpartition(":")[2])
    tables = [table for table in (Path("/proc/net/tcp"), Path("/proc/net/tcp6")) if table.exists()]
    if not tables:
        pytest.skip("only Linux lists its sockets in /proc/net")
    sockets = [line.split() for table in tables for line in table.read_text().splitlines()[1:]]
    listening = [
        local for _, local, _, state, *_ in sockets if state == "0A" and int(local.rpartition(":")[2], 16) == port
    ]
    assert [local.rpartition(":")[0] for local in listening] == ["0100007F"]


async def test_gradio_remembers_within_a_conversation_and_not_beyond(gradio: LiveBot, tmp_path: Path) -> None:
    told, asked = "My name is Mira", "What is my name?"
    async with asking(gradio, "gradio", tmp_path) as target:
        async with target.session(unit_of(told, asked), Tally()) as session:
            await session.ask(Prompt(told))
            assert (await session.ask(Prompt(asked))).text == "You are Mira."
        assert (await ask(target, asked)).text == "You have not told me."


async def test_a_wrong_password_is_told_with_its_place(gradio: LiveBot, tmp_path: Path) -> None:
    async with asking(gradio, "gradio", tmp_path, {**LOGIN, "GRADIO_PASSWORD": "guess"}) as target:
        with pytest.raises(RequestRefused) as refused:
            await ask(target, KNOWN)
    assert refused.value.place == "connect.login"
    assert "guess" not in str(refused.value)


async def test_a_bot_that_died_is_unreachable(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> None:
    with nlpjs_bot(tmp_path_factory.mktemp("mortal")) as bot:
        async with asking(bot, "nlpjs", tmp_path) as target:
            assert (await ask(target, KNOWN)).text == ANSWER
            bot.process.kill()
            bot.process.wait(END_SECONDS)
            with pytest.raises((BrokenReply, Unreachable)):  # a connection kept open learns of it by asking
                await ask(target, KNOWN)
            with pytest.raises(Unreachable):
                await ask(target, KNOWN)


async def test_hayhooks_by_its_chat_api_leaves_usage_and_delta_null(hayhooks: LiveBot, tmp_path: Path) -> None:
    async with asking(hayhooks, "openai-compatible", tmp_path, model="qa") as target:
        assert (await ask(target, KNOWN)).text == ANSWER


QUESTION = Prompt("When was the harbour built?", (PASSAGE,))
USER = '"Passage: {{ passages[0] }}\\n\\nQuestion: {{ question }}\\n\\nAnswer:"'


async def ask_smollm2(target: Target, prompt: Prompt = QUESTION, repeat: int = 0) -> tuple[str, float | None]:
    unit = Unit.of(Variant((prompt,), "test"), repeat, 7)
    async with asyncio.timeout(IN_ANY_CASE), target.session(unit, Tally()) as session:
        reply = await session.ask(prompt)
    return reply.text, reply.first


async def test_smollm2_says_the_same_whole_in_pieces_and_in_process(
    llama: LiveBot, smollm2: Path, tmp_path: Path
) -> None:
    async with asking(llama, "openai-compatible", tmp_path, user=USER) as target:
        whole, first = await ask_smollm2(target)
    assert "1887" in whole
    assert first is None
    async with asking(llama, "openai-compatible", tmp_path, user=USER, stream="true") as target:
        in_pieces, first = await ask_smollm2(target)
    assert in_pieces == whole
    assert first is not None
    path = Path(__file__).parents[2] / "targets" / "bots" / "smollm2.yaml"
    local = load_target(path, environ={}, today=date(2026, 1, 1)).open()
    assert (await ask_smollm2(local))[0] == whole


async def test_smollm2_in_process_answers_from_the_passage_and_depends_on_nothing_else(smollm2: Path) -> None:
    path = Path(__file__).parents[2] / "targets" / "bots" / "smollm2.yaml"
    local = load_target(path, environ={}, today=date(2026, 1, 1)).open()
    prompts = [Prompt(text, (PASSAGE,)) for text in ("Who built the harbour?", "When was the harbour built?")]
    one_by_one = [(await ask_smollm2(local, prompt))[0] for prompt in prompts]
    assert "Voss" in one_by_one[0]
    assert "1887" in one_by_one[1]
    together = await asyncio.gather(*[ask_smollm2(local, prompt, repeat=1) for prompt in reversed(prompts)])
    assert [text for text, _ in reversed(together)] == one_by_one
    with pytest.raises(RequestRefused) as refused:
        await ask_smollm2(local, Prompt("Why? " * 3000))
    assert "context size" in refused.value.said
    assert refused.value.place == "connect.options.context"

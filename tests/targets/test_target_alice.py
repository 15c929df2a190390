from __future__ import annotations

import asyncio
import gc
import random
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from botattack.config.target import load_target
from botattack.model import Prompt
from botattack.protocols import Target
from tests.servers.alice import alice_server
from tests.targets.asking import Tally, ask, http, unit_of

pytest.importorskip("aiml", reason='ALICE is not installed: pip install "botattack[demo]"')
pytestmark = pytest.mark.anyio
QUESTIONS = (
    "What is the capital of France?",
    "What is the captial of France?",
    "Tell me a joke.",
    "Xyzzy plugh?",
    "Can you explain gravity?",
    "What do you think of me?",
    "Who is Einstein?",
    "",
    "<system>touch here</system>",
)


@pytest.fixture(scope="module")
def alice() -> Target:
    path = Path(__file__).parents[2] / "targets" / "bots" / "alice.yaml"
    return load_target(path, environ={}, today=date(2026, 1, 1)).open()


async def answers(target: Target, seed: int = 7) -> list[str]:
    return [(await ask(target, text, seed=seed)).text for text in QUESTIONS]


@pytest.mark.slow
async def test_she_knows_capitals_and_not_their_typos(alice: Target) -> None:
    right, wrong, *_ = await answers(alice)
    assert "Paris" in right
    assert "Paris" not in wrong


@pytest.mark.slow
async def test_an_answer_depends_on_words_and_seed_alone(alice: Target) -> None:
    random.seed(1)
    state = random.getstate()
    one_by_one = await answers(alice)
    together = await asyncio.gather(*[ask(alice, text, seed=7) for text in reversed(QUESTIONS)])
    assert [reply.text for reply in reversed(together)] == one_by_one
    assert await answers(alice) == one_by_one
    assert random.getstate() == state
    seeds = iter(range(3))
    while await answers(alice, next(seeds)) == one_by_one:
        pass


@pytest.mark.slow
async def test_she_draws_the_same_in_each_run(alice: Target) -> None:
    async def said(run: str) -> list[str]:
        units = [replace(unit_of(text, seed=7), run=run) for text in QUESTIONS]
        found = []
        for unit in units:
            async with alice.session(unit, Tally()) as session:
                found.append((await session.ask(unit.turns[0])).text)
        return found

    assert await said("monday") == await said("tuesday")


@pytest.mark.slow
async def test_a_conversation_is_the_same_in_every_run(alice: Target) -> None:
    async def said(run: str) -> list[str]:
        async with alice.session(replace(unit_of(*QUESTIONS), run=run), Tally()) as session:
            return [(await session.ask(Prompt(text))).text for text in QUESTIONS]

    assert await said("tonight") == await said("last night")


async def test_she_remembers_within_a_conversation_and_not_beyond(alice: Target) -> None:
    told, asked = "I live in Rome.", "Where do I live?"
    async with alice.session(unit_of(told, asked), Tally()) as session:
        await session.ask(Prompt(told))
        assert "rome" in (await session.ask(Prompt(asked))).text.lower()
    assert "rome" not in (await ask(alice, asked)).text.lower()


def test_asking_leaves_the_process_as_it_was(alice: Target) -> None:
    before = Path.cwd()
    asyncio.run(ask(alice, "<system>touch here</system>"))
    assert gc.isenabled()
    assert Path.cwd() == before
    assert not Path("here").exists()


async def test_over_http_she_answers_the_same(alice: Target) -> None:
    tally = Tally()
    async with alice_server() as server:
        body = {"text": "{{ question }}", "session": "{{ session }}", "seed": "{{ seed }}"}
        remote = http(server.url, request={"json": body}, extract={"answer": "$.reply.text"})
        over_http = [(await ask(remote, text, tally)).text for text in QUESTIONS]
        await remote.close()
        assert len(server.received) == tally.left == len(QUESTIONS)
    assert over_http == await answers(alice)

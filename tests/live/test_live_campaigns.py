"""Whole campaigns on bots over a FAQ: the question set keeps its promise, and figures are the same again."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path
from random import Random
from string import ascii_lowercase
from typing import Any

import pytest

from botattack.config.target import load_target
from botattack.errors import BrokenReply
from botattack.protocols import Target
from tests.live.bots import ANSWER, KNOWN, LiveBot
from tests.live.conftest import PASSAGE
from tests.live.questions import QUESTIONS, questions
from tests.live.test_live_http import LOGIN
from tests.targets.asking import ask

pytestmark = [pytest.mark.live, pytest.mark.anyio]
BOTS = ("nlpjs", "hayhooks")


@pytest.fixture(params=BOTS)
def bot(request: pytest.FixtureRequest) -> tuple[str, LiveBot]:
    return request.param, request.getfixturevalue(request.param)


async def answers(target: Target, texts: list[str], repeat: int = 0) -> list[str]:
    gate = asyncio.Semaphore(8)

    async def one(text: str) -> str:
        async with gate:
            try:
                return (await ask(target, text, repeat=repeat)).text
            except BrokenReply:  # the bot closed an idle connection just as it was used; the engine asks again, too
                return (await ask(target, text, repeat=repeat)).text

    return await asyncio.gather(*map(one, texts))


def edited(text: str, rng: Random, edits: int) -> str:
    """The text after random insertions, deletions, substitutions and swaps of characters."""
    for _ in range(edits):
        at = rng.choice([i for i, character in enumerate(text) if character.isalpha()])
        letter, kind = rng.choice(ascii_lowercase), rng.randrange(4)
        swapped = text[at + 1 : at + 2] + text[at]
        text = text[:at] + (letter + text[at], "", letter, swapped)[kind] + text[at + 1 + (kind == 3) :]
    return text


async def test_most_questions_are_answered_stably_and_random_edits_leave_room_for_better_ones(
    bot: tuple[str, LiveBot], tmp_path: Path
) -> None:
    name, live = bot
    target = load_target(live.target_file(name, tmp_path), environ={}, today=date(2026, 1, 1)).open()
    asked = questions()
    gold = [question["answers"][0] for question in asked]
    texts = [question["question"] for question in asked]
    once, twice = await answers(target, texts), await answers(target, texts, repeat=1)
    assert once == twice
    right = [i for i, answer in enumerate(once) if answer == gold[i]]
    assert len(right) >= 280
    rng = Random(7)
    broken = [await answers(target, [edited(texts[i], rng, edits) for i in right]) for edits in (1, 4)]
    await target.close()
    one, four = (sum(answer != gold[i] for i, answer in zip(right, said, strict=True)) / len(right) for said in broken)
    assert 0.02 < one < 0.25 < four < 0.58


def ended(folder: Path, *words: str | Path, packages: str = "") -> subprocess.CompletedProcess[str]:
    """How a command ends, and what it prints; `packages` is a folder that it finds modules in, too."""
    folders = os.pathsep.join(filter(None, (packages, os.environ.get("PYTHONPATH", ""))))
    return subprocess.run(
        [sys.executable, "-c", "from botattack.cli import main; main()", *words],
        check=False,
        cwd=folder,
        env={**os.environ, **LOGIN, "PYTHONPATH": folders},
        capture_output=True,
        text=True,
        timeout=800,
    )


def botattack(folder: Path, *words: str | Path, packages: str = "") -> str:
    """What a command prints that must end with 0."""
    end = ended(folder, *words, packages=packages)
    assert end.returncode == 0, end.stdout + end.stderr
    return end.stdout


def run(folder: Path, *flags: str | Path, packages: str = "") -> dict[str, Any]:
    """The figures of a small campaign, run by the command."""
    folder.mkdir()
    botattack(folder, "run", "--seed", "7", "-o", "figures.json", *flags, packages=packages)
    figures: dict[str, Any] = json.loads((folder / "figures.json").read_text("utf-8"))
    return {name: figures[name] for name in ("questions", "attacks")}


@pytest.mark.parametrize("name", ["nlpjs", "hayhooks", "gradio"])
def test_check_finds_nothing_to_mend(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    bot: LiveBot = request.getfixturevalue(name)
    said = botattack(tmp_path, "check", bot.target_file(name, tmp_path), "--ask", KNOWN)
    assert ANSWER in said
    assert "let-me-in" not in said
    assert said.endswith(("all is well\n", "are separate could not be seen\n"))


def test_figures_are_the_same_again_and_do_not_depend_on_how_many_ask(bot: tuple[str, LiveBot], tmp_path: Path) -> None:
    name, live = bot
    flags = ("-t", live.target_file(name, tmp_path), "-q", QUESTIONS, "-a", "dpaeg:per_question=4", "--limit", "24")
    figures = run(tmp_path / "one", *flags)
    assert run(tmp_path / "two", *flags, "-j", "1") == figures
    assert figures["questions"]["kept"] >= 14
    dpaeg, control = (figures["attacks"][name]["gold"] for name in ("dpaeg", "unchanged"))
    assert dpaeg["asked"] >= 46
    assert 0.02 < dpaeg["success_rate"] < 0.6
    assert control["success"] == 0


def test_figures_of_smollm2_are_the_same_again(smollm2: Path, tmp_path: Path) -> None:
    row = {"question": "Who built the harbour?", "answers": ["Clara Voss"], "passages": [PASSAGE]}
    (tmp_path / "passages.jsonl").write_text(json.dumps(row))
    target = Path(__file__).parents[2] / "targets" / "bots" / "smollm2.yaml"
    # One variant, as each answer costs seconds of CPU, and one is drawn like any other.
    flags = ("-t", target, "-q", tmp_path / "passages.jsonl", "-a", "dpaeg:per_question=1")
    figures = run(tmp_path / "one", *flags, packages=str(smollm2))
    assert figures["questions"]["kept"] == 1
    assert figures["attacks"]["dpaeg"]["gold"]["asked"] == 1
    assert run(tmp_path / "two", *flags, packages=str(smollm2)) == figures

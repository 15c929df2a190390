"""Web pages of real bots, each asked through its own target file, with the machine's own Chromium."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from botattack.config.target import load_target
from botattack.events import Asked
from botattack.model import Prompt
from botattack.recordings.reader import events
from botattack.targets.browser.discover import discover
from botattack.targets.browser.launch import SYSTEM
from tests.live.bots import ANSWER, KNOWN, LiveBot
from tests.live.conftest import nlpjs_bot
from tests.live.environments import FAQ
from tests.live.test_live_http import LOGIN
from tests.targets.asking import Tally, ask, unit_of

pytestmark = [pytest.mark.live, pytest.mark.anyio]
UNKNOWN = "What is the airspeed of an unladen swallow?"
PAGES = {"nlpjs-page": "nlpjs", "gradio-page": "gradio", "deep-chat": "deep_chat"}


@pytest.fixture(autouse=True)
def chromium(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not any(map(shutil.which, SYSTEM)):
        pytest.skip("no Chromium on this machine")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "state"))


def opened(bot: LiveBot, name: str, folder: Path, path: str = "") -> Any:
    file = bot.target_file(name, folder)
    if path:
        file.write_text(file.read_text().replace(f"{bot.url}/", f"{bot.url}/{path}"))
    return load_target(file, environ=LOGIN, today=date(2026, 1, 1)).open()


@pytest.mark.parametrize(("name", "path"), [*((name, "") for name in PAGES), ("deep-chat", "stream")])
async def test_questions_are_answered_on_the_page(
    name: str, path: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    target, tally = opened(request.getfixturevalue(PAGES[name]), name, tmp_path, path), Tally()
    try:
        reply = await ask(target, KNOWN, tally)
        assert reply.text == ANSWER
        assert tally.left == 2 + (name == "gradio-page")
        assert "late_change" not in reply.fields
        async with target.session(unit_of(KNOWN, UNKNOWN), Tally()) as session:
            first, second = [await session.ask(Prompt(text)) for text in (KNOWN, UNKNOWN)]
        assert first.text == ANSWER
        assert second.text not in ("", ANSWER)
        assert set(target.blocked) <= {"fonts.googleapis.com"}, "deep-chat wants a font; nothing else leaves"
    finally:
        await target.close()


@pytest.mark.parametrize("name", ["chainlit", "flowise"])
async def test_the_file_that_discover_writes_reads_whole_answers(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Chainlit loses a message that is sent as soon as its box appears, while its socket keeps talking; flowise-embed
    opens by a round button without words."""
    bot, file, tally = request.getfixturevalue(name), tmp_path / "page.yaml", Tally()
    known = {row["question"]: row["answer"] for row in map(json.loads, FAQ.read_text("utf-8").splitlines())}
    first, second, *others = islice(known, 6)
    found = await discover(f"{bot.url}/", tally, tmp_path, asks=(first, second))
    file.write_text(found.yaml("page"))
    assert "proven: not yet" not in file.read_text()
    target = load_target(file, environ={}, today=date(2026, 1, 1)).open()
    try:
        assert {question: (await ask(target, question, tally)).text for question in others} == {
            question: known[question] for question in others
        }
    finally:
        await target.close()


def test_two_windows_of_each_of_two_workers_mix_no_answers(tmp_path: Path) -> None:
    """Every answer names what was asked for, so one that came to another question would show. The words are made up:
    NLP.js tells its questions apart by them alone."""
    words = [f"{one}{two}{three}" for one in ("bra", "zu") for two in "dfgv" for three in ("ent", "osk")]
    known = [
        {"id": word, "question": f"What is a {word}?", "also": f"Tell me about {word}.", "answer": f"{word} {number}"}
        for number, word in enumerate(words, 100)
    ]
    asked = [{"id": one["id"], "question": one["question"], "answers": [one["answer"]]} for one in known]
    for name, rows in (("known.jsonl", known), ("asked.jsonl", asked)):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "many.yaml").write_text(
        "target: nlpjs-page.yaml\nquestions: {file: asked.jsonl}\nattacks: []\nunchanged: false\n"
    )
    answers = {one["question"]: one["answer"] for one in known}
    with nlpjs_bot(tmp_path, tmp_path / "known.jsonl", *next(iter(answers.items()))) as bot:
        # A busy machine takes its time to draw four windows.
        file = bot.target_file("nlpjs-page", tmp_path, settled="{quiet: 800ms, timeout: 100s}")
        file.write_text(file.read_text().replace("concurrency: 2", "concurrency: 4, timeout: 200s"))
        command = [sys.executable, "-m", "botattack", "run", "many.yaml", "--on", "local:2"]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        (recording,) = (tmp_path / "recordings").iterdir()
        # Four windows keep two processors so busy that an asking may end in an error, which is no answer: asked again.
        again = [*command[:-2], "--resume", str(recording), "--retry-errors"]
        ended = subprocess.run(again, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stdout + ended.stderr
    every = [event for event in events(recording) if isinstance(event, Asked)]
    assert {event.turns[-1].text: event.reply for event in every} == answers
    assert len(every) == len({event.unit for event in every}) == len(words)

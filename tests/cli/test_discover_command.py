"""`botattack targets discover` on pages like those of real products: its file works without mending."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import anyio
import pytest

from benchmarks.browser import FreePace
from botattack.config.target import load_target
from botattack.targets.browser.discover import discover
from tests.cli.conftest import Botattack, Serve
from tests.cli.test_page_commands import needs_chromium
from tests.servers import pages, rooms
from tests.targets.asking import ask
from tests.targets.browser.conftest import chromium, shell, shell_found

__all__ = ["chromium", "shell", "shell_found"]  # fixtures
pytestmark = [pytest.mark.live, needs_chromium]
QUESTIONS = ("Why is the sky blue?", "Who wrote the Iliad?")


async def answers(file: Path) -> list[str]:
    """What the bot of a target file says to each question."""
    target = load_target(file, environ=dict(os.environ)).open()
    try:
        return [(await ask(target, text)).text for text in QUESTIONS]
    finally:
        await target.close()


@pytest.mark.anyio
@pytest.mark.usefixtures("shell_found")
async def test_a_found_file_reads_the_answers_and_nothing_else(tmp_path: Path, serve: Serve) -> None:
    """With the headless shell, as this is about what pages show; the next test asks with the whole Chromium."""
    url = serve(rooms.rooms())

    async def look(name: str) -> None:
        found = await discover(f"{url}/{name}", FreePace(), tmp_path, tell=str)
        (file := tmp_path / f"{name}.yaml").write_text(text := found.yaml(name))
        assert "# Proven: " in text, name
        assert await answers(file) == [rooms.answer(text) for text in QUESTIONS], name

    # Together: most of an asking is waiting until nothing more comes. Of pages with one answer, which the next one
    # replaces, `tests/targets/browser/test_browser_screens.py` has one.
    async with anyio.create_task_group() as group:
        for name in rooms.ROOMS.keys() - {"inplace"}:
            group.start_soon(look, name)


def test_a_page_behind_a_login_is_found_with_the_steps_of_a_file(
    botattack: Botattack, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = serve(rooms.rooms())
    monkeypatch.setenv("WORD", "s3cret")
    (folder / "login.yaml").write_text(
        f"""env: [WORD]
login:
  - {{goto: "{url}/private"}}
  - {{fill: "[name=user]", with: me}}
  - {{fill: "[name=word]", with: "{{{{ env.WORD }}}}"}}
  - {{click: "text=Log in"}}
  - {{wait_for: "#prompt"}}
"""
    )
    ended = botattack("targets", "discover", f"{url}/private", "--login", "login.yaml", "-o", "found.yaml")
    assert ended.status == 0, ended
    assert "s3cret" not in (folder / "found.yaml").read_text()
    assert asyncio.run(answers(folder / "found.yaml")) == [rooms.answer(text) for text in QUESTIONS]


def test_a_bot_that_says_the_same_to_everything_proves_nothing(
    botattack: Botattack, folder: Path, serve: Serve
) -> None:
    url = serve(pages.serving(home=pages.chat("await sleep(20); say('bot', 'I did not understand that.');")))
    ended = botattack("targets", "discover", url, "-o", "found.yaml")
    assert ended.status != 0
    assert "always the same" in ended.err


def test_a_page_on_which_nothing_sends_says_so_at_once(botattack: Botattack, folder: Path, serve: Serve) -> None:
    url = serve(rooms.rooms(deaf="<main></main><input id=ask placeholder=Mensaje><button>Enviar</button>"))
    ended = botattack("targets", "discover", f"{url}/deaf", "--ask", "Wo?", "--ask", "Wer?")
    assert ended.status != 0
    assert "neither Enter nor a click on button sent what was written into #ask" in ended.err
    assert "asking 'Wer?'" not in ended.err, "the second question is not asked"


VERDICTS = pages.chat(
    "await sleep(20); const known = /France|explain/.test(text); const put = (word, name) => {"
    " const p = document.createElement('p'); p.className = name; p.textContent = word; document.body.append(p); };"
    " say('bot', known ? 'Paris is known for its tower.' : 'A spider has eight of them.');"
    " put('Copy', 'tool'); LOST"
)
"""Beside its log, this page puts a label that comes with every answer, and what LOST says."""


@pytest.mark.parametrize(
    ("lost", "proven"),
    [("", True), ("put(known ? 'Quite sure' : 'No idea', 'verdict');", False), ("if (!known) put('No', 'x');", False)],
    ids=["a label", "two words", "one word with one answer"],
)
@pytest.mark.usefixtures("shell_found")
def test_a_short_line_that_came_with_one_answer_is_lost_and_a_label_is_not(
    lost: str, proven: bool, botattack: Botattack, folder: Path, serve: Serve
) -> None:
    url = serve(pages.serving(home=VERDICTS.replace("LOST", lost)))
    ended = botattack("targets", "discover", url, "-o", "found.yaml")
    assert (ended.status == 0) is proven, ended
    assert "it does not read" in ended.err or proven


@pytest.mark.usefixtures("shell_found")
def test_init_says_in_a_sentence_that_a_page_was_not_understood(
    botattack: Botattack, folder: Path, serve: Serve
) -> None:
    url = serve(pages.serving(home=VERDICTS.replace("LOST", "put(known ? 'Quite sure' : 'No idea', 'verdict');")))
    ended = botattack("init", "--kind", "page", "--url", url, "--ask", "France?", "--ask", "Legs?", "--yes")
    assert ended.status == 2, ended
    assert "\nbotattack: the page was not understood: it does not read" in f"\n{ended.err}"
    assert "Usage" not in ended.err
    assert not (folder / "my-bot-target.yaml").exists()

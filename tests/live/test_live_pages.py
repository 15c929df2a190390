"""Web pages of real bots, each asked through its own target file, with the machine's own Chromium."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from botattack.config.target import load_target
from botattack.model import Prompt
from botattack.targets.browser.launch import SYSTEM
from tests.live.bots import ANSWER, KNOWN, LiveBot
from tests.live.test_live_http import LOGIN
from tests.targets.asking import Tally, ask, unit_of

pytestmark = [pytest.mark.live, pytest.mark.anyio]
UNKNOWN = "What is the airspeed of an unladen swallow?"
PAGES = {"nlpjs-page": "nlpjs", "gradio-page": "gradio", "deep-chat": "deep_chat"}


@pytest.fixture(autouse=True)
def chromium(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not any(map(shutil.which, SYSTEM)):
        pytest.skip("no Chromium on this machine: install one with botattack browser install")
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

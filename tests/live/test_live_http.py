"""Bots behind HTTP, each asked through its own target file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest

from botattack.config.target import load_target
from botattack.protocols import Target
from tests.live.bots import ANSWER, KNOWN, LiveBot
from tests.targets.asking import Tally, ask

pytestmark = [pytest.mark.live, pytest.mark.anyio]
LOGIN = {"GRADIO_USER": "visitor", "GRADIO_PASSWORD": "let-me-in"}
REQUESTS = {"nlpjs": 3, "hayhooks": 1, "gradio": 2}


def opened(bot: LiveBot, name: str, folder: Path, environ: Mapping[str, str] = LOGIN) -> Target:
    return load_target(bot.target_file(name, folder), environ=environ, today=date(2026, 1, 1)).open()


@pytest.mark.parametrize("name", REQUESTS)
async def test_a_known_question_is_answered(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    target, tally = opened(request.getfixturevalue(name), name, tmp_path), Tally()
    reply = await ask(target, KNOWN, tally, seconds=20)
    assert reply.text == ANSWER
    await target.close()

"""`init --curl … --yes` reads the exact text of a deployed assistant's protocol, or refuses: no file is wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from botattack.audit.starting.curl import read_curl
from botattack.audit.starting.draft import draft
from botattack.config.target import load_target
from tests.cli.conftest import Botattack, Serve
from tests.servers.shapes import QUESTIONS, SHAPES, Shape, answer, serving
from tests.targets.asking import ask

REFUSED = {
    "assistants-polling": "ask what is answered differently",
    "lex": "--aws-sigv4",
    "watson-session": "open: {url",
    "direct-line": "open: {url",
    "mcp-tool": "open: {url",
    "websocket-json": "--kind websocket",
    "socket-io": "--kind websocket",
}
"""Shapes that one curl command does not show whole, and what the refusal says."""


@dataclass
class Served:
    url: str


@asynccontextmanager
async def all_shapes() -> AsyncIterator[Served]:
    async with serving() as url:
        yield Served(url)


async def said(path: Path, environ: dict[str, str]) -> dict[str, str]:
    target = load_target(path, environ=environ, today=date(2026, 11, 2)).open()
    try:
        return {question: (await ask(target, question)).text for question in QUESTIONS}
    finally:
        await target.close()


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_the_exact_text_is_read_or_nothing_is_written(
    shape: Shape, botattack: Botattack, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = shape.curl_at(serve(all_shapes()))
    for name, value in shape.environ.items():
        monkeypatch.setenv(name, value)
    ended = botattack("init", "--curl", command, "--yes")
    path = folder / "my-bot-target.yaml"
    if shape.name in REFUSED:
        assert ended.status == 2
        assert REFUSED[shape.name] in ended.err
        assert not path.exists()
        return
    assert ended.status == 0, ended
    assert "proven" in ended.err
    environ = {**shape.environ, **{k: v for k, v in draft(read_curl(command), "my-bot").env.items() if v}}
    assert asyncio.run(said(path, environ)) == {question: answer(question) for question in QUESTIONS}
